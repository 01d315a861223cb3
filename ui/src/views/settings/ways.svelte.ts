// The ways besides mail: what is set up, and the one that is being set up or changed.

import type { ChannelSetup, ChannelShown } from '../../backend/bindings';
import { refusal } from '../../backend/door';
import { app } from '../../state/app.svelte';
import { notices } from '../../state/notices.svelte';
import { errorText } from '../../texts/errors';
import { say, t } from '../../texts/t';

export type Kind = ChannelSetup['kind'];
/** What can be set up here; the desktop is there or it is not, and is only switched. */
export type AddedKind = Exclude<Kind, 'desktop'>;

/** As `https://ntfy.example/x` is spoken of: "ntfy.example". */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

export function isWeb(address: string): boolean {
  return /^https?:\/\/./i.test(address.trim()) && URL.canParse(address.trim());
}

/** A topic that nobody guesses: 125 random bits. */
export function randomTopic(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const bytes = crypto.getRandomValues(new Uint8Array(25));
  return `firstknock-${Array.from(bytes, (byte) => letters[byte % letters.length]).join('')}`;
}

/** What people call it: its kind and where it goes, short enough for a line of a list. */
export function wayName(setup: ChannelSetup): string {
  const kind = t(`channel_set_kind_${setup.kind}`);
  switch (setup.kind) {
    case 'desktop':
      return kind;
    case 'ntfy':
      return `${kind} · ${short(setup.topic)}`;
    case 'telegram':
      return `${kind} · ${short(setup.chat)}`;
    case 'webhook':
      return `${kind} · ${hostOf(setup.url)}`;
  }
}

/** The same for a name that the engine gave; one that is no longer set up is only its kind. */
export function channelName(name: string, known: ChannelShown[]): string {
  if (name === 'mail') return t('channel_mail');
  const way = known.find((it) => it.name === name);
  return way ? wayName(way.setup) : (say(`channel_set_kind_${name.replace(/-\d+$/, '')}`) ?? name);
}

/** Enough of a long random topic to know it again. */
function short(text: string): string {
  return text.length > 20 ? `${text.slice(0, 18)}…` : text;
}

/** The name that the engine knows a new way by: its kind, numbered from the second on. */
export function freeName(kind: AddedKind, taken: string[]): string {
  if (!taken.includes(kind)) return kind;
  let n = 2;
  while (taken.includes(`${kind}-${n}`)) n += 1;
  return `${kind}-${n}`;
}

class Ways {
  all = $state.raw<ChannelShown[] | null>(null);
  #leaving = $state.raw<string[]>([]);

  get shown(): ChannelShown[] {
    return (this.all ?? []).filter((way) => !this.#leaving.includes(way.name));
  }

  async load(): Promise<void> {
    const answer = await app.ask('list_channels', {});
    if (answer) this.all = answer;
  }

  /** The desktop's own switch stands in the settings too; both say the same. */
  async desktop(on: boolean): Promise<void> {
    this.all = (this.all ?? []).map((way) => (way.setup.kind === 'desktop' ? { ...way, enabled: on } : way));
    if (on && (await app.ask('put_channel', { name: 'desktop', setup: { kind: 'desktop' }, secret: null })) === null) return this.load();
    await app.change({ desktop_notifications: on });
    if (!on) await app.ask('remove_channel', { name: 'desktop' });
    await this.load();
  }

  /** Gone from the list at once, from the engine when nobody has taken it back. */
  remove(way: ChannelShown): void {
    const back = () => (this.#leaving = this.#leaving.filter((name) => name !== way.name));
    const finish = async () => {
      await app.ask('remove_channel', { name: way.name });
      await this.load();
      back();
    };
    notices.undoable(t('channel_set_removed', { name: wayName(way.setup) }), () => void finish(), back);
    this.#leaving = [...this.#leaving, way.name];
  }
}

export const ways = new Ways();

export class WayForm {
  readonly stored: ChannelShown | null;
  kind = $state<AddedKind>('ntfy');
  server = $state('https://ntfy.sh');
  topic = $state(randomTopic());
  withStreet = $state(false);
  chat = $state('');
  url = $state('');
  /** ntfy and webhooks do without a secret; Telegram does not. */
  wantsSecret = $state(false);
  secret = $state('');
  saving = $state(false);
  error = $state('');

  constructor(stored: ChannelShown | null) {
    this.stored = stored;
    const setup = stored?.setup;
    if (!setup || setup.kind === 'desktop') return;
    this.kind = setup.kind;
    switch (setup.kind) {
      case 'ntfy':
        this.server = setup.server;
        this.topic = setup.topic;
        this.withStreet = setup.with_street;
        this.wantsSecret = setup.has_token;
        break;
      case 'telegram':
        this.chat = setup.chat;
        break;
      case 'webhook':
        this.url = setup.url;
        this.wantsSecret = setup.signed;
        break;
    }
  }

  get setup(): ChannelSetup {
    switch (this.kind) {
      case 'ntfy':
        return { kind: 'ntfy', server: this.server.trim(), topic: this.topic.trim(), with_street: this.withStreet, has_token: this.wantsSecret };
      case 'telegram':
        return { kind: 'telegram', chat: this.chat.trim() };
      case 'webhook':
        return { kind: 'webhook', url: this.url.trim(), signed: this.wantsSecret };
    }
  }

  /** The stored secret stays with the place that it was given for: another server, chat or address needs its own. */
  get keepsSecret(): boolean {
    const now = this.setup;
    const before = this.stored?.setup;
    switch (now.kind) {
      case 'ntfy':
        return before?.kind === 'ntfy' && before.has_token && before.server === now.server;
      case 'telegram':
        return before?.kind === 'telegram' && before.chat === now.chat;
      case 'webhook':
        return before?.kind === 'webhook' && before.signed && before.url === now.url;
      case 'desktop':
        return false;
    }
  }

  get badAddress(): boolean {
    const address = this.kind === 'ntfy' ? this.server : this.kind === 'webhook' ? this.url : 'https://telegram';
    return address.trim() !== '' && !isWeb(address);
  }

  get ready(): boolean {
    const secret = this.secret !== '' || this.keepsSecret;
    switch (this.kind) {
      case 'ntfy':
        return isWeb(this.server) && this.topic.trim() !== '' && (secret || !this.wantsSecret);
      case 'telegram':
        return this.chat.trim() !== '' && secret;
      case 'webhook':
        return isWeb(this.url) && (secret || !this.wantsSecret);
    }
  }

  /** The name under which it is kept; `null` when it is not. */
  async save(): Promise<string | null> {
    if (!this.ready || this.saving) return null;
    this.saving = true;
    this.error = '';
    const name = this.stored?.name ?? freeName(this.kind, (ways.all ?? []).map((way) => way.name));
    const hasSecret = this.secret !== '' && (this.kind === 'telegram' || this.wantsSecret);
    try {
      await app.backend.call('put_channel', { name, setup: this.setup, secret: hasSecret ? this.secret : null });
      await ways.load();
      return name;
    } catch (thrown) {
      const { body } = refusal(thrown);
      this.error = body.code === 'mail_server' ? t('channel_set_bad_url') : body.code === 'secrets' ? t('channel_set_no_secrets') : errorText(body);
      return null;
    } finally {
      this.saving = false;
    }
  }
}
