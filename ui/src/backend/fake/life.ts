// The scripted board goes on living: waits end, a probe goes out, checks come and go. One step a second.

import type { AppStatus, Board, HostCard, RowState, SearchRow } from '../bindings';
import { S } from './board';

const CHECK_MS = 1500;
const PROBE_MS = 2500;

/** The board one step later; the same object when nothing changed. */
export function step(board: Board, now: number): Board {
  if (board.app.kind === 'stopped' || board.app.kind === 'offline') return board;
  const busy = new Set(board.rows.filter((row) => row.state.kind === 'checking' || row.state.kind === 'probing').map((row) => row.host));
  const hosts = board.hosts.map((card) => hostStep(card, now, board.rows));
  const state = new Map(hosts.map((card) => [card.host, card]));
  let changed = hosts.some((card, i) => card !== board.hosts[i]);
  const rows = board.rows.map((row) => {
    const next = rowStep(row, state.get(row.host), board.hosts.find((card) => card.host === row.host), busy, now);
    if (next !== row) changed = true;
    return next;
  });
  return changed ? settled({ ...board, rows, hosts }, now) : board;
}

/** App status and counts, as the rows now have them. */
export function settled(board: Board, now: number): Board {
  const rows = board.rows;
  const enabled = rows.filter((row) => row.enabled);
  const checking = enabled.filter((row) => row.state.kind === 'checking' || (row.state.kind === 'probing' && row.state.turn === 'first')).length;
  const times = enabled.flatMap((row) => ('next_at' in row.state ? [row.state.next_at] : 'retry_at' in row.state ? [row.state.retry_at] : []));
  const app: AppStatus =
    board.app.kind === 'stopped' || board.app.kind === 'offline'
      ? board.app
      : checking > 0
        ? { kind: 'polling', checking, of: enabled.length }
        : { kind: 'idle', waiting: enabled.length, next_at: times.length ? Math.max(now, Math.min(...times)) : null };
  const hosts = board.hosts
    .filter((card) => rows.some((row) => row.host === card.host))
    .map((card) => {
      const next = enabled.filter((row) => row.host === card.host).flatMap((row) => ('next_at' in row.state ? [row.state.next_at] : []));
      const searches = rows.filter((row) => row.host === card.host).length;
      if (card.state.kind !== 'answers') return card.searches === searches ? card : { ...card, searches };
      const next_at = next.length ? Math.min(...next) : null;
      return card.state.next_at === next_at && card.searches === searches ? card : { ...card, searches, state: { kind: 'answers' as const, next_at } };
    });
  const unread = rows.reduce((sum, row) => sum + row.unread, 0);
  return { ...board, app, hosts, facts: { ...board.facts, unread, enabled_searches: enabled.length } };
}

function hostStep(card: HostCard, now: number, rows: SearchRow[]): HostCard {
  if (card.state.kind === 'waits' && card.state.retry_at <= now && card.state.wall !== 'denied') {
    return { ...card, retry: { kind: 'none' as const }, state: { kind: 'probing', since: card.state.since } };
  }
  const probe = rows.find((row) => row.host === card.host && row.state.kind === 'probing');
  if (card.state.kind === 'probing' && probe?.state.kind === 'probing' && now - probe.state.since >= PROBE_MS) {
    return { ...card, retry: { kind: 'none' }, last_answer_at: now, state: { kind: 'answers', next_at: null } };
  }
  return card;
}

function rowStep(row: SearchRow, card: HostCard | undefined, before: HostCard | undefined, busy: Set<string>, now: number): SearchRow {
  if (!row.enabled || !card) return row;
  const to = (state: RowState, part: Partial<SearchRow> = {}): SearchRow => ({ ...row, ...part, state });
  const spread = now + row.interval_ms - (row.id % 5) * 7 * S;
  if (card.state.kind === 'probing' && before?.state.kind === 'waits') {
    const turn = 'turn' in row.state ? row.state.turn : 'waits';
    return to({ kind: 'probing', host: row.host, since: now, turn }, { retry: { kind: 'none' } });
  }
  if (card.state.kind === 'answers' && before?.state.kind === 'probing') return answered(row, row.last_listings ?? 24, spread, now);
  const s = row.state;
  if (s.kind === 'checking' && now - s.since >= CHECK_MS) return answered(row, row.last_listings ?? 24, spread, now);
  if (busy.has(row.host)) return 'next_at' in s && s.next_at <= now ? to({ kind: 'queued' }) : row;
  if (s.kind === 'queued' || ('next_at' in s && s.next_at <= now)) {
    busy.add(row.host);
    return to({ kind: 'checking', since: now });
  }
  return row;
}

function answered(row: SearchRow, listings: number, next_at: number, now: number): SearchRow {
  const news = listings > 0 && (row.id + Math.floor(now / 60_000)) % 4 === 0;
  const state: RowState = listings === 0 ? { kind: 'empty', checked_at: now, next_at } : { kind: 'ok', listings, checked_at: now, next_at };
  return {
    ...row, state, retry: { kind: 'none' }, last_answer_at: now, last_listings: listings, unread: row.unread + (news ? 1 : 0),
    checks: [...row.checks.slice(1), listings === 0 ? 'empty' : news ? 'news' : 'answered'],
  };
}
