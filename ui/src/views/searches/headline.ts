// The one sentence at the top, and the line under it.

import type { Board } from '../../backend/bindings';
import { moment } from '../../texts/format';
import { shortHost } from '../../texts/host';
import { t, type Key } from '../../texts/t';

export type HeadLink = { text: string; row: number };

export type Headline = {
  title: string;
  /** Counted to at the end of the title. */
  until: number | null;
  line: string | null;
  /** Parts of the line that lead to a row; they come after `line`. */
  parts: (string | HeadLink)[];
};

export function headline(board: Board, now: number): Headline {
  const { app, hosts } = board;
  const probing = hosts.find((card) => card.state.kind === 'probing');
  switch (app.kind) {
    case 'polling':
      if (probing && app.checking <= 1) {
        return { title: t('head_probing', { host: shortHost(probing.host) }), until: null, line: t('head_probing_line', { n: probing.searches }), parts: [] };
      }
      return { title: t('head_polling', { checking: app.checking, n: app.of }), until: null, line: null, parts: counts(board) };
    case 'idle':
      return idle(board, app.waiting, app.next_at);
    case 'stopped':
      return {
        title: t(`head_stopped_${app.why}` as Key), until: null,
        line: t(`head_stopped_${app.why}_line` as Key, { time: moment(app.since, now) }), parts: [],
      };
    case 'offline':
      return { title: t('head_offline'), until: null, line: t('head_offline_line'), parts: [] };
  }
}

function idle(board: Board, waiting: number, nextAt: number | null): Headline {
  if (nextAt === null) return { title: t('head_nothing_runs'), until: null, line: t('head_nothing_runs_line'), parts: [] };
  const title = t('head_idle', { n: waiting });
  const running = board.rows.filter((row) => row.enabled);
  const holding = board.hosts.filter((card) => card.state.kind === 'waits');
  const held = holding[0];
  const allHeld = held !== undefined && holding.length === 1 && running.every((row) => row.host === held.host);
  if (held && allHeld && held.state.kind === 'waits') {
    const asked = held.state.asked_ms !== null;
    return { title, until: nextAt, line: t(asked ? 'head_idle_asked' : 'head_idle_held', { host: shortHost(held.host) }), parts: [] };
  }
  return { title, until: nextAt, line: null, parts: counts(board) };
}

/** "5 run · 3 wait for kamerhuis.example · 1 needs you · 2 need a look · 1 paused" */
function counts(board: Board): (string | HeadLink)[] {
  const of = (...kinds: string[]) => board.rows.filter((row) => kinds.includes(row.state.kind));
  const run = of('queued', 'checking', 'ok', 'empty', 'first_error');
  const held = of('blocked', 'probing', 'error_waiting');
  const you = of('needs_you');
  const look = of('suspicious', 'page_gone');
  const paused = of('paused', 'stopped');
  const hosts = [...new Set(held.map((row) => row.host))];
  const parts: (string | HeadLink)[] = [];
  if (run.length) parts.push(t('count_run', { n: run.length }));
  if (held.length) {
    parts.push(hosts.length === 1 ? t('count_wait_host', { n: held.length, host: shortHost(hosts[0] ?? '') }) : t('count_wait', { n: held.length }));
  }
  if (you[0]) parts.push({ text: t('count_you', { n: you.length }), row: you[0].id });
  if (look[0]) parts.push({ text: t('count_look', { n: look.length }), row: look[0].id });
  if (paused.length) parts.push(t('count_paused', { n: paused.length }));
  return parts;
}

/**
 * What is read aloud when it changes. Checks that come and go are no news, and a countdown would never
 * be quiet: so only who waits, who needs somebody, what is new, and that nothing is asked any more.
 */
export function spoken(board: Board, now: number): string {
  const { unread } = board.facts;
  const news = unread > 0 ? [t('nav_unread', { n: unread })] : [];
  if (board.app.kind === 'stopped' || board.app.kind === 'offline') {
    const head = headline(board, now);
    return [head.title, head.line, ...news].filter(Boolean).join('. ');
  }
  const parts = counts(board).map((part) => (typeof part === 'string' ? part : part.text));
  return [...parts, ...news].join(', ');
}
