// Made-up listings, as many as asked for, the same for the same number.

import type { ListingCard, ListingPage, ListingQuery, ListingRow, News, PriceKind } from '../bindings';
import { H, M } from './board';

type Seed = [title: string, address: string, price: number | null, kind: PriceKind | null, size: number, rooms: number, photo: string, searches: number[]];

const SEEDS: Seed[] = [
  ['Zonnige kamer met balkon, vrij per 1 januari', 'Utrecht, Lombok · Vlierlaantje', 745, null, 18, 1, 'balcony', [1]],
  ['Tweekamerappartement aan de Oude Zeilmakersgang', 'Utrecht, Vogelenbuurt', 1150, null, 54, 2, 'canal', [4, 2]],
  ['Helles WG-Zimmer im Altbau, Dielenboden, Nachmieter gesucht', 'Münster, Kreuzviertel', 480, 'warm', 17, 1, 'desk', [8]],
  ['Bovenwoning met dakterras', 'Haarlem, Vijfhoek', 1425, null, 68, 3, 'sofa', [6]],
  ['Studio met eigen keuken en douche', 'Utrecht, Wittevrouwen', 690, null, 24, 1, 'kitchen', [2]],
  ['Zwei-Zimmer-Dachgeschosswohnung mit Einbauküche und Kellerabteil', 'Osnabrück, Wüste', 695, 'cold', 61, 2, 'attic', [10]],
  ['Hoekwoning met tuin en schuur', 'Amersfoort, Soesterkwartier', 1680, null, 92, 4, 'garden', [5]],
  ['Werkplaatsloft in oud schoolgebouw', 'Amersfoort, Eemkwartier', null, null, 70, 1, 'loft', [5]],
  ['Hoekappartement met balkon op het zuiden', 'Utrecht, Kanaleneiland', 1090, null, 48, 2, 'flats', [4]],
  ['Lichte bovenwoning met serre', 'Utrecht, Zuilen', 1245, null, 61, 3, 'sofa', [4]],
];

export const HOSTS: Record<number, string> = { 1: 'kamerhuis.example', 2: 'kamerhuis.example', 4: 'huurplein.example', 5: 'huurplein.example', 6: 'huurplein.example', 8: 'wg-boerse.example', 10: 'wohnblatt.example' };

export function card(i: number): ListingCard {
  const [title, address, price, kind, size, rooms, photo] = SEEDS[i % SEEDS.length]!;
  const amount = price === null ? null : price + Math.floor(i / SEEDS.length) % 9 * 15;
  return {
    title, address, size_m2: size, rooms, bedrooms: null, image: photo, url: `https://www.huurplein.example/woning/${i + 1}`, price_on_request: false,
    price: amount === null ? null : { amount, upper: null, currency: 'EUR', period: 'month', kind },
  };
}

const AGES = [27 * M, 49 * M, 78 * M, 3 * H, 3.5 * H, 21 * H, 23 * H, 29 * H];
const NEWS: (News | null)[] = ['new', 'price_drop', 'new', 'relisted', null, 'price_drop', null, null];

export function homes(count: number, now: number): ListingRow[] {
  return Array.from({ length: count }, (_, i) => {
    const seed = SEEDS[i % SEEDS.length]!;
    const age = AGES[i] ?? 29 * H + (i - 7) * 37 * M;
    const amount = card(i).price?.amount ?? 0;
    const moved = i === 1 ? [amount + 100, amount + 45, amount] : i === 5 ? [amount + 25, amount] : [];
    return {
      id: i + 1, card: card(i), host: HOSTS[seed[7][0]!] ?? 'huurplein.example', news: NEWS[i] ?? null, first_seen: now - age, last_seen: now - 12_000,
      gone_at: i === 4 ? now - age + 31 * M : i > 9 && i % 6 === 0 ? now - age + 4 * H : null, unread: i < 3, starred: i === 0 || i === 6, hidden: i === 8,
      note: i === 6 ? 'Bezichtiging za 11:00' : '', available_from: null, let_already: false,
      prices: moved.map((a, step) => ({ at: now - age - (moved.length - step) * 240 * H, amount: a })), searches: seed[7],
      seen_before: i === 3 ? { at: now - 87 * 24 * H, amount: 1375 } : null,
    };
  });
}

export function page(all: ListingRow[], query: ListingQuery): ListingPage {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = all.filter((row) => {
    if (query.only === 'hidden' ? !row.hidden : row.hidden) return false;
    if (query.only === 'unread' && !row.unread) return false;
    if (query.only === 'starred' && !row.starred) return false;
    if (query.only === 'gone' && row.gone_at === null) return false;
    if (query.search !== null && !row.searches.includes(query.search)) return false;
    const text = `${row.card.title} ${row.card.address} ${row.note}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const worth = (row: ListingRow) => row.card.price?.amount ?? Infinity;
  if (query.sort === 'cheapest') fits.sort((a, b) => worth(a) - worth(b));
  if (query.sort === 'largest') fits.sort((a, b) => (b.card.size_m2 ?? 0) - (a.card.size_m2 ?? 0));
  const from = Number(query.cursor ?? 0);
  const end = from + query.limit;
  return { rows: fits.slice(from, end), next: end < fits.length ? String(end) : null, total: fits.length, unread: all.filter((row) => row.unread && !row.hidden).length };
}
