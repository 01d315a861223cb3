// What the card above the rows of one host says.

import type { HostCard, SearchRow } from '../../backend/bindings';
import { clockTime, moment } from '../../texts/format';
import { say, t } from '../../texts/t';
import { formatWait } from '../../texts/wait';
import type { Due } from './rowwords';

export type HostTone = 'ok' | 'wait' | 'you' | 'go' | 'off';

export type HostWords = {
  tone: HostTone;
  sub: string;
  note: string | null;
  facts: string[];
  due: Due | null;
  /** A time that stands in the countdown's place. */
  at: { label: string; time: number } | null;
  evidence: string[];
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function hostWords(card: HostCard, rows: SearchRow[], now: number): HostWords {
  const quiet = { facts: [], due: null, at: null, note: null, evidence: [] };
  const s = card.state;
  if (rows.length > 0 && rows.every((row) => row.state.kind === 'offline')) {
    const last = card.last_answer_at;
    return { ...quiet, tone: 'off', sub: t('host_offline'), at: last === null ? null : { label: t('due_answered'), time: last } };
  }
  if (rows.length > 0 && rows.every((row) => row.state.kind === 'stopped' || row.state.kind === 'paused')) {
    return { ...quiet, tone: 'off', sub: t('host_not_asked', { n: rows.length }) };
  }
  switch (s.kind) {
    case 'answers':
      return { ...quiet, tone: 'ok', sub: answers(card, rows), due: s.next_at === null ? null : { label: t('due_next'), until: s.next_at } };
    case 'probing':
      return {
        ...quiet, tone: 'go', sub: t('host_probing', { time: moment(s.since, now) }), note: t('host_probing_note', { n: card.searches }),
        at: { label: t('due_sent'), time: sentAt(rows, s.since) },
      };
    case 'site_open':
      return { ...quiet, tone: 'you', sub: t('host_site_open', { time: moment(s.since, now) }), note: t('host_site_open_note') };
    case 'waits':
      return waits(card, s, rows, now);
  }
}

type Waits = HostCard['state'] & { kind: 'waits' };

function waits(card: HostCard, s: Waits, rows: SearchRow[], now: number): HostWords {
  const facts: string[] = [];
  const wait = together(s.retry_at - now);
  const n = Math.max(1, rows.filter((row) => row.enabled).length);
  if (s.asked_ms === null && s.wall === 'challenge') facts.push(t('host_named_none'));
  if (s.asked_ms !== null) facts.push(t('host_asked_for', { wait: formatWait(s.asked_ms) }));
  facts.push(card.last_answer_at === null ? t('host_never_answered') : t('host_last_answered', { time: moment(card.last_answer_at, now) }));
  if (card.retry.kind === 'locked' && card.retry.why === 'refused_again') facts.push(t('host_refused_again'));
  const carry = n === 2 ? t('host_carry_on_both') : t('host_carry_on', { n });
  const look = s.retry_at - now >= MINUTE_MS ? t('host_look_at', { time: clockTime(s.retry_at) }) : t('host_look_in', { wait });
  return {
    tone: s.wall === 'denied' ? 'you' : 'wait',
    sub: `${t(`host_sub_${s.wall}`)} · ${since(s, now)}`,
    note: s.wall === 'denied' ? deniedNote(card, s, now) : `${cause(s)} ${look} ${carry}`,
    facts,
    due: { label: t('due_retry'), until: s.retry_at },
    at: null,
    evidence: s.evidence,
  };
}

function since(s: Waits, now: number): string {
  const time = moment(s.since, now);
  if (s.failures < 2) return t('host_since', { time });
  return s.failures === 2 ? t('host_since_twice', { time }) : t('host_since_times', { time, n: s.failures });
}

/** A wait that is not broken over two lines. */
function together(ms: number): string {
  return formatWait(ms).replace(' ', '\u00a0');
}

function cause(s: Waits): string {
  if (s.asked_ms !== null) {
    const asked = together(s.asked_ms);
    return s.asked_ms > HOUR_MS ? t('host_cause_asked_long', { wait: asked }) : t('host_cause_asked', { wait: asked });
  }
  return say(`host_cause_${s.reason}`) ?? t(`host_cause_${s.wall}`);
}

function deniedNote(card: HostCard, s: Waits, now: number): string {
  const why = say(`host_cause_${s.reason}`) ?? t('host_cause_denied');
  const far = s.retry_at - now >= MINUTE_MS;
  const otherwise = far ? t('host_otherwise_at', { time: clockTime(s.retry_at) }) : t('host_otherwise', { wait: together(s.retry_at - now) });
  return card.can_open_site ? `${why} ${t('host_open_it')} ${otherwise}` : `${why} ${t('serve_sites_need_app')} ${otherwise}`;
}

function answers(card: HostCard, rows: SearchRow[]): string {
  const every = [...new Set(rows.filter((row) => row.enabled).map((row) => row.interval_ms))];
  const parts = [t('host_answers'), card.searches === 1 ? t('host_one_search') : t('host_searches', { n: card.searches })];
  const [only] = every;
  if (only !== undefined && every.length === 1) parts.push(t(card.searches === 1 ? 'host_every' : 'host_each_every', { wait: everyText(only) }));
  if (rows.some((row) => row.stretched)) parts.push(t('host_stretched'));
  return parts.join(' · ');
}

/** "90s", "5 min", "2 h": an interval, not a countdown. */
export function everyText(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 120 || s % 60 !== 0) return t('every_seconds', { n: s });
  const m = s / 60;
  if (m < 120 || m % 60 !== 0) return t('every_minutes', { n: m });
  return t('every_hours', { n: m / 60 });
}

function sentAt(rows: SearchRow[], since: number): number {
  const probe = rows.find((row) => row.state.kind === 'probing');
  return probe && probe.state.kind === 'probing' ? probe.state.since : since;
}
