import { describe, expect, it } from 'vitest';
import { formatAge, formatWait } from './wait';

const S = 1000;
const M = 60 * S;
const H = 60 * M;

describe('a wait', () => {
  it.each([
    [0, '0s'], [1, '1s'], [999, '1s'], [45 * S, '45s'], [59 * S, '59s'], [59_001, '1m 00s'], [M, '1m 00s'], [2 * M + 5 * S, '2m 05s'],
    [9 * M + 59 * S, '9m 59s'], [10 * M, '10m'], [12 * M + 20 * S, '12m'], [59 * M + 59 * S, '59m'], [H, '1h 00m'], [H + 5 * M, '1h 05m'], [24 * H, '24h 00m'],
  ])('of %i ms reads %s', (ms, text) => expect(formatWait(ms)).toBe(text));

  it('is never negative', () => {
    expect(formatWait(-1)).toBe('0s');
    expect(formatWait(-H)).toBe('0s');
  });

  it('only ever shrinks as time goes by', () => {
    const inSeconds = (text: string) => [...text.matchAll(/(\d+)([hms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * { h: 3600, m: 60, s: 1 }[unit as 'h' | 'm' | 's'], 0);
    let last = Infinity;
    for (let ms = 2 * H; ms >= -5 * S; ms -= 500) {
      const now = inSeconds(formatWait(ms));
      expect(now).toBeLessThanOrEqual(last);
      last = now;
    }
  });
});

describe('an age', () => {
  it.each([[12 * S, '10s'], [27 * M, '27m'], [78 * M, '1h 18m'], [3 * H + 20 * M, '3h'], [26 * H, '1d'], [-5, '0s']])('of %i ms reads %s', (ms, text) => expect(formatAge(ms)).toBe(text));
});
