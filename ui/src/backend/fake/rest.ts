// Numbers, mail and settings of the scripted double.

import type { About, DeliveryRow, Insight, MailAccount, MailAccountShown, MailGuess, Settings, TestResult } from '../bindings';
import { H, M } from './board';

export const SETTINGS: Settings = {
  language: 'en', theme: 'system', photos: true, single_letter_keys: true, start_with_system: true, close_to_tray: true,
  desktop_notifications: true, blind_after_hours: 6, daily_mail_cap: 100, mail_photo: false, quiet: null, local_api: false, local_api_port: 7433,
};

export const ABOUT: About = {
  version: '0.1.0', data_folder: '/home/noor/.local/share/firstknock', mail_folder: '/home/noor/.local/share/firstknock/mail',
  can_open_sites: true, has_keychain: true, has_tray: true, has_street: true,
};

export const ACCOUNT: MailAccountShown = {
  from: 'noor@mailhuis.example', to: 'noor@mailhuis.example', server: 'smtp.mailhuis.example', port: 465, security: 'implicit',
  login: 'noor@mailhuis.example', has_secret: true, token: null, keep_secret: 'keychain',
};

/** `shut` refuses passwords and gives out tokens, `unknown` is guessed, all else is known. */
export function guess(address: string): MailGuess {
  const domain = address.split('@')[1] ?? '';
  const shut = domain.startsWith('shut');
  return {
    address, server: `smtp.${domain}`, port: domain.startsWith('unknown') ? 587 : 465, security: domain.startsWith('unknown') ? 'starttls' : 'implicit',
    login: address, source: domain.startsWith('unknown') ? 'guess' : 'preset', hint: shut ? 'no_passwords' : null, refuses_passwords: shut,
    token: shut ? { token_url: `https://login.${domain}/oauth2/token`, scope: `https://${domain}/send` } : null,
  };
}

/** The password `wrong` is refused, `silent` gets no answer after the last dot; the token `old` holds no longer, and `client` is nobody. */
export function tested(account: MailAccount): TestResult {
  const token = account.token;
  if (token?.refresh_token === 'old') return { kind: 'refused', hint: 'hint_oauth_again', words: `${new URL(token.token_url).host}: 400 invalid_grant` };
  if (token?.client_id === 'nobody') return { kind: 'refused', hint: 'hint_oauth_client', words: `${new URL(token.token_url).host}: 401 invalid_client` };
  if (account.password === 'wrong') return { kind: 'refused', hint: 'app_password', words: '535 5.7.8 Error: authentication failed: app password required' };
  if (account.password === 'silent') return { kind: 'unknown', words: 'no reply after the final dot' };
  return { kind: 'accepted', by: account.server, words: '250 2.0.0 Ok: queued as 4Xq7Lm2c9Tz3' };
}

export function deliveries(now: number): DeliveryRow[] {
  const made = (id: number, subject: string, ago: number, state: DeliveryRow['state'], steps: [number, string, string][]): DeliveryRow => ({
    id, channel: 'mail', subject, created_at: now - ago, state, attempts: steps.length, history: steps.map(([at, s, words]) => ({ at: now - at, state: s, words })),
  });
  return [
    made(1, '€745 · Utrecht, Lombok · Zonnige kamer met balkon', 27 * M, { kind: 'sent', at: now - 27 * M, reply: '250 2.0.0 Ok: queued as 4Xq7Lm2c9Tz3' }, [[27 * M, 'sent', '250 2.0.0 Ok: queued as 4Xq7Lm2c9Tz3']]),
    made(2, '€1.150 (was €1.195) · Utrecht, Vogelenbuurt', 49 * M, { kind: 'retry_at', at: now + 6 * M, why: '451 4.7.1 Greylisted, try again later' }, [[48 * M, 'retry_at', '451 4.7.1 Greylisted, try again later'], [30 * M, 'retry_at', '451 4.7.1 Greylisted, try again later']]),
    made(3, '4 from €455 · Münster', 78 * M, { kind: 'maybe_delivered', why: 'no reply after the final dot' }, [[78 * M, 'maybe_delivered', 'no reply after the final dot']]),
    made(4, '€1.425 · Haarlem, Vijfhoek', 3 * H, { kind: 'given_up', why: 'recipient' }, [[3 * H, 'given_up', '550 5.1.1 No such user']]),
    made(5, '€690 · Utrecht, Wittevrouwen', 4 * H, { kind: 'held', why: 'auth' }, [[4 * H, 'held', '535 5.7.8 authentication failed']]),
  ];
}

export function insight(search: number, now: number): Insight {
  const by_hour = Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const peak = day < 5 ? Math.max(0, 4 - Math.abs(hour - 11)) : Math.max(0, 2 - Math.abs(hour - 13));
      const noise = (day * 31 + hour * 17) % 7 === 0 && hour > 7 && hour < 22 ? 1 : 0;
      return Math.round(peak * (day === 1 ? 1.8 : day === 3 ? 0.7 : 0.9)) + noise;
    }),
  );
  const prices = Array.from({ length: 126 }, (_, i) => Math.round((1180 + i * 3.9 + ((i * 53) % 29) * 2) / 5) * 5).sort((a, b) => a - b);
  const delays_s = Array.from({ length: 64 }, (_, i) => (i % 13 === 5 ? 320 + i * 5 : 12 + ((i * 47) % 283)));
  return { search, since: now - 56 * 24 * H, by_hour, prices, delays_s, new_total: by_hour.flat().reduce((a, b) => a + b, 0) };
}
