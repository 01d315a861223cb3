// The form that adds or changes a search: what was pasted, what was found there, what is wanted of it.

import type { AlertChoices, CandidateList, Filters, Found, Preview, PreviewRefusal, QuietHours, Reader, SearchRow, WouldShow } from '../../backend/bindings';
import { refusal } from '../../backend/door';
import { app } from '../../state/app.svelte';
import { errorText } from '../../texts/errors';
import { shortHost } from '../../texts/host';
import { valueOf } from './numbers';

export const DEFAULT_INTERVAL_MS = 90_000;

/** A name where the page has none to offer. */
export function hostOf(url: string): string {
  try {
    return shortHost(new URL(url.trim()).hostname);
  } catch {
    return url.trim();
  }
}

export type Look =
  | { kind: 'nothing' }
  | { kind: 'reading' }
  | { kind: 'found'; found: Found }
  | { kind: 'unsure'; lists: CandidateList[]; chosen: number | null; found: Found | null }
  | { kind: 'refused'; why: PreviewRefusal }
  | { kind: 'failed'; text: string };

/** What was typed for a new search stays until it is saved, also when the window shows something else meanwhile. */
export const drafts: { form: SearchForm | null } = { form: null };

export class SearchForm {
  url = $state('');
  look = $state.raw<Look>({ kind: 'nothing' });
  name = $state('');
  low = $state('');
  high = $state('');
  size = $state('');
  rooms = $state('');
  want = $state.raw<string[]>([]);
  not = $state.raw<string[]>([]);
  hideLet = $state(true);
  tellNew = $state(true);
  tellDrops = $state(true);
  tellRelisted = $state(true);
  pace = $state<AlertChoices['pace']>('instant');
  quiet = $state.raw<QuietHours | null>(null);
  interval = $state(DEFAULT_INTERVAL_MS);
  reader = $state<Reader>('auto');
  sendCurrent = $state(false);
  would = $state.raw<WouldShow | null>(null);
  saving = $state(false);
  #suggested = '';
  /** The address that `look` is about. */
  #looked = '';
  #turn = 0;

  readonly row: SearchRow | null;

  constructor(row: SearchRow | null) {
    this.row = row;
    if (!row) {
      this.quiet = app.settings?.quiet ?? null;
      return;
    }
    this.url = this.#looked = row.url;
    this.name = row.name;
    const text = (n: number | null) => (n === null ? '' : String(n));
    this.low = text(row.filters.min_price);
    this.high = text(row.filters.max_price);
    this.size = text(row.filters.min_size);
    this.rooms = text(row.filters.min_rooms);
    this.want = row.filters.want_words;
    this.not = row.filters.exclude_words;
    this.hideLet = row.filters.hide_let;
    this.tellNew = row.alerts.new;
    this.tellDrops = row.alerts.price_drops;
    this.tellRelisted = row.alerts.relisted;
    this.pace = row.alerts.pace;
    this.quiet = row.alerts.quiet;
    this.interval = row.interval_ms;
    this.reader = row.reader;
  }

  get filters(): Filters {
    return {
      min_price: valueOf(this.low), max_price: valueOf(this.high), min_size: valueOf(this.size), min_rooms: valueOf(this.rooms),
      want_words: this.want, exclude_words: this.not, hide_let: this.hideLet,
    };
  }

  get alerts(): AlertChoices {
    return { new: this.tellNew, price_drops: this.tellDrops, relisted: this.tellRelisted, pace: this.pace, quiet: this.quiet };
  }

  get found(): Found | null {
    return this.look.kind === 'found' ? this.look.found : this.look.kind === 'unsure' ? this.look.found : null;
  }

  /** Saved paused, because fifteen run already. */
  get onlyPaused(): boolean {
    return this.look.kind === 'refused' && this.look.why.kind === 'sixteenth';
  }

  /** What cannot be read now may still be watched: it waits like any other. */
  get canSave(): boolean {
    if (this.row && this.url.trim() === this.row.url) return this.name.trim() !== '';
    switch (this.look.kind) {
      case 'found':
        return true;
      case 'unsure':
        return this.look.chosen !== null && this.look.found !== null;
      case 'refused':
        return ['wall', 'dead', 'not_before', 'sixteenth'].includes(this.look.why.kind) || (this.look.why.kind === 'no_list' && this.look.why.empty);
      case 'nothing':
      case 'reading':
      case 'failed':
        return false;
    }
  }

  /** Asks the page once for each new address; `again` also for the same one, when it could not be read. */
  async read(again = false): Promise<void> {
    const address = this.url.trim();
    const failed = this.look.kind === 'refused' || this.look.kind === 'failed';
    if (address === '' || (address === this.#looked && !(again && failed))) return;
    this.url = address;
    await this.#ask(address, null);
  }

  async choose(index: number): Promise<void> {
    if (this.look.kind !== 'unsure') return;
    this.look = { ...this.look, chosen: index, found: null };
    await this.#ask(this.url.trim(), index);
  }

  async #ask(url: string, choice: number | null): Promise<void> {
    const turn = ++this.#turn;
    this.#looked = url;
    const before = this.look;
    if (choice === null) {
      this.look = { kind: 'reading' };
      this.would = null;
    }
    try {
      const preview = await app.backend.call('preview', { url, choice });
      if (turn === this.#turn) this.#took(preview, before, choice);
    } catch (thrown) {
      if (turn === this.#turn) this.look = { kind: 'failed', text: errorText(refusal(thrown).body) };
    }
  }

  #took(preview: Preview, before: Look, choice: number | null): void {
    if (preview.kind === 'refused') {
      this.look = { kind: 'refused', why: preview.why };
      return;
    }
    // A name that nobody typed follows the page; one that somebody typed stays.
    if (!this.row && (this.name.trim() === '' || this.name === this.#suggested)) this.name = this.#suggested = preview.name.trim() || hostOf(this.url);
    if (preview.kind === 'unsure') {
      this.look = { kind: 'unsure', lists: preview.lists, chosen: null, found: null };
      const [first] = preview.lists;
      if (first) void this.choose(first.index);
      return;
    }
    this.look = choice !== null && before.kind === 'unsure' ? { ...before, chosen: choice, found: preview } : { kind: 'found', found: preview };
    void this.ask_would();
  }

  /** "Would have shown 9 of the 24", with the filters of now. */
  async ask_would(): Promise<void> {
    const found = this.found;
    if (!found) return;
    const turn = this.#turn;
    const would = await app.ask('would_show', { filters: this.filters, listings: found.all });
    if (turn === this.#turn && would) this.would = would;
  }

  /** The id of the search, or `null` when it was refused (and said so). */
  async save(): Promise<number | null> {
    if (!this.canSave || this.saving) return null;
    this.saving = true;
    const common = {
      url: this.url.trim(), name: this.name.trim() || hostOf(this.url), filters: this.filters, alerts: this.alerts, interval_ms: this.interval, reader: this.reader,
    };
    try {
      if (this.row) {
        const done = await app.ask('edit_search', { ...common, id: this.row.id, muted: this.row.muted });
        return done === null ? null : this.row.id;
      }
      const choice = this.look.kind === 'unsure' ? this.look.chosen : null;
      const added = await app.ask('add_search', { ...common, enabled: !this.onlyPaused, choice, send_current: this.sendCurrent });
      if (added) drafts.form = null;
      return added?.id ?? null;
    } finally {
      this.saving = false;
    }
  }
}
