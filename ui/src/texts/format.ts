// Numbers, money, times and dates, by Intl and in the language of now.

import type { ListingCard, Price } from '../backend/bindings';
import { locale } from './locale.svelte';
import { t, type Key } from './t';

const HALF_DAY_MS = 12 * 3_600_000;

const cache = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.ListFormat>();

function made<T extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.ListFormat>(key: string, make: (tag: string) => T): T {
  const whole = `${locale.tag} ${key}`;
  let found = cache.get(whole) as T | undefined;
  if (!found) cache.set(whole, (found = make(locale.tag)));
  return found;
}

function dated(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return made(key, (tag) => new Intl.DateTimeFormat(tag, options));
}

/** "14:18" */
export function clockTime(at: number): string {
  return dated('time', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

/** "14:18:05" */
export function clockSeconds(at: number): string {
  return dated('seconds', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(at);
}

/** "24 Nov", with the year when it is not this one. */
export function shortDate(at: number, now: number = Date.now()): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return sameYear
    ? dated('day', { day: 'numeric', month: 'short' }).format(at)
    : dated('dayYear', { day: 'numeric', month: 'short', year: 'numeric' }).format(at);
}

/** "1 October" */
export function longDate(at: number): string {
  return dated('longDay', { day: 'numeric', month: 'long' }).format(at);
}

/** The time today and within half a day, else the date: the shortest that cannot be mistaken. */
export function moment(at: number, now: number): string {
  return daysBetween(at, now) === 0 || Math.abs(now - at) < HALF_DAY_MS ? clockTime(at) : shortDate(at, now);
}

/** "Wed 17:20" within a week, else "3 Sep". */
export function dayAndTime(at: number, now: number): string {
  const days = daysBetween(at, now);
  if (days === 0) return clockTime(at);
  if (days > 0 && days < 7) {
    return `${dated('weekday', { weekday: 'short' }).format(at)} ${clockTime(at)}`;
  }
  return shortDate(at, now);
}

/** "Thu 26 Nov 03:10": a moment that has to be told from others of its kind. */
export function fullMoment(at: number): string {
  return `${dated('fullDay', { weekday: 'short', day: 'numeric', month: 'short' }).format(at)} ${clockTime(at)}`;
}

/** "38 MB", "612 kB" */
export function fileSize(bytes: number): string {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return made(`size ${unit}`, (tag) => new Intl.NumberFormat(tag, { style: 'unit', unit, maximumFractionDigits: 0 })).format(Math.max(1, size));
}

/** Whole calendar days from `at` to `now`, by this computer's zone. */
export function daysBetween(at: number, now: number): number {
  const day = (ms: number) => {
    const d = new Date(ms);
    return Date.UTC(d.getFullYear(), d.getMonth(), d.getDate()) / 86_400_000;
  };
  return day(now) - day(at);
}

/** Short names, Monday first. */
export function weekdays(form: 'short' | 'long' = 'short'): string[] {
  const name = dated(`wd ${form}`, { weekday: form, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, i) => name.format(Date.UTC(2024, 0, 1 + i)));
}

export function number(n: number, digits = 0): string {
  return made(`n${digits}`, (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: digits })).format(n);
}

export function list(parts: string[]): string {
  return made('list', (tag) => new Intl.ListFormat(tag, { type: 'conjunction' })).format(parts);
}

/** "€1,150": whole units unless there are cents. A currency that is not known is left out. */
export function money(amount: number, currency: string | null = 'EUR'): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  if (!currency) return number(amount, digits);
  try {
    return made(`money ${currency} ${digits}`, (tag) =>
      new Intl.NumberFormat(tag, {
        style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits, currencyDisplay: 'narrowSymbol',
      }),
    ).format(amount);
  } catch {
    return `${currency} ${number(amount, digits)}`;
  }
}

export function priceText(price: Price | null): string {
  if (!price) return t('listing_no_price');
  const low = money(price.amount, price.currency);
  return price.upper !== null && price.upper > price.amount ? `${low} – ${money(price.upper, price.currency)}` : low;
}

/** "warm", "kalt", "per month": what stands under a price. */
export function periodText(card: ListingCard): string {
  if (!card.price) return card.price_on_request ? t('listing_on_request') : t('listing_price_word');
  if (card.price.kind) return t(`listing_kind_${card.price.kind}` as Key);
  return t(`listing_per_${card.price.period ?? 'month'}` as Key);
}

export function area(m2: number | null): string | null {
  return m2 === null ? null : `${number(m2, 1)} m²`;
}

export function rooms(card: Pick<ListingCard, 'rooms' | 'bedrooms'>): string | null {
  if (card.rooms !== null) return t('listing_rooms', { n: card.rooms });
  if (card.bedrooms !== null) return t('listing_bedrooms', { n: card.bedrooms });
  return null;
}

export function sizeLine(card: ListingCard): string {
  return [area(card.size_m2), rooms(card)].filter((part) => part !== null).join(' · ');
}
