// Many addresses pasted at once: each is looked at in turn, and the engine keeps the gap between them.

import type { Preview } from '../../backend/bindings';
import { refusal } from '../../backend/door';
import { app } from '../../state/app.svelte';
import { errorText } from '../../texts/errors';
import { DEFAULT_INTERVAL_MS, hostOf } from './add.svelte';

export type Line = {
  url: string;
  state: { kind: 'waiting' } | { kind: 'reading' } | { kind: 'looked'; preview: Preview } | { kind: 'failed'; text: string } | { kind: 'added' };
};

const LONGEST_GAP_MS = 20_000;

export class ManyForm {
  lines = $state.raw<Line[]>([]);
  busy = $state(false);
  #stopped = false;

  constructor(urls: string[]) {
    this.lines = urls.map((url) => ({ url, state: { kind: 'waiting' } }));
  }

  get usable(): Line[] {
    return this.lines.filter((line) => line.state.kind === 'looked' && line.state.preview.kind !== 'refused');
  }

  get looking(): boolean {
    return this.lines.some((line) => line.state.kind === 'waiting' || line.state.kind === 'reading');
  }

  stop(): void {
    this.#stopped = true;
  }

  async look(): Promise<void> {
    for (const { url } of this.lines) {
      if (this.#stopped) return;
      this.#set(url, { kind: 'reading' });
      this.#set(url, await this.#one(url));
    }
  }

  async #one(url: string): Promise<Line['state']> {
    try {
      let preview = await app.backend.call('preview', { url, choice: null });
      if (preview.kind === 'refused' && preview.why.kind === 'not_before') {
        const gap = preview.why.at - Date.now();
        if (gap > LONGEST_GAP_MS) return { kind: 'looked', preview };
        await new Promise((done) => setTimeout(done, Math.max(0, gap)));
        if (this.#stopped) return { kind: 'waiting' };
        preview = await app.backend.call('preview', { url, choice: null });
      }
      return { kind: 'looked', preview };
    } catch (thrown) {
      return { kind: 'failed', text: errorText(refusal(thrown).body) };
    }
  }

  /** Adds all that can be added; the largest list is taken where there are several. */
  async save(): Promise<number> {
    this.busy = true;
    let added = 0;
    for (const line of this.usable) {
      const preview = line.state.kind === 'looked' ? line.state.preview : null;
      if (!preview || preview.kind === 'refused') continue;
      const choice = preview.kind === 'unsure' ? (preview.lists[0]?.index ?? null) : null;
      const done = await app.ask('add_search', {
        url: line.url, name: preview.name.trim() || hostOf(line.url), choice, enabled: true, send_current: false, reader: 'auto', interval_ms: DEFAULT_INTERVAL_MS,
        filters: { min_price: null, max_price: null, min_size: null, min_rooms: null, want_words: [], exclude_words: [], hide_let: true },
        alerts: { new: true, price_drops: true, relisted: true, pace: 'instant', quiet: app.settings?.quiet ?? null },
      });
      if (!done) break;
      added += 1;
      this.#set(line.url, { kind: 'added' });
    }
    this.busy = false;
    return added;
  }

  #set(url: string, state: Line['state']): void {
    this.lines = this.lines.map((line) => (line.url === url ? { url, state } : line));
  }
}
