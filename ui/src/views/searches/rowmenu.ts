// The menus of a row and of a host.

import type { HostCard, SearchRow } from '../../backend/bindings';
import { app } from '../../state/app.svelte';
import type { MenuItem } from '../../state/menu.svelte';
import { t } from '../../texts/t';
import { clearSession, openInBrowser, openSite, remove, sendCurrent, setEnabled, setMuted, tryNow } from './acts';
import { retryDoor, rowRetry } from './retry';

export function rowMenu(row: SearchRow, go: (to: string) => void): MenuItem[] {
  const door = retryDoor(rowRetry(row), Date.now());
  const items: MenuItem[] = [];
  const act = (icon: (MenuItem & { kind: 'act' })['icon'], text: string, run: () => void, more: { key?: string; hint?: string; locked?: string } = {}) =>
    items.push({ kind: 'act', icon, text, act: run, ...more });
  if (row.enabled) {
    const text = door.kind === 'none' ? t('check_now') : door.kind === 'shut' ? door.label : t('try_now');
    act('again', text, () => tryNow(row), { key: 'R', locked: door.kind === 'shut' ? door.why : undefined });
  }
  act('home', t('show_listings'), () => go(`listings?search=${row.id}`), { key: '↵' });
  if (app.about?.can_open_sites) act('open', t('open_site'), () => openSite(row), { key: 'O' });
  act('globe', t('open_in_browser'), () => openInBrowser(row));
  items.push({ kind: 'line' });
  act('pen', t('edit'), () => go(`edit/${row.id}`));
  act(row.enabled ? 'pause' : 'play', t(row.enabled ? 'pause' : 'resume_search'), () => setEnabled(row, !row.enabled), { key: 'P' });
  act(row.muted ? 'bell' : 'belloff', t(row.muted ? 'unmute' : 'mute'), () => setMuted(row, !row.muted), { key: 'M' });
  act('send', t('send_current'), () => void sendCurrent(row));
  items.push({ kind: 'line' });
  act('trash', t('delete'), () => remove(row), { key: 'Del' });
  return items;
}

export function hostMenu(card: HostCard, rows: SearchRow[]): MenuItem[] {
  const items: MenuItem[] = [];
  const [first] = rows;
  if (first && app.about?.can_open_sites) items.push({ kind: 'act', icon: 'open', text: t('open_site'), act: () => openSite(first) });
  if (first) items.push({ kind: 'act', icon: 'globe', text: t('open_in_browser'), act: () => openInBrowser(first) });
  items.push({
    kind: 'act', icon: 'trash', text: t('clear_session'), hint: t('clear_session_hint'), act: () => void clearSession(card),
    locked: card.has_session ? undefined : t('no_session'),
  });
  return items;
}
