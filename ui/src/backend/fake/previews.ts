// What a pasted address turns out to be. Words in the address choose: `unsure`, `one-home`, `no-list`,
// `nothing-now`, `wall`, `dead`, `gone`, `later`, `moved`.

import type { Found, Preview, PreviewListing, PreviewRefusal, SearchRow, WouldShow, WouldShowQuery } from '../bindings';
import { card } from './homes';

const refused = (why: PreviewRefusal): Preview => ({ kind: 'refused', why });

export function preview(url: string, choice: number | null, rows: SearchRow[], max: number, now: number): Preview {
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    return refused({ kind: 'not_an_address' });
  }
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return refused({ kind: 'not_http' });
  if (address.username || address.password) return refused({ kind: 'has_password' });
  const same = rows.find((row) => row.url === url);
  if (same) return refused({ kind: 'duplicate', id: same.id, name: same.name });
  if (rows.filter((row) => row.enabled).length >= max) return refused({ kind: 'sixteenth', max });
  if (url.includes('one-home')) return refused({ kind: 'one_home' });
  if (url.includes('no-list')) return refused({ kind: 'no_list', empty: false });
  if (url.includes('nothing-now')) return refused({ kind: 'no_list', empty: true });
  if (url.includes('wall')) return refused({ kind: 'wall', wall: 'challenge', reason: 'browser_check', evidence: ['status 403, 5.9 KB', 'header cf-mitigated: challenge'] });
  if (url.includes('dead')) return refused({ kind: 'dead', reason: 'dns' });
  if (url.includes('gone')) return refused({ kind: 'page_gone', status: 404 });
  if (url.includes('later')) return refused({ kind: 'not_before', at: now + 60_000 });
  if (url.includes('unsure') && choice === null) {
    return { kind: 'unsure', name: 'Utrecht, 2 kamers', took_ms: 700, lists: [{ index: 0, count: 24, sample: [card(1), card(9), card(8)] }, { index: 1, count: 6, sample: [card(6), card(7), card(5)] }] };
  }
  return { kind: 'found', ...found(choice === 1 ? 6 : 24, url.includes('moved')) };
}

function found(count: number, moved: boolean): Found {
  return {
    name: 'Utrecht, 2 kamers, tot € 1.250', count, took_ms: 700, remark: null, moved_to: moved ? 'https://www.huurplein.example/nieuw/utrecht' : null,
    sample: [card(1), card(9), card(8)],
    all: Array.from({ length: count }, (_, i): PreviewListing => {
      const c = card(i);
      return { text: `${c.title} ${c.address}${i === 11 ? ' anti-kraak' : ''}`, price_monthly: c.price?.amount ?? null, size_m2: c.size_m2, rooms: c.rooms, let_already: i === 13 };
    }),
  };
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export function wouldShow({ filters, listings }: WouldShowQuery): WouldShow {
  const counts = new Map<string, { why: string; word: string | null; count: number }>();
  const shown = listings.map((home) => {
    const why = reason(home, filters);
    if (why) {
      const key = why.join(' ');
      const had = counts.get(key) ?? { why: why[0]!, word: why[1] ?? null, count: 0 };
      counts.set(key, { ...had, count: had.count + 1 });
    }
    return why === null;
  });
  return { of: listings.length, shown, hidden: [...counts.values()].sort((a, b) => b.count - a.count) };
}

function reason(home: PreviewListing, f: WouldShowQuery['filters']): string[] | null {
  const text = fold(home.text);
  if (f.max_price !== null && home.price_monthly !== null && home.price_monthly > f.max_price) return ['too_dear'];
  if (f.min_price !== null && home.price_monthly !== null && home.price_monthly < f.min_price) return ['too_cheap'];
  if (f.min_size !== null && home.size_m2 !== null && home.size_m2 < f.min_size) return ['too_small'];
  if (f.min_rooms !== null && home.rooms !== null && home.rooms < f.min_rooms) return ['too_few_rooms'];
  if (f.want_words.length && !f.want_words.some((word) => text.includes(fold(word)))) return ['no_wanted_word'];
  const unwanted = f.exclude_words.find((word) => text.includes(fold(word)));
  if (unwanted !== undefined) return ['excluded_word', unwanted];
  return f.hide_let && home.let_already ? ['already_let'] : null;
}
