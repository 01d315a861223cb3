// A listing read aloud, in one sentence.

import type { ListingRow } from '../../backend/bindings';
import { dayAndTime, periodText, priceText, sizeLine } from '../../texts/format';
import { t, type Key } from '../../texts/t';

export function listingSentence(row: ListingRow, names: string[], now: number): string {
  const { card } = row;
  return [
    row.unread ? t('listing_unread') : null,
    card.title ?? card.address ?? t('listing_untitled'),
    card.price ? `${priceText(card.price)} ${periodText(card)}` : t('listing_no_price'),
    sizeLine(card) || null,
    card.title && card.title !== card.address ? card.address : null,
    row.gone_at === null ? null : t('listing_gone', { time: dayAndTime(row.gone_at, now) }),
    row.news && row.news !== 'new' ? t(`news_${row.news}` as Key) : null,
    t('listing_seen', { time: dayAndTime(row.first_seen, now) }),
    row.starred ? t('listing_starred') : null,
    row.note || null,
    names.join(', ') || null,
  ].filter((part) => part !== null).join('. ');
}
