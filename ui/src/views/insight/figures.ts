// The findings behind the pictures: plain arithmetic on what the engine counted. Pure.

export type Peak = { total: number; inside: number; from: number; to: number; weekend: boolean; day: number };

const WINDOW_H = 4;
/** Fewer than this is no pattern. */
export const ENOUGH = 8;

/** The four hours, on weekdays or at the weekend, in which most came; `null` while there are too few. */
export function peak(byHour: readonly (readonly number[])[]): Peak | null {
  const total = byHour.flat().reduce((sum, n) => sum + n, 0);
  if (total < ENOUGH) return null;
  let best: Peak | null = null;
  for (const weekend of [false, true]) {
    const days = weekend ? [5, 6] : [0, 1, 2, 3, 4];
    for (let from = 0; from + WINDOW_H <= 24; from++) {
      const inDay = (day: number) => (byHour[day] ?? []).slice(from, from + WINDOW_H).reduce((sum, n) => sum + n, 0);
      const inside = days.reduce((sum, day) => sum + inDay(day), 0);
      if (!best || inside > best.inside) {
        const day = days.reduce((a, b) => (inDay(b) > inDay(a) ? b : a));
        best = { total, inside, from, to: from + WINDOW_H, weekend, day };
      }
    }
  }
  return best;
}

/** 0 none, 1 one, 2 two, 3 three or four, 4 five and more. */
export function heatLevel(n: number): 0 | 1 | 2 | 3 | 4 {
  return n === 0 ? 0 : n === 1 ? 1 : n === 2 ? 2 : n < 5 ? 3 : 4;
}

/** The value below which `share` of them lie; of sorted numbers, between neighbours by proportion. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  const a = sorted[low] ?? 0;
  const b = sorted[low + 1] ?? a;
  return a + (b - a) * (at - low);
}

export type Bin = { from: number; to: number; count: number };

/** About a dozen equal steps of a round width. */
export function bins(sorted: readonly number[], about = 13): Bin[] {
  const low = sorted[0];
  const high = sorted[sorted.length - 1];
  if (low === undefined || high === undefined) return [];
  const width = roundStep((high - low) / about || 1);
  const first = Math.floor(low / width) * width;
  const count = Math.floor((high - first) / width) + 1;
  const out = Array.from({ length: count }, (_, i): Bin => ({ from: first + i * width, to: first + (i + 1) * width, count: 0 }));
  for (const value of sorted) {
    const bin = out[Math.floor((value - first) / width)];
    if (bin) bin.count += 1;
  }
  return out;
}

/** 1, 2, 5 or 10 times a power of ten, not below `rough`. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((s) => s * power >= rough) ?? 10;
  return step * power;
}

export type Dot = { x: number; stack: number; late: boolean };

/** One dot for each, stacked where they share a place; `x` from 0 to 1. */
export function dots(seconds: readonly number[], end: number, columns: number, late: number): Dot[] {
  const heights = new Map<number, number>();
  return [...seconds]
    .sort((a, b) => a - b)
    .map((s) => {
      const column = Math.min(columns - 1, Math.floor((s / end) * columns));
      const stack = heights.get(column) ?? 0;
      heights.set(column, stack + 1);
      return { x: (column + 0.5) / columns, stack, late: s > late };
    });
}
