// What can be asked for from anywhere: by a key, or in the desktop's own menu bar. One place, so that both do
// the same.

import type { MenuPick } from '../backend/bindings';
import { kept } from '../views/settings/data.svelte';
import { app } from './app.svelte';
import { menu } from './menu.svelte';
import { router } from './route.svelte';

/** The keys of those that have one; the menu bar shows the same (`src-tauri/src/menu/entries.rs`). */
export const PICK_KEYS = {
  'ctrl 1': 'searches', 'ctrl 2': 'listings', 'ctrl 3': 'insight', 'ctrl 4': 'settings', 'ctrl 5': 'help', 'ctrl n': 'add', 'ctrl f': 'find',
} as const satisfies Record<string, MenuPick>;

export type Around = { showKeys: () => void };

/** Does it. */
export function pick(what: MenuPick, around: Around): void {
  switch (what) {
    case 'searches':
    case 'listings':
    case 'insight':
    case 'settings':
    case 'help':
    case 'add':
      return router.go(what);
    case 'find':
      return find();
    case 'keys':
      return around.showKeys();
    case 'back_up':
      router.go('settings/data');
      return void kept.backUp();
    case 'street':
      router.go('searches');
      return void app.hear(() => app.backend.tryStreet());
  }
}

/** Does what was chosen in the menu bar; under an open dialog nothing moves, as with keys. */
export function pickFromBar(what: MenuPick, around: Around): void {
  if (document.querySelector('dialog[open]')) return;
  menu.close();
  pick(what, around);
}

function find(): void {
  const box = document.querySelector<HTMLInputElement>('[data-find]');
  if (box) box.focus();
  else router.go('listings?find=1');
}
