import { flushSync } from 'svelte';
import { toStore } from 'svelte/store';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formatAge, formatWait } from '../texts/wait';
import { clock } from './clock.svelte';

const THEN = Date.UTC(2026, 10, 26, 14, 30, 7);
const seconds = (text: string) => [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * { d: 86_400, h: 3600, m: 60, s: 1 }[unit as 'd' | 'h' | 'm' | 's'], 0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Shows what `read` says, as a page would: all that was shown, until `stop`. */
function show<T>(read: () => T): { seen: T[]; stop: () => void } {
  const seen: T[] = [];
  return { seen, stop: toStore(read).subscribe((value) => seen.push(value)) };
}

function pass(ms: number): void {
  for (let past = 0; past < ms; past += 250) {
    vi.advanceTimersByTime(250);
    flushSync();
  }
}

function shownFor<T>(ms: number, read: () => T): T[] {
  const { seen, stop } = show(read);
  pass(ms);
  stop();
  return seen;
}

const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

it.each([0, 3, 7, 11, 19])('an age that is told never goes back, and a wait never forward (from second %i)', (shift) => {
  const then = THEN + shift * 1000;
  vi.setSystemTime(then);
  const until = then + 60 * 60_000;
  const ages = shownFor(30 * 60_000, () => seconds(formatAge(clock.about(then) - then)));
  expect(ages).toEqual(sorted(ages));
  expect([ages[0], ages.at(-1)]).toEqual([0, 29 * 60]);

  const waits = shownFor(30 * 60_000, () => seconds(formatWait(clock.until(until))));
  expect(waits.toReversed()).toEqual(sorted(waits));
  expect([waits[0], waits.at(-1)]).toEqual([30 * 60, 0]);
});

it('a page without seconds is drawn three times a minute, and one that counts every second', () => {
  vi.setSystemTime(THEN);
  expect(shownFor(120_000, () => clock.until(THEN + 3_600_000))).toHaveLength(1 + 6);
  expect(shownFor(120_000, () => clock.about(THEN - 3_600_000))).toHaveLength(1 + 6);
  expect(shownFor(60_000, () => clock.until(THEN + 600_000))).toHaveLength(1 + 60);
});

it('a page that nobody can see stands still, and is right when it is looked at again', () => {
  vi.setSystemTime(THEN);
  const { seen, stop } = show(() => formatWait(clock.until(THEN + 300_000)));
  const hide = (hidden: boolean) => {
    Object.assign(document, { hidden });
    document.dispatchEvent(new Event('visibilitychange'));
    flushSync();
  };
  hide(true);
  pass(100_000);
  expect(seen).toEqual(['5m 00s']);
  hide(false);
  expect(seen.at(-1)).toBe('3m 20s');
  pass(1000);
  expect(seen.at(-1)).toBe('3m 19s');
  stop();
});
