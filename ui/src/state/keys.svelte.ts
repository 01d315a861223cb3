// The keyboard map. A view hangs its keys in while it is shown; the newest one that knows a key wins.

export type KeyMap = Record<string, (event: KeyboardEvent) => void | false>;

const TYPING = 'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"]';

class Keys {
  #maps: KeyMap[] = [];
  /** Single letters can be switched off; keys with Ctrl always work. */
  letters = true;

  hang(map: KeyMap): () => void {
    this.#maps.push(map);
    return () => {
      this.#maps = this.#maps.filter((m) => m !== map);
    };
  }

  handle(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const name = nameOf(event);
    const target = event.target as Element | null;
    const plain = !name.startsWith('ctrl ');
    if (plain && name !== 'escape' && target?.closest?.(TYPING)) return;
    if (plain && name.length === 1 && !this.letters) return;
    if (document.querySelector('dialog[open], [popover]:popover-open')) return;
    for (const map of [...this.#maps].reverse()) {
      const act = map[name];
      if (act && act(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  }
}

export function nameOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): string {
  const key = event.key.toLowerCase();
  return event.ctrlKey || event.metaKey ? `ctrl ${key}` : key;
}

export const keys = new Keys();
