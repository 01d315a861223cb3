// One message of the status stream applied to the board. Rows and hosts that are not named stay the
// same objects, so that what did not change is not drawn again.

import type { Board, HostCard, SearchRow, StatusEvent } from '../backend/bindings';

export function reduce(board: Board | null, event: StatusEvent): Board | null {
  if (event.kind === 'snapshot') return event.board;
  // A change before the first snapshot cannot be placed; the snapshot will hold it.
  if (!board) return null;
  return {
    app: event.app,
    facts: event.facts,
    rows: merged(board.rows, event.rows, event.removed_rows, (row: SearchRow) => row.id).sort(
      (a, b) => a.position - b.position || a.id - b.id,
    ),
    hosts: merged(board.hosts, event.hosts, event.removed_hosts, (card: HostCard) => card.host),
  };
}

function merged<T, K>(have: T[], changed: T[], removed: K[], key: (item: T) => K): T[] {
  const gone = new Set(removed);
  const fresh = new Map(changed.map((item) => [key(item), item]));
  const out: T[] = [];
  for (const item of have) {
    const id = key(item);
    if (gone.has(id) && !fresh.has(id)) continue;
    out.push(fresh.get(id) ?? item);
    fresh.delete(id);
  }
  return out.concat([...fresh.values()]);
}
