// What can be done with a search or a host. Each is one command; the engine decides, the row tells.

import type { HostCard, SearchRow } from '../../backend/bindings';
import { app } from '../../state/app.svelte';
import { notices } from '../../state/notices.svelte';
import { removed } from '../../state/removed.svelte';
import { t } from '../../texts/t';
import { rowRetry } from './retry';

/** One request now: a probe where the host waits, else an ordinary check. */
export function tryNow(row: SearchRow): void {
  void app.ask(rowRetry(row).kind === 'none' ? 'check_now' : 'retry_now', { id: row.id });
}

export function setEnabled(row: SearchRow, on: boolean): void {
  void app.ask('set_enabled', { id: row.id, on });
}

export function setMuted(row: SearchRow, on: boolean): void {
  void app.ask('set_muted', { id: row.id, on });
}

export async function sendCurrent(row: SearchRow): Promise<void> {
  if ((await app.ask('send_current', { id: row.id })) !== null) notices.tell(t('sent_current', { name: row.name }));
}

/** Gone from sight at once, gone for good after ten seconds. */
export function remove(row: SearchRow): void {
  removed.hide(row.id);
  notices.undoable(
    t('deleted', { name: row.name }),
    () => void app.ask('delete_search', { id: row.id }).then((done) => done === null && removed.show(row.id)),
    () => removed.show(row.id),
  );
}

/** In a window of its own where there is a webview, else in the system's browser. */
export function openSite(row: SearchRow): void {
  void app.hear(() => (app.about?.can_open_sites ? app.backend.openSite(row.id) : app.backend.openExternal(row.url)));
}

export function openInBrowser(row: SearchRow): void {
  void app.hear(() => app.backend.openExternal(row.url));
}

export async function clearSession(card: HostCard): Promise<void> {
  if ((await app.ask('clear_session', { host: card.host })) !== null) notices.tell(t('session_cleared', { host: card.host }));
}
