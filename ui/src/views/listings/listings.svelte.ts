// The listings that are loaded, page by page, and the little marks that people put on them.

import type { ListingOnly, ListingRow, ListingSort, MarkListing } from '../../backend/bindings';
import { app } from '../../state/app.svelte';

const PAGE = 100;

export type Wanted = { search: number | null; text: string; only: ListingOnly; sort: ListingSort };

export class Listings {
  rows = $state.raw<ListingRow[]>([]);
  total = $state(0);
  unread = $state(0);
  loading = $state(false);
  /** The first page is here. */
  ready = $state(false);
  wanted = $state.raw<Wanted>({ search: null, text: '', only: 'all', sort: 'newest' });
  #next: string | null = null;
  #turn = 0;

  async want(part: Partial<Wanted>): Promise<void> {
    this.wanted = { ...this.wanted, ...part };
    await this.reload();
  }

  async reload(): Promise<void> {
    const turn = ++this.#turn;
    this.loading = true;
    const page = await app.ask('list_listings', { ...this.wanted, cursor: null, limit: PAGE });
    if (turn !== this.#turn) return;
    this.loading = false;
    this.ready = true;
    if (!page) return;
    this.rows = page.rows;
    this.#next = page.next;
    this.total = page.total;
    this.unread = page.unread;
  }

  async more(): Promise<void> {
    if (this.loading || this.#next === null) return;
    const turn = this.#turn;
    this.loading = true;
    const page = await app.ask('list_listings', { ...this.wanted, cursor: this.#next, limit: PAGE });
    if (turn !== this.#turn) return;
    this.loading = false;
    if (!page) return;
    const have = new Set(this.rows.map((row) => row.id));
    this.rows = [...this.rows, ...page.rows.filter((row) => !have.has(row.id))];
    this.#next = page.next;
  }

  /** Shown at once; taken back when the engine refuses. */
  async mark(row: ListingRow, part: Partial<Omit<MarkListing, 'id'>>): Promise<void> {
    const unread = part.read === undefined || part.read === null ? row.unread : !part.read;
    this.#put({ ...row, unread, starred: part.starred ?? row.starred, hidden: part.hidden ?? row.hidden, note: part.note ?? row.note });
    const done = await app.ask('mark_listing', { id: row.id, read: null, starred: null, hidden: null, note: null, ...part });
    if (done === null) this.#put(row);
  }

  /** Out of the list, as hiding does; it can be shown again. */
  drop(row: ListingRow): void {
    this.rows = this.rows.filter((other) => other.id !== row.id);
    this.total = Math.max(0, this.total - 1);
  }

  async allRead(): Promise<void> {
    if ((await app.ask('mark_all_read', {})) !== null) await this.reload();
  }

  #put(row: ListingRow): void {
    this.rows = this.rows.map((other) => (other.id === row.id ? row : other));
  }
}
