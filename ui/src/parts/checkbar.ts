// Shapes and words of the bar of checks. One path per kind of mark keeps forty marks at a few nodes.

import type { CheckMark } from '../backend/bindings';
import { list } from '../texts/format';
import { t, type Key } from '../texts/t';

export const SHOWN = 40;

/** Top and height of a mark in a bar 22 high. */
const SHAPE: Record<CheckMark, readonly [number, number]> = {
  news: [2, 12],
  answered: [5, 9],
  empty: [10, 4],
  refused: [15, 7],
  failed: [15, 3],
  not_asked: [14, 1],
};

export function checkPath(checks: readonly CheckMark[], mark: CheckMark): string {
  const last = checks.slice(-SHOWN);
  const shift = SHOWN - last.length;
  const [y, height] = SHAPE[mark];
  return last.map((m, i) => (m === mark ? `M${(i + shift) * 3} ${y}h2v${height}h-2z` : '')).join('');
}

export function checkWords(checks: readonly CheckMark[]): string {
  const last = checks.slice(-SHOWN);
  if (last.length === 0) return t('bar_none');
  const count = (mark: CheckMark) => last.filter((m) => m === mark).length;
  const answered = count('answered') + count('news') + count('empty');
  const parts: string[] = [];
  if (answered > 0) parts.push(t('bar_answered', { n: answered }));
  for (const mark of ['news', 'empty', 'refused', 'failed', 'not_asked'] as const) {
    if (count(mark) > 0) parts.push(t(`bar_${mark}` as Key, { n: count(mark) }));
  }
  return t('bar_label', { n: last.length, list: list(parts) });
}
