// The scripted double: everything the window can ask, answered in memory, and a board that lives.
// `?scene=` chooses how it begins, `&still` stops its life, `&homes=` says how many listings there are.

import type { Board, ErrorCode, ListingRow, MailAccountShown, MenuPick, Settings, StatusEvent } from '../bindings';
import { Refused, type ArgsOf, type Backend, type CommandName, type ReplyOf } from '../door';
import { joined, M, row, S, waiting, answering } from './board';
import { FakeChannels } from './channels';
import { FakeData } from './data';
import { download } from '../download';
import { homes, page } from './homes';
import { settled, step } from './life';
import { preview, wouldShow } from './previews';
import { FakePrograms } from './programs';
import { ABOUT, ACCOUNT, deliveries, guess, insight, SETTINGS, tested } from './rest';
import { scene, sceneOf } from './scenes';

const photos = import.meta.glob<string>('./photos/*.svg', { query: '?url', import: 'default', eager: true });

type Handlers = { [K in CommandName]: (args: ArgsOf<K>) => ReplyOf<K> };

const DELAY_MS: Partial<Record<CommandName, number>> = { preview: 500, test_mail: 600, guess_mail: 150 };
/** How long a photo that comes late is away. */
const LATE_MS = 30_000;

function no(code: ErrorCode, args: Record<string, string> = {}): never {
  throw new Refused({ code, args });
}

class FakeEngine {
  board: Board;
  all: ListingRow[];
  settings: Settings;
  account: MailAccountShown | null;
  channels: FakeChannels;
  data: FakeData;
  programs: FakePrograms;
  watchers = new Set<(event: StatusEvent) => void>();
  readonly quick: boolean;
  readonly late: boolean;

  constructor(query: URLSearchParams) {
    const now = Date.now();
    const name = sceneOf(query.get('scene'));
    this.board = scene(name, now);
    this.all = name === 'welcome' ? [] : homes(Number(query.get('homes') ?? 412), now);
    const language = query.get('lang');
    const theme = query.get('theme');
    this.settings = {
      ...SETTINGS, language: language === 'nl' || language === 'de' || language === 'en' ? language : SETTINGS.language,
      theme: theme === 'light' || theme === 'dark' ? theme : 'system', start_with_system: name !== 'welcome',
    };
    this.channels = new FakeChannels(name === 'held', now);
    this.data = new FakeData(now);
    this.programs = new FakePrograms(name === 'rare', now);
    if (name === 'rare') this.settings = { ...this.settings, local_api: true };
    this.account = this.board.facts.mail.kind === 'folder' ? null : ACCOUNT;
    this.quick = query.has('still');
    this.late = query.get('photos') === 'late';
    if (!this.quick) setInterval(() => this.become(step(this.board, Date.now())), S);
  }

  /** Photos are there at once, or (`&photos=late`) when they were asked for a while ago. */
  photo(key: string): string | null {
    const src = photos[`./photos/${key}.svg`] ?? null;
    if (src === null || !this.late || this.board.facts.photos.includes(key)) return src;
    setTimeout(() => this.become({ ...this.board, facts: { ...this.board.facts, photos: [...this.board.facts.photos, key] } }), LATE_MS);
    return null;
  }

  /** Tells the watchers what differs from before. */
  become(next: Board): void {
    const before = this.board;
    if (next === before) return;
    this.board = next;
    const rows = next.rows.filter((r) => !before.rows.includes(r));
    const hosts = next.hosts.filter((h) => !before.hosts.includes(h));
    const removed_rows = before.rows.filter((r) => !next.rows.some((n) => n.id === r.id)).map((r) => r.id);
    const removed_hosts = before.hosts.filter((h) => !next.hosts.some((n) => n.host === h.host)).map((h) => h.host);
    const event: StatusEvent = { kind: 'changed', app: next.app, facts: next.facts, rows, hosts, removed_rows, removed_hosts };
    for (const watcher of this.watchers) watcher(event);
  }

  rows(change: (r: Board['rows'][number]) => Board['rows'][number]): void {
    this.become(settled({ ...this.board, rows: this.board.rows.map(change) }, Date.now()));
  }

  known(id: number): Board['rows'][number] {
    return this.board.rows.find((r) => r.id === id) ?? no('not_found');
  }

  check(id: number): void {
    const now = Date.now();
    const { host } = this.known(id);
    const waits = this.board.hosts.find((card) => card.host === host)?.state.kind === 'waits';
    if (!waits) return this.rows((r) => (r.id === id ? { ...r, state: { kind: 'checking', since: now } } : r));
    this.board = { ...this.board, hosts: this.board.hosts.map((card) => (card.host === host && card.state.kind === 'waits' ? { ...card, state: { kind: 'probing', since: card.state.since } } : card)) };
    this.rows((r) => (r.host === host && r.enabled ? { ...r, retry: { kind: 'none' }, state: { kind: 'probing', host, since: now, turn: r.id === id ? 'first' : 'waits' } } : r));
    const card = this.board.hosts.find((c) => c.host === host);
    if (card) this.become({ ...this.board, hosts: this.board.hosts.map((c) => (c === card ? { ...card } : c)) });
  }

  add(name: string, url: string, rest: Partial<Board['rows'][number]>): number {
    const now = Date.now();
    const id = Math.max(0, ...this.board.rows.map((r) => r.id)) + 1;
    const host = new URL(url).hostname.replace(/^www\./, '');
    const fresh = { ...row(id, name, host, { kind: 'checking', since: now }, now, { checks: [], last_answer_at: null, last_listings: 24 }), ...rest, url };
    const card = this.board.hosts.find((c) => c.host === host) ?? {
      host, searches: 0, state: { kind: 'answers' as const, next_at: null }, retry: { kind: 'none' as const }, last_answer_at: null, has_session: false, can_open_site: false,
    };
    const hosts = this.board.hosts.some((c) => c.host === host) ? this.board.hosts : [...this.board.hosts, card];
    this.become(settled({ ...this.board, rows: [...this.board.rows, fresh], hosts }, now));
    return id;
  }

  readonly answer: Handlers = {
    get_board: () => this.board,
    get_about: () => ABOUT,
    preview: ({ url, choice }) => preview(url, choice, this.board.rows, this.board.facts.max_searches, Date.now()),
    would_show: wouldShow,
    add_search: (wanted) => {
      if (wanted.enabled && this.board.facts.enabled_searches >= this.board.facts.max_searches) no('too_many', { max: '15' });
      const state = wanted.enabled ? { kind: 'checking' as const, since: Date.now() } : { kind: 'paused' as const };
      return { id: this.add(wanted.name || 'Search', wanted.url, { filters: wanted.filters, alerts: wanted.alerts, interval_ms: wanted.interval_ms, enabled: wanted.enabled, state }) };
    },
    edit_search: ({ id, ...rest }) => (this.known(id), this.rows((r) => (r.id === id ? { ...r, ...rest } : r)), {}),
    delete_search: ({ id }) => (this.known(id), this.become(settled({ ...this.board, rows: this.board.rows.filter((r) => r.id !== id) }, Date.now())), {}),
    set_enabled: ({ id, on }) => {
      this.known(id);
      if (on && this.board.facts.enabled_searches >= this.board.facts.max_searches) no('too_many', { max: '15' });
      this.rows((r) => (r.id === id ? { ...r, enabled: on, retry: { kind: 'none' }, state: on ? { kind: 'queued' } : { kind: 'paused' } } : r));
      return {};
    },
    set_muted: ({ id, on }) => (this.known(id), this.rows((r) => (r.id === id ? { ...r, muted: on } : r)), {}),
    retry_now: ({ id }) => (this.check(id), {}),
    check_now: ({ id }) => (this.check(id), {}),
    send_current: ({ id }) => (this.known(id), {}),
    start: () => {
      this.board = { ...this.board, app: { kind: 'idle', waiting: 0, next_at: null } };
      this.rows((r) => (r.state.kind === 'stopped' ? { ...r, state: { kind: 'queued' } } : r));
      return {};
    },
    stop: () => {
      this.board = { ...this.board, app: { kind: 'stopped', why: 'user', since: Date.now() } };
      this.rows((r) => (r.enabled ? { ...r, retry: { kind: 'none' }, state: { kind: 'stopped' } } : r));
      return {};
    },
    clear_session: ({ host }) => (this.become({ ...this.board, hosts: this.board.hosts.map((card) => (card.host === host ? { ...card, has_session: false } : card)) }), {}),
    list_listings: (query) => page(this.all, query),
    mark_listing: ({ id, read, starred, hidden, note }) => {
      this.all = this.all.map((h) => (h.id === id ? { ...h, unread: read === null ? h.unread : !read, starred: starred ?? h.starred, hidden: hidden ?? h.hidden, note: note ?? h.note } : h));
      this.recount();
      return {};
    },
    mark_all_read: () => {
      this.all = this.all.map((h) => ({ ...h, unread: false }));
      this.rows((r) => (r.unread ? { ...r, unread: 0 } : r));
      return {};
    },
    dismiss_away: () => (this.become({ ...this.board, facts: { ...this.board.facts, away: null } }), {}),
    insight: ({ search }) => insight(search, Date.now()),
    list_deliveries: () => (this.board.rows.length ? deliveries(Date.now()) : []),
    send_again: () => ({}),
    get_settings: () => this.settings,
    put_settings: (settings) => ((this.settings = settings), this.channels.desktop(settings.desktop_notifications), {}),
    guess_mail: ({ address }) => (/^\S+@\S+\.\S+$/.test(address) ? guess(address) : no('bad_email')),
    get_mail: () => this.account,
    put_mail: ({ password, token, ...rest }) => {
      const typed = token ? token.refresh_token : password;
      const shown = token && { token_url: token.token_url, client_id: token.client_id, has_client_secret: token.has_client_secret };
      this.account = { ...rest, token: shown, has_secret: typed !== null || (this.account?.has_secret ?? false) };
      this.become({ ...this.board, facts: { ...this.board.facts, banners: [], mail: { kind: 'works', address: rest.from, last_accepted: Date.now() } } });
      return {};
    },
    forget_mail: () => {
      this.account = null;
      this.become({ ...this.board, facts: { ...this.board.facts, mail: { kind: 'folder', folder: ABOUT.mail_folder, last: null } } });
      return {};
    },
    test_mail: tested,
    list_channels: () => this.channels.all,
    put_channel: (wish) => (this.channels.put(wish), {}),
    remove_channel: ({ name }) => (this.channels.remove(name), {}),
    get_data: () => ({ listings: this.all.length, bytes: 38_400_000, backups: this.data.backups }),
    back_up: () => this.data.backUp(Date.now()),
    restore: ({ name }) => {
      if (name.includes('before-migration')) no('bad_backup');
      this.data.backUp(Date.now());
      this.become(settled({ ...this.board, rows: this.board.rows.slice(0, 1) }, Date.now()));
      return {};
    },
    export: ({ what }) => this.data.file(what, this.all, this.board.rows),
    import_searches: ({ text }) => this.data.bring(text, this.board, (name, url, enabled) => this.add(name, url, { enabled, state: enabled ? { kind: 'queued' } : { kind: 'paused' } })) ?? no('bad_import', { entry: '2' }),
    get_api: () => this.programs.shown(this.settings),
    add_client: (wanted) => this.programs.add(wanted),
    edit_client: (wanted) => (this.programs.has(wanted.id) ? (this.programs.change(wanted), {}) : no('not_found')),
    revoke_client: ({ id }) => (this.programs.has(id) ? (this.programs.revoke(id), this.calm(), {}) : no('not_found')),
    let_client_in: ({ id }) => (this.programs.has(id) ? (this.programs.letIn(id), this.calm(), {}) : no('not_found')),
    test_channel: ({ name }) => this.channels.test(name) ?? no('not_found'),
  };

  /** No program is said to ask too much any more. */
  calm(): void {
    this.become({ ...this.board, facts: { ...this.board.facts, banners: this.board.facts.banners.filter((banner) => banner.kind !== 'client_limited') } });
  }

  recount(): void {
    const unread = this.all.filter((h) => h.unread && !h.hidden).length;
    this.become({ ...this.board, facts: { ...this.board.facts, unread } });
  }

  street(): void {
    const now = Date.now();
    const part = joined(answering(now), waiting(now, 20 * S, null));
    this.all = homes(9, now - 2 * M);
    this.become(settled({ ...this.board, rows: part.rows, hosts: part.hosts }, now));
  }
}

export function fake(query: URLSearchParams): Backend {
  const engine = new FakeEngine(query);
  const later = (ms: number) => new Promise((done) => setTimeout(done, engine.quick ? 0 : ms));
  return {
    kind: 'fake',
    async call<K extends CommandName>(name: K, args: ArgsOf<K>): Promise<ReplyOf<K>> {
      await later(DELAY_MS[name] ?? 0);
      // What crosses a wire is a copy.
      return structuredClone(engine.answer[name](JSON.parse(JSON.stringify(args))));
    },
    watchStatus(onEvent) {
      engine.watchers.add(onEvent);
      onEvent({ kind: 'snapshot', board: engine.board });
      return () => engine.watchers.delete(onEvent);
    },
    watchLink(onLink) {
      onLink({ kind: 'up' });
      return () => {};
    },
    watchMenu(onPick) {
      const heard = (event: Event) => onPick((event as CustomEvent<MenuPick>).detail);
      window.addEventListener('fake-menu', heard);
      return () => window.removeEventListener('fake-menu', heard);
    },
    async openSite(search) {
      const { host } = engine.known(search);
      engine.become({ ...engine.board, hosts: engine.board.hosts.map((card) => (card.host === host ? { ...card, retry: { kind: 'none' as const }, state: { kind: 'site_open', since: Date.now() } } : card)) });
    },
    async openExternal(url) {
      document.documentElement.dataset.opened = url;
    },
    async tryStreet() {
      await later(600);
      engine.street();
    },
    async saveFile(what) {
      download(engine.answer.export({ what }));
      return '';
    },
    async openFolder() {
      document.documentElement.dataset.opened = ABOUT.data_folder;
    },
    loadPhoto: async (key) => engine.photo(key),
  };
}
