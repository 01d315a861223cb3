// Scenes, by `?scene=`: the board as it is when the window opens.

import type { Board } from '../bindings';
import { allIn, answering, boardOf, H, joined, M, needsPerson, probing, rare, S, troubled, waiting } from './board';

export const SCENES = ['day', 'welcome', 'idle', 'asked', 'probing', 'offline', 'stopped', 'disk_full', 'rare', 'full', 'away', 'blocked', 'folder', 'held'] as const;
export type Scene = (typeof SCENES)[number];

export function sceneOf(name: string | null): Scene {
  return SCENES.find((scene) => scene === name) ?? 'day';
}

const FOLDER = '/home/noor/.local/share/firstknock/mail';

export function scene(name: Scene, now: number): Board {
  const mail = { kind: 'works' as const, address: 'noor@mailhuis.example', last_accepted: now - 27 * M };
  const day = () => joined(waiting(now, 45 * S, null), answering(now), needsPerson(now), troubled(now));
  const polling = (of: number) => ({ kind: 'polling' as const, checking: 1, of });
  switch (name) {
    case 'day':
      return boardOf(day(), polling(12), { mail });
    case 'welcome':
      return boardOf({ rows: [], hosts: [] }, { kind: 'idle', waiting: 0, next_at: null }, { mail: { kind: 'folder', folder: FOLDER, last: null } });
    case 'idle':
      return boardOf(waiting(now, 45 * S, null), { kind: 'idle', waiting: 3, next_at: now + 45 * S }, { mail });
    case 'asked':
      return boardOf(waiting(now, 5 * M + 6 * S, 5 * M), { kind: 'idle', waiting: 3, next_at: now + 5 * M + 6 * S }, { mail });
    case 'probing':
      return boardOf(joined(probing(now), answering(now), needsPerson(now), troubled(now)), polling(12), { mail });
    case 'offline':
      return boardOf(allIn(joined(waiting(now, M, null), answering(now), troubled(now)), { kind: 'offline', since: now - 9 * M }, now), { kind: 'offline', since: now - 9 * M, next_at: now + 21 * S }, { mail, banners: [{ kind: 'offline' }] });
    case 'stopped':
      return boardOf(allIn(joined(waiting(now, M, null), answering(now)), { kind: 'stopped' }, now), { kind: 'stopped', why: 'user', since: now - 8 * M }, { mail });
    case 'disk_full':
      return boardOf(allIn(waiting(now, M, null), { kind: 'stopped' }, now), { kind: 'stopped', why: 'disk_full', since: now - 8 * M }, { mail, banners: [{ kind: 'disk_full' }] });
    case 'rare':
      return boardOf(rare(now), { kind: 'idle', waiting: 3, next_at: now + 2 * M + 5 * S }, { mail: { kind: 'retrying', address: 'noor@mailhuis.example', next: now + 4 * M, why: 'server' }, banners: [{ kind: 'restored_backup', from: now - 20 * H }, { kind: 'mail_locked' }, { kind: 'client_limited', client: 'Nightly script', offences: 5, until: now + 6 * M }] });
    case 'full':
      return boardOf(joined(day(), rare(now)), polling(15), { mail });
    case 'away':
      return boardOf(day(), polling(12), { mail, away: { appeared: 6, gone: 2, from: now - 13 * H, to: now - 6 * H - 50 * M, why: 'asleep', host: null } });
    case 'blocked':
      return boardOf(day(), polling(12), { mail, away: { appeared: 3, gone: 1, from: now - 3 * H, to: now - 20 * M, why: 'blocked', host: 'woningpunt.example' } });
    case 'folder':
      return boardOf(day(), polling(12), { mail: { kind: 'folder', folder: FOLDER, last: now - 40 * M }, banners: [{ kind: 'mail_to_folder', folder: FOLDER }] });
    case 'held':
      return boardOf(day(), polling(12), { mail: { kind: 'held', address: 'noor@mailhuis.example', why: 'auth', hint: null } });
  }
}
