// A list that is one tab stop: arrows, J and K go along its rows, right and left into a row and back.
// Rows carry `data-row`; what can be reached inside a row carries `data-inner` and is no tab stop.

export function rows(list: Element): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-row]')];
}

export function rowOf(node: EventTarget | null): HTMLElement | null {
  return node instanceof Element ? node.closest<HTMLElement>('[data-row]') : null;
}

/** Moves the focus for a key; `true` when the key was one of the list's. */
export function rove(list: Element, key: string, letters: boolean): boolean {
  const row = rowOf(document.activeElement);
  const all = rows(list);
  const at = row ? all.indexOf(row) : -1;
  const name = letters ? ({ j: 'ArrowDown', k: 'ArrowUp' }[key] ?? key) : key;
  if (name === 'ArrowDown') all[Math.min(at + 1, all.length - 1)]?.focus();
  else if (name === 'ArrowUp') all[Math.max(at - 1, 0)]?.focus();
  else if (name === 'Home') all[0]?.focus();
  else if (name === 'End') all[all.length - 1]?.focus();
  else if ((name === 'ArrowRight' || name === 'ArrowLeft') && row) inside(row, name === 'ArrowRight' ? 1 : -1);
  else return false;
  return true;
}

function inside(row: HTMLElement, step: 1 | -1): void {
  const inner = [...row.querySelectorAll<HTMLElement>('[data-inner]')];
  const stops = [row, ...inner];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
}
