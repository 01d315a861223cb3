// The clients of the local API, as the scripted double has them. Port 7000 belongs to somebody else.

import type { ApiShown, ClientShown, EditClient, MadeClient, NewClient, Settings } from '../bindings';
import { H, M } from './board';

const TAKEN = 7000;

const client = (id: number, name: string, more: Partial<ClientShown>): ClientShown => ({
  id, name, can_write: false, per_minute: 120, per_day: 20_000, spent_minute: 0, spent_day: 0, seen_at: null, offences: 0, locked_until: null, ...more,
});

export class FakePrograms {
  all: ClientShown[] = [];

  /** With `many`, one does well and one runs in a loop. */
  constructor(many: boolean, now: number) {
    if (!many) return;
    this.all = [
      client(2, 'Home Assistant', { spent_minute: 2, spent_day: 2874, seen_at: now - 20_000 }),
      client(3, 'Nightly script', { can_write: true, spent_minute: 118, spent_day: 9412, seen_at: now - 2 * M, offences: 5, locked_until: now + 6 * M }),
      client(5, 'Door panel', { seen_at: now - 30 * H, offences: 1 }),
    ];
  }

  shown({ local_api, local_api_port: port }: Settings): ApiShown {
    const state: ApiShown['state'] = !local_api ? { kind: 'off' } : port === TAKEN ? { kind: 'failed', port } : { kind: 'on', port };
    return { state, can_switch: true, clients: this.all };
  }

  add({ name, can_write }: NewClient): MadeClient {
    const id = Math.max(1, ...this.all.map((one) => one.id)) + 1;
    this.all = [...this.all, client(id, name, { can_write })];
    return { id, token: `fk_${'5e1f9a02c7d84b36'.repeat(4)}` };
  }

  has(id: number): boolean {
    return this.all.some((one) => one.id === id);
  }

  change({ id, ...rest }: Partial<EditClient> & { id: number }): void {
    this.all = this.all.map((one) => (one.id === id ? { ...one, ...rest } : one));
  }

  letIn(id: number): void {
    this.all = this.all.map((one) => (one.id === id ? { ...one, locked_until: null, spent_minute: 0, spent_day: 0 } : one));
  }

  revoke(id: number): void {
    this.all = this.all.filter((one) => one.id !== id);
  }
}
