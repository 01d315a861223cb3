// The one open menu of the window. Any button may ask for it; MenuHost shows it.

import type { IconName } from '../parts/Icon.svelte';

export type MenuItem =
  | { kind: 'act'; icon: IconName; text: string; hint?: string; key?: string; act: () => void; locked?: string }
  | { kind: 'line' };

class Menu {
  anchor = $state.raw<HTMLElement | null>(null);
  items = $state.raw<MenuItem[]>([]);
  label = $state('');

  open(anchor: HTMLElement, label: string, items: MenuItem[]): void {
    this.label = label;
    this.items = items;
    this.anchor = anchor;
  }

  close(): void {
    this.anchor = null;
  }
}

export const menu = new Menu();
