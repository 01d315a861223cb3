// What a row says: one entry per state of the policy's table, made from facts and absolute times.

import type { RowState, SearchRow, Turn } from '../../backend/bindings';
import type { IconName } from '../../parts/Icon.svelte';
import { clockTime, moment } from '../../texts/format';
import { shortHost } from '../../texts/host';
import { plain } from '../../texts/rich';
import { say, t } from '../../texts/t';
import { formatAge } from '../../texts/wait';

const JUST_MS = 5000;

export type Tone =
  | 'ok' | 'checking' | 'probing' | 'suspicious' | 'blocked' | 'you' | 'trouble' | 'gone' | 'paused' | 'queued' | 'offline';

export type Due = { label: string; until: number };

export type RowWords = {
  tone: Tone;
  icon: IconName;
  /** The state, with its word in **strong**. */
  now: string;
  /** The line under it. */
  then: string | null;
  /** The second line stays in a narrow window. */
  keep: boolean;
  due: Due | null;
};

export function rowWords(row: SearchRow, now: number): RowWords {
  const say2 = (tone: Tone, icon: IconName, text: string, then: string | null, due: Due | null = null, keep = false): RowWords => ({
    tone, icon, now: text, then, keep, due,
  });
  const next = (at: number): Due => ({ label: t('due_next'), until: at });
  const retry = (at: number): Due => ({ label: t('due_retry'), until: at });
  const s = row.state;
  switch (s.kind) {
    case 'queued':
      return say2('queued', 'queue', t('row_queued'), t('row_queued_then'));
    case 'checking':
      return say2('checking', 'ring', t('row_checking'), lastListings(row, now));
    case 'ok':
      return say2('ok', 'check', t('row_ok', { n: s.listings }), checked(s.checked_at, now), next(s.next_at));
    case 'empty':
      return say2('ok', 'empty', t('row_empty'), checked(s.checked_at, now), next(s.next_at));
    case 'suspicious':
      return say2('suspicious', 'ask', t('row_suspicious', { n: s.recognised, before: s.before }), null, next(s.next_at));
    case 'blocked':
      return say2('blocked', turnIcon(s.turn), t('row_blocked', { kind: t(`wall_${s.wall}`) }), turnWords(s.turn), retry(s.retry_at));
    case 'probing':
      return s.turn === 'first'
        ? say2('probing', 'ring', t('row_probing', { host: shortHost(s.host) }), t('row_probing_then'))
        : say2('blocked', 'clock', t('row_probing_waits'), t('row_probing_waits_then'));
    case 'needs_you':
      return say2('you', s.turn === 'first' ? 'you' : 'clock', needsYou(s.reason), s.turn === 'first' ? lastAnswer(row, now) : turnWords(s.turn), retry(s.retry_at));
    case 'first_error':
      return say2('trouble', 'plug', trouble(s.reason), t('row_first_error_then'), next(s.next_at), true);
    case 'error_waiting':
      return say2('trouble', s.turn === 'first' ? 'plug' : 'clock', trouble(s.reason), turnWords(s.turn), retry(s.retry_at));
    case 'offline':
      return say2('offline', 'offline', t('row_offline'), t('row_offline_then'), null, true);
    case 'page_gone':
      return say2('gone', 'nopage', t('row_page_gone', { status: s.status ?? 404 }), t('row_page_gone_then', { time: moment(s.since, now) }), null, true);
    case 'paused':
      return say2('paused', 'pause', t('row_paused'), lastListings(row, now));
    case 'stopped':
      return say2('paused', 'pause', t('row_stopped'), lastListings(row, now));
  }
}

/** The whole row as one sentence, in the policy's order: name, state, result, when. Its times are absolute. */
export function rowSentence(row: SearchRow, words: RowWords): string {
  const parts = [row.name, plain(words.now)];
  if ('checked_at' in row.state) parts.push(t('row_checked_at', { time: clockTime(row.state.checked_at) }));
  else if (words.then) parts.push(plain(words.then));
  if (words.due) parts.push(t('row_due_at', { label: words.due.label, time: clockTime(words.due.until) }));
  if (row.unread > 0) parts.push(t('row_unread', { n: row.unread }));
  if (row.muted) parts.push(t('row_muted'));
  return parts.join('. ');
}

/** The moment that the row's words are about. */
export function toldAt(state: RowState): number {
  return 'checked_at' in state ? state.checked_at : 'since' in state ? state.since : 0;
}

/** Whether the row hangs on its host's wait. */
export function waitsForHost(state: RowState): boolean {
  return state.kind === 'blocked' || state.kind === 'probing' || state.kind === 'needs_you' || state.kind === 'error_waiting';
}

export function goesFirst(state: RowState): boolean {
  return 'turn' in state && state.turn === 'first';
}

function checked(at: number, now: number): string {
  return now - at < JUST_MS ? t('row_checked_now') : t('row_checked', { age: formatAge(now - at) });
}

function turnIcon(turn: Turn): IconName {
  return turn === 'first' ? 'first' : 'clock';
}

function turnWords(turn: Turn): string {
  return t(turn === 'first' ? 'row_goes_first' : 'row_waits_turn');
}

function needsYou(reason: string): string {
  return say(`row_needs_you_${reason}`) ?? t('row_needs_you');
}

export function trouble(reason: string): string {
  return say(`row_error_${reason}`) ?? t('row_error');
}

function lastListings(row: SearchRow, now: number): string | null {
  if (row.last_answer_at === null) return null;
  const time = moment(row.last_answer_at, now);
  return row.last_listings === null ? t('row_last_answer', { time }) : t('row_last_listings', { n: row.last_listings, time });
}

function lastAnswer(row: SearchRow, now: number): string {
  return row.last_answer_at === null ? t('row_never_answered') : t('row_last_answer', { time: moment(row.last_answer_at, now) });
}
