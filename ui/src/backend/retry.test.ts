import { describe, expect, it } from 'vitest';
import { BACKGROUND, decorrelatedJitter, FOREGROUND, fullJitter, mayGoAgain, nextWait, retryAfterMs, type Outcome, type Sort } from './retry';

describe('what may go again', () => {
  const status = (n: number): Outcome => ({ kind: 'status', status: n, retryAfterMs: null });
  const TABLE: [Outcome, Sort, boolean][] = [
    [status(429), 'read', true], [status(429), 'write', true], [status(503), 'write', true], [status(404), 'read', false], [status(422), 'keyed_write', false],
    [{ kind: 'lost' }, 'read', true], [{ kind: 'lost' }, 'write', false], [{ kind: 'lost' }, 'keyed_write', true], [{ kind: 'answered' }, 'read', false],
  ];
  it.each(TABLE)('%o of a %s: %s', (outcome, sort, yes) => expect(mayGoAgain(outcome, sort)).toBe(yes));
});

describe('how long before', () => {
  it('full jitter doubles its ceiling up to the cap', () => {
    expect([1, 2, 3, 4, 5, 6].map((tried) => fullJitter(tried, BACKGROUND, 1))).toEqual([400, 800, 1600, 3200, 5000, 5000]);
    expect(fullJitter(3, BACKGROUND, 0)).toBe(0);
  });

  it('decorrelated jitter stays between the base and three times the last wait', () => {
    for (const random of [0, 0.3, 0.999]) {
      const wait = decorrelatedJitter(1000, BACKGROUND, random);
      expect(wait).toBeGreaterThanOrEqual(200);
      expect(wait).toBeLessThanOrEqual(3000);
    }
    expect(decorrelatedJitter(4000, BACKGROUND, 0.999)).toBe(5000);
  });

  it('a suggestion of the server is a lower bound', () => {
    expect(nextWait({ kind: 'status', status: 503, retryAfterMs: 1500 }, 'read', 1, 0, FOREGROUND, 0)).toBe(1500);
  });

  it('gives up at once when that is longer than anybody waits', () => {
    expect(nextWait({ kind: 'status', status: 503, retryAfterMs: 60_000 }, 'read', 1, 0, FOREGROUND, 0)).toBeNull();
  });

  it('gives up after the last try', () => expect(nextWait({ kind: 'lost' }, 'read', 2, 10, FOREGROUND, 0.5)).toBeNull());

  it('reads seconds and dates', () => {
    expect(retryAfterMs('2', 0)).toBe(2000);
    expect(retryAfterMs(new Date(5000).toUTCString(), 2000)).toBe(3000);
    expect(retryAfterMs('soon', 0)).toBeNull();
    expect(retryAfterMs(null, 0)).toBeNull();
  });
});
