// The button that sends one request now: when it opens, and why it is shut.

import type { Retry, SearchRow } from '../../backend/bindings';
import { clockTime } from '../../texts/format';
import { t } from '../../texts/t';
import { waitsForHost } from './rowwords';

/** The button stands on every row that waits; elsewhere a check by hand is in the menu. */
export function rowRetry(row: SearchRow): Retry {
  return waitsForHost(row.state) ? row.retry : { kind: 'none' };
}

export type Door = { kind: 'none' } | { kind: 'open'; why: string | null } | { kind: 'shut'; label: string; why: string };

const MINUTE_MS = 60_000;

/** A lock's time is a full minute, rounded up, and the button opens when the clock shows it. */
export function wholeMinute(at: number): number {
  return Math.ceil(at / MINUTE_MS) * MINUTE_MS;
}

export function retryDoor(retry: Retry, now: number): Door {
  switch (retry.kind) {
    case 'none':
      return { kind: 'none' };
    case 'ready':
      return { kind: 'open', why: null };
    case 'free':
      return { kind: 'open', why: t('retry_free') };
    case 'busy':
      return { kind: 'shut', label: t('try_now'), why: t('lock_busy') };
    case 'locked': {
      const until = wholeMinute(retry.until);
      if (now >= until) return { kind: 'open', why: null };
      const time = clockTime(until);
      return { kind: 'shut', label: t('try_now_from', { time }), why: t(retry.why === 'site_asked' ? 'lock_site_asked' : 'lock_refused_again', { time }) };
    }
  }
}
