import { describe, expect, it } from 'vitest';
import type { StatusEvent } from '../backend/bindings';
import { scene } from '../backend/fake/scenes';
import { reduce } from './reduce';

const NOW = Date.UTC(2026, 10, 26, 14, 30);

function changed(part: Partial<StatusEvent & { kind: 'changed' }>): StatusEvent {
  const board = scene('day', NOW);
  return { kind: 'changed', app: board.app, facts: board.facts, rows: [], hosts: [], removed_rows: [], removed_hosts: [], ...part };
}

describe('the status stream', () => {
  const board = scene('day', NOW);

  it('begins with a snapshot, and a change before it is not placed', () => {
    expect(reduce(null, changed({}))).toBeNull();
    expect(reduce(null, { kind: 'snapshot', board })).toBe(board);
  });

  it('keeps rows that a change does not name as the same objects', () => {
    const row = { ...board.rows[3]!, unread: 9 };
    const next = reduce(board, changed({ rows: [row] }));
    expect(next?.rows[3]).toBe(row);
    expect(next?.rows[0]).toBe(board.rows[0]);
  });

  it('places a new row by its position', () => {
    const row = { ...board.rows[0]!, id: 99, position: 2.5 };
    expect(reduce(board, changed({ rows: [row] }))?.rows.map((r) => r.id)).toEqual([1, 2, 99, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('drops removed rows and hosts', () => {
    const next = reduce(board, changed({ removed_rows: [1, 2, 3], removed_hosts: ['kamerhuis.example'] }));
    expect(next?.rows.map((r) => r.id)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(next?.hosts.map((h) => h.host)).not.toContain('kamerhuis.example');
  });

  it('takes the facts of the change', () => {
    expect(reduce(board, changed({ facts: { ...board.facts, unread: 41 } }))?.facts.unread).toBe(41);
  });
});
