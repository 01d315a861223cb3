import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PICK_KEYS } from './picks';

describe('the menu bar', () => {
  it('shows the keys that the window has, and each for the same thing', () => {
    const bar = readFileSync('../src-tauri/src/menu/entries.rs', 'utf8');
    const shown = [...bar.matchAll(/MenuPick::(\w+), "\w+", Some\("CmdOrCtrl\+(\w)"\)/g)].map(([, pick, key]) => [`ctrl ${key?.toLowerCase()}`, pick?.toLowerCase()]);
    expect(shown.sort()).toEqual(Object.entries(PICK_KEYS).sort());
  });
});
