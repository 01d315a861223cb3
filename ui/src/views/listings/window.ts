// Which rows of a long list are on screen. Heights are fixed, so this is arithmetic.

import type { ListingRow } from '../../backend/bindings';
import { daysBetween } from '../../texts/format';

export const ROW = 80;
export const DAY = 32;
/** Rows kept ready above and below. */
const SPARE = 6;

export type Item = { kind: 'row'; top: number; row: ListingRow; index: number } | { kind: 'day'; top: number; days: number; at: number };

/** Rows with a day's name before the first of each day, each at its place. */
export function lay(rows: readonly ListingRow[], byDay: boolean, now: number): { items: Item[]; height: number } {
  const items: Item[] = [];
  let top = 0;
  let last = Number.NaN;
  rows.forEach((row, index) => {
    if (byDay) {
      const days = Math.max(0, daysBetween(row.first_seen, now));
      if (days !== last) {
        items.push({ kind: 'day', top, days, at: row.first_seen });
        top += DAY;
        last = days;
      }
    }
    items.push({ kind: 'row', top, row, index });
    top += ROW;
  });
  return { items, height: top };
}

/** The slice of items between two heights, found by halving. */
export function visible(items: readonly Item[], from: number, to: number): Item[] {
  const first = Math.max(0, lower(items, from) - SPARE);
  return items.slice(first, lower(items, to) + SPARE);
}

function lower(items: readonly Item[], top: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.top ?? 0) < top) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
