// The channels of the scripted double. The secret `wrong` is refused; a place with `silent` in it gives no answer.

import type { ChannelShown, ChannelWish, TestResult } from '../bindings';
import { H, M } from './board';

const DESKTOP: ChannelShown = { name: 'desktop', setup: { kind: 'desktop' }, enabled: true, held: null, last_accepted: null };

export class FakeChannels {
  all: ChannelShown[];
  #secrets = new Map<string, string>();

  /** With `many`, one that works and one that waits are there too. */
  constructor(many: boolean, now: number) {
    this.all = [DESKTOP];
    if (!many) return;
    this.all = [
      { ...DESKTOP, last_accepted: now - 3 * H },
      { name: 'ntfy', setup: { kind: 'ntfy', server: 'https://ntfy.example', topic: 'firstknock-k7wq2hsn4vxe9tbm3rya6cdzj', with_street: false, has_token: false }, enabled: true, held: null, last_accepted: now - 27 * M },
      { name: 'telegram', setup: { kind: 'telegram', chat: '48151623' }, enabled: true, held: 'auth', last_accepted: null },
    ];
  }

  put({ name, setup, secret }: ChannelWish): void {
    if (secret !== null) this.#secrets.set(name, secret);
    const before = this.all.find((way) => way.name === name);
    const next: ChannelShown = { name, setup, enabled: true, held: null, last_accepted: before?.last_accepted ?? null };
    this.all = before ? this.all.map((way) => (way === before ? next : way)) : [...this.all, next];
  }

  remove(name: string): void {
    if (name === 'desktop') return this.desktop(false);
    this.#secrets.delete(name);
    this.all = this.all.filter((way) => way.name !== name);
  }

  desktop(enabled: boolean): void {
    this.all = this.all.map((way) => (way.name === 'desktop' ? { ...way, enabled } : way));
  }

  test(name: string): TestResult | undefined {
    const way = this.all.find((one) => one.name === name);
    if (!way) return undefined;
    const { setup } = way;
    if (setup.kind === 'desktop') return { kind: 'accepted', by: 'Firstknock', words: '' };
    if (this.#secrets.get(name) === 'wrong') {
      return { kind: 'refused', hint: setup.kind === 'telegram' ? 'hint_bot_token' : null, words: '401 Unauthorized: {"ok":false,"error_code":401}' };
    }
    if (setup.kind === 'telegram') return { kind: 'accepted', by: 'Telegram', words: '200 OK: {"ok":true}' };
    const place = setup.kind === 'ntfy' ? `${setup.server}/${setup.topic}` : setup.url;
    if (place.includes('silent')) return { kind: 'unknown', words: 'the connection was closed before an answer' };
    return { kind: 'accepted', by: new URL(place).host, words: '200 OK: {"id":"hX2kq9","event":"message"}' };
  }
}
