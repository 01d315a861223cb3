import { describe, expect, it } from 'vitest';
import type { RowState } from '../../backend/bindings';
import { row } from '../../backend/fake/board';
import { SCENES, scene } from '../../backend/fake/scenes';
import { clockTime } from '../../texts/format';
import { LANGUAGES, locale } from '../../texts/locale.svelte';
import { headline, spoken } from './headline';
import { everyText, hostWords } from './hostwords';
import { retryDoor, rowRetry, wholeMinute } from './retry';
import { rowSentence, rowWords } from './rowwords';

const NOW = Date.UTC(2026, 10, 26, 14, 30);
const at = (s: number) => NOW + s * 1000;

/** The policy's table: each state, and what its right-hand side says. */
const TABLE: [RowState, string, string | null][] = [
  [{ kind: 'queued' }, 'queued', null],
  [{ kind: 'checking', since: NOW }, 'checking now', null],
  [{ kind: 'ok', listings: 48, checked_at: at(-12), next_at: at(60) }, '48 listings', 'next check'],
  [{ kind: 'empty', checked_at: at(-12), next_at: at(60) }, 'no listings match right now', 'next check'],
  [{ kind: 'suspicious', recognised: 0, before: 48, next_at: at(60) }, '**page looks different:** 0 listings recognised, 48 last time', 'next check'],
  [{ kind: 'blocked', wall: 'challenge', turn: 'first', retry_at: at(45) }, '**blocked** (challenge)', 'retry in'],
  [{ kind: 'probing', host: 'kamerhuis.example', since: NOW, turn: 'first' }, 'looking in: one request for kamerhuis.example', null],
  [{ kind: 'probing', host: 'kamerhuis.example', since: NOW, turn: 'waits' }, '**waiting** for that answer', null],
  [{ kind: 'needs_you', reason: 'human_check', turn: 'first', retry_at: at(720) }, '**site wants you to pass a check**', 'retry in'],
  [{ kind: 'first_error', reason: 'connect', next_at: at(200) }, '**could not connect**', 'next check'],
  [{ kind: 'error_waiting', reason: 'a_reason_of_tomorrow', turn: 'first', retry_at: at(125) }, '**could not connect**', 'retry in'],
  [{ kind: 'offline', since: NOW }, 'you seem to be offline', null],
  [{ kind: 'page_gone', status: 404, since: NOW, next_at: at(9999) }, '**this search’s page no longer exists** (404)', null],
  [{ kind: 'paused' }, '**paused**', null],
  [{ kind: 'stopped' }, '**stopped** with all the others', null],
];

describe('a row', () => {
  it.each(TABLE)('in state %o says %s', (state, now, label) => {
    const words = rowWords(row(1, 'Kamers', 'kamerhuis.example', state, NOW), NOW);
    expect(words.now).toBe(now);
    expect(words.due?.label ?? null).toBe(label);
  });

  it('is read aloud as one sentence with absolute times', () => {
    const waiting = row(1, 'Kamers', 'kamerhuis.example', TABLE[5]![0], NOW, { unread: 1 });
    expect(rowSentence(waiting, rowWords(waiting, NOW))).toBe(`Kamers. blocked (challenge). goes first. retry in ${clockTime(at(45))}. 1 new`);
  });
});

describe('every scene', () => {
  it.each(LANGUAGES.flatMap((language) => SCENES.map((name) => [language, name] as const)))('in %s, %s, has no unfilled place', (language, name) => {
    locale.choose(language);
    const board = scene(name, NOW);
    const texts = [spoken(board, NOW), headline(board, NOW).title];
    for (const card of board.hosts) {
      const words = hostWords(card, board.rows.filter((r) => r.host === card.host), NOW);
      texts.push(words.sub, words.note ?? '', ...words.facts);
    }
    for (const r of board.rows) texts.push(rowSentence(r, rowWords(r, NOW)));
    for (const text of texts) {
      expect(text).not.toMatch(/[{}]/);
      expect(text).not.toMatch(/\b(row|host|head|count)_\w+/);
    }
    locale.choose('en');
  });
});

describe('the headline', () => {
  it.each([
    ['day', 'Checking 1 of 12 searches'], ['idle', 'All 3 searches waiting. Next try in'], ['probing', 'Looking in at kamerhuis.example'],
    ['stopped', 'Stopped. No site is asked'], ['offline', 'Waiting for the internet'], ['disk_full', 'Stopped: the disk is full'],
  ] as const)('of %s is “%s”', (name, title) => expect(headline(scene(name, NOW), NOW).title).toBe(title));

  it('counts what runs, waits, needs somebody and is paused', () => {
    const parts = headline(scene('day', NOW), NOW).parts.map((part) => (typeof part === 'string' ? part : part.text));
    expect(parts).toEqual(['5 run', '3 wait for kamerhuis.example', '1 needs you', '2 need a look', '1 paused']);
  });
});

describe('the button that tries now', () => {
  it('rounds the end of a lock up to a full minute', () => {
    expect(wholeMinute(at(1))).toBe(at(60));
    expect(wholeMinute(at(60))).toBe(at(60));
  });

  it('says from when, and why', () => {
    const shut = retryDoor({ kind: 'locked', until: at(90), why: 'refused_again' }, NOW);
    expect(shut).toMatchObject({ kind: 'shut', label: `Try now, from ${clockTime(at(120))}` });
    expect(shut.kind === 'shut' && shut.why).toContain('refused again');
  });

  it('opens when the clock shows the minute it named', () => {
    const lock = { kind: 'locked', until: at(90), why: 'site_asked' } as const;
    expect(retryDoor(lock, at(119)).kind).toBe('shut');
    expect(retryDoor(lock, at(120)).kind).toBe('open');
  });
});

it('an interval is written in its own unit', () => {
  expect([90_000, 120_000, 300_000, 7_200_000].map(everyText)).toEqual(['90 seconds', '2 minutes', '5 minutes', '2 hours']);
});

describe('where the button stands', () => {
  it.each(TABLE.map(([state]) => state))('in state %o', (state) => {
    const waits = ['blocked', 'probing', 'needs_you', 'error_waiting'].includes(state.kind);
    expect(rowRetry(row(1, 'Kamers', 'kamerhuis.example', state, NOW)).kind).toBe(waits ? 'ready' : 'none');
  });
});
