// What the whole window shares: the door, the board, the settings, and what is said aloud.

import type { About, Board, HostCard, SearchRow, Settings } from '../backend/bindings';
import { refusal, type ArgsOf, type Backend, type CommandName, type Link, type ReplyOf } from '../backend/door';
import { locale } from '../texts/locale.svelte';
import { errorText } from '../texts/errors';
import { notices } from './notices.svelte';
import { reduce } from './reduce';

const THEME_KEY = 'firstknock-theme';

class App {
  backend!: Backend;
  board = $state.raw<Board | null>(null);
  settings = $state.raw<Settings | null>(null);
  about = $state.raw<About | null>(null);
  link = $state.raw<Link>({ kind: 'up' });
  /** Language and theme are known (or cannot be had): the window may show itself. */
  ready = $state(false);

  /** Theme of the last run, so that the first frame is not the wrong one. */
  static themeBefore(): string {
    try {
      return localStorage.getItem(THEME_KEY) ?? '';
    } catch {
      return '';
    }
  }

  start(backend: Backend): () => void {
    this.backend = backend;
    const unwatch = backend.watchStatus((event) => (this.board = reduce(this.board, event)));
    const unlink = backend.watchLink((link) => (this.link = link));
    void this.#load();
    return () => {
      unwatch();
      unlink();
    };
  }

  /** What the engine holds is another thing now. */
  async reload(): Promise<void> {
    await this.#load();
  }

  async #load(): Promise<void> {
    const [settings, about] = await Promise.all([this.ask('get_settings', {}), this.ask('get_about', {})]);
    if (settings) this.#took(settings);
    this.about = about;
    this.ready = true;
  }

  #took(settings: Settings): void {
    this.settings = settings;
    locale.choose(settings.language);
    const theme = settings.theme === 'system' ? '' : settings.theme;
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // A window without storage asks the engine at each start.
    }
  }

  async change(part: Partial<Settings>): Promise<void> {
    if (!this.settings) return;
    const before = this.settings;
    const next = { ...before, ...part };
    this.#took(next);
    if ((await this.ask('put_settings', next)) === null) this.#took(before);
  }

  /** Does a command; a refusal is said aloud and answered with `null`. */
  async ask<K extends CommandName>(name: K, args: ArgsOf<K>): Promise<ReplyOf<K> | null> {
    return this.hear(() => this.backend.call(name, args));
  }

  async hear<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (thrown) {
      notices.tell(errorText(refusal(thrown).body));
      return null;
    }
  }

  row(id: number): SearchRow | undefined {
    return this.board?.rows.find((row) => row.id === id);
  }

  host(name: string): HostCard | undefined {
    return this.board?.hosts.find((card) => card.host === name);
  }
}

export { App };
export const app = new App();
