// Backups and files of the scripted double.

import type { BackupShown, Board, ExportedFile, ExportWhat, ImportLine, ListingRow, SearchRow } from '../bindings';
import { H, M } from './board';

const named = (at: number, why: BackupShown['why'], bytes: number): BackupShown => ({ name: `firstknock-${at}-${why.replace('_', '-')}.db`, at, bytes, why });

export class FakeData {
  backups: BackupShown[];

  constructor(now: number) {
    this.backups = [
      named(now - 11 * H - 20 * M, 'daily', 38_100_000), named(now - 35 * H - 20 * M, 'daily', 37_800_000),
      named(now - 40 * H, 'before_migration', 37_700_000), named(now - 59 * H, 'by_hand', 37_200_000),
    ];
  }

  backUp(now: number): BackupShown {
    const made = named(now, 'by_hand', 38_400_000);
    // One of the same moment is the same file.
    this.backups = [made, ...this.backups.filter((other) => other.name !== made.name)];
    return made;
  }

  file(what: ExportWhat, homes: ListingRow[], rows: SearchRow[]): ExportedFile {
    if (what === 'searches') return { name: 'firstknock-searches-2026-11-26.json', text: JSON.stringify(rows.map(({ url, name }) => ({ url, name }))) };
    if (what === 'listings_json') return { name: 'firstknock-listings-2026-11-26.json', text: JSON.stringify(homes) };
    return { name: 'firstknock-listings-2026-11-26.csv', text: ['id,title', ...homes.map((home) => `${home.id},"${home.card.title ?? ''}"`)].join('\r\n') };
  }

  /** An address per line; `null` when a line is none. */
  bring(text: string, board: Board, add: (name: string, url: string, enabled: boolean) => void): ImportLine[] | null {
    const urls = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
    if (!urls.every((url) => URL.canParse(url))) return null;
    let room = board.facts.max_searches - board.facts.enabled_searches;
    return urls.map((url, at) => {
      const name = new URL(url).hostname;
      const same = board.rows.find((row) => row.url === url);
      if (same) return { entry: at + 1, name, fate: { kind: 'duplicate', of: same.name } };
      const enabled = room > 0;
      room -= 1;
      add(name, url, enabled);
      return { entry: at + 1, name, fate: enabled ? { kind: 'added' } : { kind: 'paused', max: board.facts.max_searches } };
    });
  }
}
