// The scripted board: rows and hosts as the scenes need them. Every state of the policy's table is here.

import type { AppStatus, Board, CheckMark, Filters, HostCard, HostState, Retry, RowState, SearchRow } from '../bindings';

export const S = 1000;
export const M = 60 * S;
export const H = 60 * M;

const NO_FILTERS: Filters = { min_price: null, max_price: null, min_size: null, min_rooms: null, want_words: [], exclude_words: [], hide_let: true };

export function filters(part: Partial<Filters>): Filters {
  return { ...NO_FILTERS, ...part };
}

/** Forty marks; `news` at some places, `tail` at the newest end. */
export function marks(news: number[], tail: CheckMark[] = [], length = 40): CheckMark[] {
  const all: CheckMark[] = Array.from({ length }, (_, i) => (news.includes(i) ? 'news' : 'answered'));
  return tail.length ? [...all.slice(0, length - tail.length), ...tail] : all;
}

type Extra = Partial<Pick<SearchRow, 'filters' | 'unread' | 'muted' | 'checks' | 'retry' | 'last_listings' | 'last_answer_at' | 'stretched' | 'remark' | 'interval_ms' | 'alerts'>>;

export function row(id: number, name: string, host: string, state: RowState, now: number, extra: Extra = {}): SearchRow {
  const interval = extra.interval_ms ?? 5 * M;
  return {
    id, name, host, state, url: `https://www.${host}/huren/${id}`, position: id, enabled: state.kind !== 'paused', muted: extra.muted ?? false,
    unread: extra.unread ?? 0, filters: extra.filters ?? NO_FILTERS, reader: 'auto', stretched: extra.stretched ?? false, remark: extra.remark ?? null,
    alerts: extra.alerts ?? { new: true, price_drops: true, relisted: true, pace: 'instant', quiet: null },
    interval_ms: interval, interval_used_ms: [Math.round(interval * 0.9), Math.round(interval * (extra.stretched ? 1.8 : 1.1))],
    checks: extra.checks ?? marks([7, 19, 31]), retry: extra.retry ?? { kind: 'ready' },
    last_answer_at: extra.last_answer_at === undefined ? now - 12 * S : extra.last_answer_at,
    last_listings: extra.last_listings === undefined ? 24 : extra.last_listings,
  };
}

export function host(name: string, searches: number, state: HostState, extra: Partial<HostCard> = {}): HostCard {
  return { host: name, searches, state, retry: { kind: 'none' }, last_answer_at: null, has_session: false, can_open_site: false, ...extra };
}

const READY: Retry = { kind: 'ready' };

export const KAMER = 'kamerhuis.example';
export const PLEIN = 'huurplein.example';
export const WG = 'wg-boerse.example';
export const BLATT = 'wohnblatt.example';

type Part = { rows: SearchRow[]; hosts: HostCard[] };

/** Three searches that hang on one wait. */
export function waiting(now: number, left: number, asked: number | null): Part {
  const retry: Retry = asked === null ? READY : { kind: 'locked', until: now + left, why: 'site_asked' };
  const wall = asked === null ? 'challenge' : 'rate_limited';
  const blocked = (turn: 'first' | 'waits'): RowState => ({ kind: 'blocked', wall, turn, retry_at: now + left });
  const times = asked === null ? 3 : 1;
  const refused: CheckMark[] = Array.from({ length: times }, () => 'refused');
  const skipped: CheckMark[] = Array.from({ length: times }, () => 'not_asked');
  const last = { last_answer_at: now - 17 * M, last_listings: 22, retry };
  return {
    hosts: [
      host(KAMER, 3, {
        kind: 'waits', wall, reason: asked === null ? 'browser_check' : 'too_many_requests', since: now - 12 * M, failures: times, asked_ms: asked, retry_at: now + left,
        evidence: asked === null ? ['status 403, 5.9 KB', 'header cf-mitigated: challenge', 'title Even geduld…'] : ['status 429, 214 bytes', `header retry-after: ${asked / S}`],
      }, { retry, last_answer_at: now - 17 * M, can_open_site: true, has_session: true }),
    ],
    rows: [
      row(1, 'Kamers in Utrecht tot € 750', KAMER, blocked('first'), now, { ...last, unread: 1, filters: filters({ min_price: 450, max_price: 750, min_size: 12 }), checks: marks([8, 15, 23, 30, 34], refused) }),
      row(2, 'Studio’s Utrecht-Oost en Wittevrouwen', KAMER, blocked('waits'), now, { ...last, filters: filters({ max_price: 950, exclude_words: ['anti-kraak'] }), checks: marks([16, 22], skipped) }),
      row(3, 'Kamers Amersfoort, met inschrijving', KAMER, blocked('waits'), now, { ...last, filters: filters({ max_price: 700 }), checks: marks([14, 23, 24], skipped) }),
    ],
  };
}

export function probing(now: number): Part {
  const part = waiting(now, 0, null);
  const card = part.hosts[0];
  return {
    hosts: card ? [{ ...card, retry: { kind: 'none' }, state: { kind: 'probing', since: now - 12 * M } }] : [],
    rows: part.rows.map((r, i) => ({ ...r, unread: 0, retry: { kind: 'none' }, state: { kind: 'probing', host: KAMER, since: now - S, turn: i === 0 ? 'first' : 'waits' } })),
  };
}

export function answering(now: number): Part {
  return {
    hosts: [host(PLEIN, 4, { kind: 'answers', next_at: now + 18 * S }, { last_answer_at: now - 12 * S })],
    rows: [
      row(4, 'Utrecht, 2 kamers, tot € 1.250', PLEIN, { kind: 'ok', listings: 48, checked_at: now - 12 * S, next_at: now + 4 * M + 48 * S }, now, { unread: 1, last_listings: 48, filters: filters({ min_price: 900, max_price: 1250, min_rooms: 2, min_size: 40 }), checks: marks([12, 28, 29, 32, 35, 39]) }),
      row(5, 'Amersfoort, huis met tuin', PLEIN, { kind: 'checking', since: now - S }, now, { last_listings: 52, last_answer_at: now - 5 * M, filters: filters({ max_price: 1700, want_words: ['tuin'] }), checks: marks([17, 30, 33, 36]) }),
      row(6, 'Haarlem Centrum, vanaf 60 m²', PLEIN, { kind: 'empty', checked_at: now - 12 * S, next_at: now + 4 * M + 51 * S }, now, { muted: true, last_listings: 0, filters: filters({ max_price: 1500, min_size: 60, min_rooms: 3 }), checks: marks([8, 9], ['empty', 'empty', 'empty', 'empty', 'empty', 'empty', 'empty', 'empty']) }),
      row(7, 'Hilversum-Zuid, oude link', PLEIN, { kind: 'page_gone', status: 404, since: now - 5 * 24 * H, next_at: now + 9 * H }, now, { last_answer_at: now - 5 * 24 * H, filters: filters({ max_price: 1400, min_rooms: 2 }), checks: marks([3, 19], ['failed', ...Array<CheckMark>(10).fill('not_asked')]) }),
    ],
  };
}

export function needsPerson(now: number): Part {
  const retry: Retry = { kind: 'locked', until: now + 90 * S, why: 'refused_again' };
  return {
    hosts: [
      host(WG, 2, { kind: 'waits', wall: 'denied', reason: 'human_check', since: now - 6 * M, failures: 2, asked_ms: null, retry_at: now + 12 * M + 20 * S, evidence: ['status 403, 1.1 KB', 'text Bitte bestätige, dass du kein Roboter bist'] }, { retry, last_answer_at: now - 11 * M, can_open_site: true }),
    ],
    rows: [
      row(8, 'WG-Zimmer Münster Kreuzviertel und Südviertel', WG, { kind: 'needs_you', reason: 'human_check', turn: 'first', retry_at: now + 12 * M + 20 * S }, now, { unread: 1, retry, last_answer_at: now - 11 * M, filters: filters({ max_price: 520, min_size: 14 }), checks: marks([10, 18, 25, 30], ['refused', 'refused', 'not_asked']) }),
      row(9, 'Nachmiete Münster, ein Zimmer', WG, { kind: 'paused' }, now, { last_answer_at: now - 6 * 24 * H, last_listings: 17, filters: filters({ max_price: 650 }), checks: marks([5, 8], Array<CheckMark>(13).fill('not_asked')) }),
    ],
  };
}

export function troubled(now: number): Part {
  return {
    hosts: [host(BLATT, 3, { kind: 'answers', next_at: now + 3 * M + 20 * S }, { last_answer_at: now - 2 * M })],
    rows: [
      row(10, 'Zwei-Zimmer-Erdgeschosswohnung mit Gartenmitbenutzung, Osnabrück', BLATT, { kind: 'suspicious', recognised: 0, before: 48, next_at: now + 8 * M + 2 * S }, now, { interval_ms: 10 * M, last_listings: 0, checks: marks([0, 11, 28], ['empty']) }),
      row(11, 'Dachgeschosswohnungen Bielefeld', BLATT, { kind: 'first_error', reason: 'connect', next_at: now + 3 * M + 20 * S }, now, { interval_ms: 10 * M, last_answer_at: now - 10 * M, last_listings: 17, filters: filters({ max_price: 700 }), checks: marks([4], ['failed']) }),
      row(12, 'Wohnungen Bielefeld-Gadderbaum', BLATT, { kind: 'queued' }, now, { remark: { code: 'page_broken', args: {} }, interval_ms: 10 * M, filters: filters({ max_price: 850, min_size: 50 }), checks: marks([13, 36]) }),
    ],
  };
}

/** The states that a usual day does not show. */
export function rare(now: number): Part {
  return {
    hosts: [
      host('altbau.example', 2, { kind: 'waits', wall: 'error', reason: 'timeout', since: now - 4 * M, failures: 2, asked_ms: null, retry_at: now + 2 * M + 5 * S, evidence: ['connect: timed out after 10 s'] }, { retry: READY, last_answer_at: now - 9 * M }),
      host('stadtwonen.example', 1, { kind: 'site_open', since: now - 2 * M }, { retry: { kind: 'busy' }, last_answer_at: now - 40 * M, can_open_site: true, has_session: true }),
    ],
    rows: [
      row(13, 'Altbau Bielefeld-West', 'altbau.example', { kind: 'error_waiting', reason: 'timeout', turn: 'first', retry_at: now + 2 * M + 5 * S }, now, { retry: READY, last_answer_at: now - 9 * M, checks: marks([9], ['failed', 'failed']) }),
      row(14, 'Altbau mit Balkon', 'altbau.example', { kind: 'error_waiting', reason: 'timeout', turn: 'waits', retry_at: now + 2 * M + 5 * S }, now, { retry: READY, last_answer_at: now - 9 * M, checks: marks([9], ['not_asked', 'not_asked']) }),
      row(15, 'Stadswoningen Zwolle', 'stadtwonen.example', { kind: 'needs_you', reason: 'consent', turn: 'first', retry_at: now + 4 * M }, now, { retry: { kind: 'busy' }, stretched: true, checks: marks([], ['refused']) }),
    ],
  };
}

/** Every row in one state, for the moments when the whole app has only one. */
export function allIn(part: Part, state: RowState, now: number): Part {
  return {
    rows: part.rows.map((r) => ({ ...r, state, retry: { kind: 'none' }, unread: 0 })),
    hosts: part.hosts.map((card) => ({ ...card, retry: { kind: 'none' }, last_answer_at: card.last_answer_at ?? now - 10 * M })),
  };
}

export function joined(...parts: Part[]): Part {
  return { rows: parts.flatMap((part) => part.rows), hosts: parts.flatMap((part) => part.hosts) };
}

export function boardOf(part: Part, app: AppStatus, facts: Partial<Board['facts']> = {}): Board {
  return {
    app, rows: part.rows, hosts: part.hosts,
    facts: {
      unread: part.rows.reduce((sum, r) => sum + r.unread, 0), banners: [], max_searches: 15, away: null, photos: [],
      enabled_searches: part.rows.filter((r) => r.enabled).length,
      mail: { kind: 'works', address: 'noor@mailhuis.example', last_accepted: null }, ...facts,
    },
  };
}
