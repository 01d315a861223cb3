// A hint about a mail provider, with the names that it speaks of filled in.

import { say } from './t';

export type About = { provider: string; server: string; user: string; port?: string };

export function hintText(hint: string | null, about: About): string | undefined {
  if (hint === null) return undefined;
  const code = hint.startsWith('hint_') ? hint : `hint_${hint}`;
  return say(code, { ...about, port: about.port ?? '' });
}

/** "Mailhuis" for noor@mailhuis.example: the name that people know their provider by. */
export function providerOf(address: string): string {
  const domain = address.split('@')[1] ?? '';
  const name = domain.split('.').slice(-2, -1)[0] ?? domain;
  return name ? name.charAt(0).toUpperCase() + name.slice(1) : address;
}
