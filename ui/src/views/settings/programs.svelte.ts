// Programs that may ask: how they do, and the one that is being added or changed.

import type { ApiShown, ClientShown } from '../../backend/bindings';
import { refusal } from '../../backend/door';
import { app } from '../../state/app.svelte';
import { errorText } from '../../texts/errors';

export type Scope = 'read' | 'write';
export type Made = { id: number; name: string; token: string };

/** The engine's own ranges. */
const MINUTE = { low: 1, high: 100_000 };
const DAY = { low: 1, high: 10_000_000 };

/** A whole number within a range; what is no number is the least. */
export function whole(text: string | number, { low, high }: { low: number; high: number }): number {
  return Math.min(high, Math.max(low, Math.round(Number(text)) || low));
}

class Programs {
  api = $state.raw<ApiShown | null>(null);
  /** The token that was just made: here for as long as it is shown, and nowhere else. */
  made = $state.raw<Made | null>(null);

  async load(): Promise<void> {
    const answer = await app.ask('get_api', {});
    if (answer) this.api = answer;
  }

  /** The same without a word when it cannot be had: it is asked again soon. */
  async look(): Promise<void> {
    try {
      this.api = await app.backend.call('get_api', {});
    } catch {
      // The link says so itself where it is down.
    }
  }

  async listen(part: { local_api: boolean } | { local_api_port: number }): Promise<void> {
    await app.change(part);
    await this.load();
  }

  async letIn(client: ClientShown): Promise<void> {
    await app.ask('let_client_in', { id: client.id });
    await this.load();
  }

  async revoke(client: ClientShown): Promise<void> {
    await app.ask('revoke_client', { id: client.id });
    if (this.made?.id === client.id) this.made = null;
    await this.load();
  }
}

export const programs = new Programs();

export class ProgramForm {
  readonly stored: ClientShown | null;
  name = $state('');
  scope = $state<Scope>('read');
  perMinute = $state(120);
  perDay = $state(20_000);
  saving = $state(false);
  error = $state('');

  constructor(stored: ClientShown | null) {
    this.stored = stored;
    if (!stored) return;
    this.name = stored.name;
    this.scope = stored.can_write ? 'write' : 'read';
    this.perMinute = stored.per_minute;
    this.perDay = stored.per_day;
  }

  get ready(): boolean {
    return this.name.trim() !== '';
  }

  /** Whether it is kept now. */
  async save(): Promise<boolean> {
    if (!this.ready || this.saving) return false;
    this.saving = true;
    this.error = '';
    const said = { name: this.name.trim(), can_write: this.scope === 'write' };
    try {
      if (this.stored) {
        await app.backend.call('edit_client', { id: this.stored.id, ...said, per_minute: whole(this.perMinute, MINUTE), per_day: whole(this.perDay, DAY) });
      } else {
        const { id, token } = await app.backend.call('add_client', said);
        programs.made = { id, name: said.name, token };
      }
      return true;
    } catch (thrown) {
      this.error = errorText(refusal(thrown).body);
      return false;
    } finally {
      this.saving = false;
      await programs.load();
    }
  }
}
