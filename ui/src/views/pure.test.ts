import { describe, expect, it } from 'vitest';
import { homes } from '../backend/fake/homes';
import { parseRoute } from '../state/route.svelte';
import { addresses, readNumber, valueOf } from './add/numbers';
import { bins, dots, heatLevel, peak, quantile, roundStep } from './insight/figures';
import { DAY, lay, ROW, visible } from './listings/window';
import { spark } from './listings/spark';
import { channelName, freeName, isWeb, randomTopic, wayName } from './settings/ways.svelte';

describe('a typed number', () => {
  it.each([['1.250', 1250], ['1,250', 1250], ['€ 1.250', 1250], ['1250', 1250], ['2,5', 2.5], ['2.5', 2.5], ['12.5', 12.5], ['40 m²', 40], ['1.250.000', 1_250_000]])('%s is %d', (text, n) => expect(valueOf(text)).toBe(n));
  it.each(['abc', '-5', '1.2.3', '∞'])('%s is unclear', (text) => expect(readNumber(text).kind).toBe('unclear'));
  it('nothing is nothing', () => expect(readNumber('  ').kind).toBe('empty'));
});

describe('pasted text', () => {
  it('is many searches when it holds many addresses, each once', () => {
    expect(addresses('see https://a.example/x?q=1\nhttp://b.example/ and https://a.example/x?q=1')).toEqual(['https://a.example/x?q=1', 'http://b.example/']);
  });
  it('without an address holds none', () => expect(addresses('ftp://a.example javascript:alert(1) www.b.example')).toEqual([]));
});

describe('a long list', () => {
  const rows = homes(50_000, Date.UTC(2026, 10, 26, 14, 30));
  const now = Date.UTC(2026, 10, 26, 14, 30);

  it('draws no more than a screenful of fifty thousand', () => {
    const laid = lay(rows, true, now);
    expect(laid.height).toBeGreaterThan(50_000 * ROW);
    const seen = visible(laid.items, 2_000_000, 2_000_900);
    expect(seen.length).toBeLessThan(30);
    expect(seen.some((item) => item.top <= 2_000_000)).toBe(true);
    expect(seen[seen.length - 1]!.top).toBeGreaterThanOrEqual(2_000_900);
  });

  it('names each day once, before its first row', () => {
    const days = lay(rows.slice(0, 8), true, now).items.filter((item) => item.kind === 'day');
    expect(days.map((day) => day.kind === 'day' && day.days)).toEqual([0, 1]);
    expect(days[0]!.top).toBe(0);
    expect(lay(rows.slice(0, 1), true, now).items[1]!.top).toBe(DAY);
  });
});

describe('findings', () => {
  const week = (fill: (day: number, hour: number) => number) => Array.from({ length: 7 }, (_, d) => Array.from({ length: 24 }, (_, h) => fill(d, h)));

  it('find the four hours in which most came', () => {
    expect(peak(week((d, h) => (d < 5 && h >= 9 && h < 13 ? (d === 1 ? 4 : 2) : 0)))).toEqual({ total: 48, inside: 48, from: 9, to: 13, weekend: false, day: 1 });
    expect(peak(week((d, h) => (d === 6 && h === 20 ? 9 : 0)))).toMatchObject({ weekend: true, day: 6, inside: 9 });
  });

  it('claim no pattern from a handful', () => expect(peak(week((d, h) => (d === 0 && h < 3 ? 1 : 0)))).toBeNull());

  it('take quantiles between neighbours', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([7], 0.95)).toBe(7);
  });

  it('sort every price into exactly one bin', () => {
    const prices = [995, 1000, 1001, 1249, 1250, 1500];
    const made = bins(prices);
    expect(made.reduce((sum, bin) => sum + bin.count, 0)).toBe(prices.length);
    for (const bin of made) expect(bin.count).toBe(prices.filter((p) => p >= bin.from && p < bin.to).length);
    expect(bins([800]).reduce((sum, bin) => sum + bin.count, 0)).toBe(1);
    expect(bins([])).toEqual([]);
  });

  it('stack dots that share a place, and mark the late', () => {
    expect(dots([1, 1, 100], 200, 10, 90)).toEqual([{ x: 0.05, stack: 0, late: false }, { x: 0.05, stack: 1, late: false }, { x: 0.55, stack: 0, late: true }]);
  });

  it('know five levels and round steps', () => {
    expect([0, 1, 2, 3, 4, 5, 99].map(heatLevel)).toEqual([0, 1, 2, 3, 3, 4, 4]);
    expect([0.7, 1.1, 23, 70, 100].map(roundStep)).toEqual([1, 2, 50, 100, 100]);
  });
});

it('a price history ends at its newest price, and one price is no history', () => {
  expect(spark([{ at: 0, amount: 5 }], 10)).toBeNull();
  expect(spark([{ at: 0, amount: 100 }, { at: 50, amount: 80 }], 100)).toEqual({ path: 'M1 3H30V17H61', x: 61, y: 17 });
});

it('an address names a view, a part and a query; nonsense is the searches', () => {
  expect(parseRoute('#/listings?search=3')).toMatchObject({ view: 'listings', part: '' });
  expect(parseRoute('#/edit/7')).toMatchObject({ view: 'edit', part: '7' });
  expect(parseRoute('#/<script>').view).toBe('searches');
  expect(parseRoute('').view).toBe('searches');
});

describe('a way to be told', () => {
  it.each(['https://ntfy.sh', ' http://10.0.0.2:8080/hook ', 'HTTPS://a.example'])('%s is the address of a server', (text) => expect(isWeb(text)).toBe(true));
  it.each(['', 'ntfy.sh', 'https://', 'ftp://a.example', 'https://a b.example'])('%s is none', (text) => expect(isWeb(text)).toBe(false));
  it('is numbered from the second of its kind on', () => {
    expect(freeName('ntfy', ['desktop'])).toBe('ntfy');
    expect(freeName('ntfy', ['ntfy', 'ntfy-3'])).toBe('ntfy-2');
    expect(freeName('ntfy', ['ntfy', 'ntfy-2'])).toBe('ntfy-3');
  });
  it('is suggested another topic each time', () => expect(new Set(Array.from({ length: 50 }, randomTopic)).size).toBe(50));
});

describe('a way to be told', () => {
  const ntfy = (name: string, topic: string) => ({
    name, setup: { kind: 'ntfy' as const, server: 'https://ntfy.example', topic, with_street: false, has_token: false }, enabled: true, held: null, last_accepted: null,
  });

  it('is called by its kind and where it goes, never by the number that keeps it', () => {
    const known = [ntfy('ntfy', 'attic'), ntfy('ntfy-2', 'firstknock-abcdefghijkmnpqrstuvwxyz')];
    expect(known.map((way) => wayName(way.setup))).toEqual(['ntfy · attic', 'ntfy · firstknock-abcdefg…']);
    expect(known.map((way) => channelName(way.name, known))).toEqual(known.map((way) => wayName(way.setup)));
    expect(wayName({ kind: 'webhook', url: 'https://hook.example/a/secret', signed: true })).toBe('Webhook · hook.example');
  });

  it('is its kind alone when it is no longer set up', () => {
    expect([channelName('ntfy-2', []), channelName('telegram', []), channelName('mail', [])]).toEqual(['ntfy', 'Telegram', 'mail']);
  });
});
