// The filters of a search in one short line.

import type { Filters, SearchRow } from '../../backend/bindings';
import { list, money, number } from '../../texts/format';
import { t } from '../../texts/t';
import { everyText } from './hostwords';

export function filterLine(filters: Filters): string {
  const parts: string[] = [];
  const { min_price: low, max_price: high } = filters;
  if (low !== null && high !== null) parts.push(`${money(low)} – ${money(high)}`);
  else if (high !== null) parts.push(t('filter_to', { price: money(high) }));
  else if (low !== null) parts.push(t('filter_from', { price: money(low) }));
  if (filters.min_rooms !== null) parts.push(t('filter_rooms', { n: filters.min_rooms }));
  if (filters.min_size !== null) parts.push(t('filter_size', { size: `${number(filters.min_size, 1)} m²` }));
  if (filters.want_words.length) parts.push(t('filter_want', { words: list(filters.want_words.map(quoted)) }));
  if (filters.exclude_words.length) parts.push(t('filter_not', { words: list(filters.exclude_words.map(quoted)) }));
  return parts.join(' · ');
}

export function whyLine(row: SearchRow): string {
  const filters = filterLine(row.filters) || t('filter_none');
  return row.stretched ? `${filters} · ${t('row_stretched', { wait: everyText(row.interval_used_ms[1]) })}` : filters;
}

function quoted(word: string): string {
  return t('quoted', { word });
}
