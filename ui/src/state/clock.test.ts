import { afterEach, expect, it, vi } from 'vitest';
import { formatAge, formatWait } from '../texts/wait';
import { clock } from './clock.svelte';

const THEN = Date.UTC(2026, 10, 26, 14, 30, 7);
const seconds = (text: string) => [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * { d: 86_400, h: 3600, m: 60, s: 1 }[unit as 'd' | 'h' | 'm' | 's'], 0);

afterEach(() => void vi.useRealTimers());

it.each([0, 3, 7, 11, 19])('an age that is told never goes back, and a wait never forward (from second %i)', (shift) => {
  vi.useFakeTimers();
  const then = THEN + shift * 1000;
  const until = then + 30 * 60_000;
  let age = 0;
  let wait = Infinity;
  for (let ms = 0; ms <= 30 * 60_000; ms += 1000) {
    vi.setSystemTime(then + ms);
    const [older, nearer] = [seconds(formatAge(clock.about(then) - then)), seconds(formatWait(clock.until(until)))];
    expect(older).toBeGreaterThanOrEqual(age);
    expect(nearer).toBeLessThanOrEqual(wait);
    [age, wait] = [older, nearer];
  }
  expect([age, wait]).toEqual([29 * 60, 0]);
});
