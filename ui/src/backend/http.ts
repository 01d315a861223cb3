// The web twin of the door, for an engine that runs without a window (`knock serve`).
//
// Calls are POST /api/ui/call {name, args}; the status stream is GET /api/ui/events (server-sent events
// of StatusEvent, a snapshot first). Both carry `Authorization: Bearer TOKEN`; the token comes once in the
// address, `#token=…`, and is kept for the tab.
// A write carries an Idempotency-Key, so that it may go again when nobody knows whether it arrived.
// What passes by itself is not told: only a link that stays away is.

import type { ErrorBody, StatusEvent } from './bindings';
import { download } from './download';
import { Refused, type ArgsOf, type Backend, type CommandName, type Link, type ReplyOf } from './door';
import { BACKGROUND, decorrelatedJitter, FOREGROUND, nextWait, retryAfterMs, type Outcome, type Policy, type Sort } from './retry';
import { EventReader } from './sse';

export type Parts = {
  origin: string;
  token: string;
  fetch: typeof fetch;
  random: () => number;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  newKey: () => string;
  open: (url: string) => void;
};

/** A link that is away for less long than this passes by itself. */
const AWAY_TOLD_AFTER_MS = 5000;
const TOKEN_KEY = 'firstknock-token';

const READS: ReadonlySet<CommandName> = new Set<CommandName>([
  'get_board', 'get_about', 'would_show', 'list_listings', 'insight', 'list_deliveries', 'list_channels', 'get_data', 'get_api', 'export', 'get_settings', 'get_mail', 'guess_mail',
]);
/** Asking a page and sending a test take their time, and a second try would ask twice. */
const ONCE: ReadonlySet<CommandName> = new Set<CommandName>(['preview', 'test_mail', 'test_channel']);

export function sortOf(name: CommandName): Sort {
  if (READS.has(name)) return 'read';
  return ONCE.has(name) ? 'write' : 'keyed_write';
}

export function httpBackend(parts: Parts): Backend {
  const headers = { authorization: `Bearer ${parts.token}` };

  async function call<K extends CommandName>(name: K, args: ArgsOf<K>): Promise<ReplyOf<K>> {
    const sort = sortOf(name);
    const key: Record<string, string> = sort === 'keyed_write' ? { 'idempotency-key': parts.newKey() } : {};
    const body = JSON.stringify({ name, args });
    const answer = await again(parts, sort, FOREGROUND, () =>
      parts.fetch(`${parts.origin}/api/ui/call`, { method: 'POST', body, headers: { ...headers, ...key, 'content-type': 'application/json' } }),
    );
    if (answer === null) throw new Refused({ code: 'stopping', args: {} });
    if (answer.ok) return (await answer.json()) as ReplyOf<K>;
    throw new Refused(await errorBody(answer));
  }

  const links = new Set<(link: Link) => void>();
  let link: Link = { kind: 'up' };
  const tell = (next: Link) => {
    if (next.kind === link.kind) return;
    link = next;
    for (const onLink of links) onLink(link);
  };

  function watchStatus(onEvent: (event: StatusEvent) => void): () => void {
    const stop = new AbortController();
    void stream(parts, headers, stop.signal, onEvent, tell);
    return () => stop.abort();
  }

  return {
    kind: 'http',
    call,
    watchStatus,
    watchLink(onLink) {
      links.add(onLink);
      onLink(link);
      return () => links.delete(onLink);
    },
    watchMenu: () => () => {},
    openSite: () => Promise.reject(new Refused({ code: 'unsupported', args: { what: 'open_site' } })),
    async openExternal(url) {
      if (/^https?:\/\//i.test(url)) parts.open(url);
    },
    tryStreet: () => Promise.reject(new Refused({ code: 'unsupported', args: { what: 'street' } })),
    async saveFile(what) {
      download(await call('export', { what }));
      return '';
    },
    openFolder: () => Promise.reject(new Refused({ code: 'unsupported', args: { what: 'folder' } })),
    // An <img> cannot show a token, so the photo comes as a call does and is shown from memory.
    async loadPhoto(key) {
      try {
        const answer = await parts.fetch(`${parts.origin}/api/ui/photos/${encodeURIComponent(key)}`, { headers });
        return answer.status === 200 ? dataUrl(new Uint8Array(await answer.arrayBuffer())) : null;
      } catch {
        return null;
      }
    },
  };
}

/** One request, gone again as the policy allows. `null` when it never got through. */
async function again(parts: Parts, sort: Sort, policy: Policy, send: () => Promise<Response>): Promise<Response | null> {
  const start = parts.now();
  for (let tried = 1; ; tried++) {
    let answer: Response | null = null;
    let outcome: Outcome;
    try {
      answer = await send();
      outcome = answer.ok
        ? { kind: 'answered' }
        : { kind: 'status', status: answer.status, retryAfterMs: retryAfterMs(answer.headers.get('retry-after'), parts.now()) };
    } catch {
      outcome = { kind: 'lost' };
    }
    const wait = nextWait(outcome, sort, tried, parts.now() - start, policy, parts.random());
    if (wait === null) return answer;
    await parts.sleep(wait);
  }
}

function dataUrl(jpeg: Uint8Array): string {
  let bytes = '';
  for (const byte of jpeg) bytes += String.fromCharCode(byte);
  return `data:image/jpeg;base64,${btoa(bytes)}`;
}

async function errorBody(answer: Response): Promise<ErrorBody> {
  try {
    const body = (await answer.json()) as Partial<ErrorBody>;
    if (typeof body.code === 'string') return { code: body.code, args: body.args ?? {} };
  } catch {
    // Not one of ours: a proxy, perhaps.
  }
  return { code: 'internal', args: {} };
}

/** Listens for ever: each break is followed by a wait with jitter and a new snapshot. */
async function stream(
  parts: Parts, headers: Record<string, string>, signal: AbortSignal, onEvent: (event: StatusEvent) => void, tell: (link: Link) => void,
): Promise<void> {
  let wait = BACKGROUND.baseMs;
  let awaySince: number | null = null;
  while (!signal.aborted) {
    try {
      const answer = await parts.fetch(`${parts.origin}/api/ui/events`, { headers: { ...headers, accept: 'text/event-stream' }, signal });
      if (answer.ok && answer.body) {
        for await (const message of messages(answer.body)) {
          // A message heard is a link that holds: waits begin small again.
          wait = BACKGROUND.baseMs;
          awaySince = null;
          tell({ kind: 'up' });
          if (!signal.aborted) onEvent(JSON.parse(message) as StatusEvent);
        }
      }
    } catch {
      // Broken off; it is tried again below.
    }
    if (signal.aborted) return;
    awaySince ??= parts.now();
    if (parts.now() - awaySince >= AWAY_TOLD_AFTER_MS) tell({ kind: 'down', since: awaySince });
    wait = decorrelatedJitter(wait, BACKGROUND, parts.random());
    await parts.sleep(wait);
  }
}

async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events = new EventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* events.push(decoder.decode(value, { stream: true }));
  }
}

/** The token of this tab; taken out of the address so that it is not left standing there. */
function takeToken(): string {
  const given = /(?:^#|[#&])token=([^&]+)/.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem(TOKEN_KEY, decodeURIComponent(given));
    history.replaceState(null, '', `${location.pathname}${location.search}#/searches`);
  }
  return sessionStorage.getItem(TOKEN_KEY) ?? '';
}

export function http(): Backend {
  return httpBackend({
    origin: location.origin,
    token: takeToken(),
    fetch: (input, init) => fetch(input, init),
    random: Math.random,
    now: Date.now,
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    newKey: () => crypto.randomUUID(),
    open: (url) => void window.open(url, '_blank', 'noopener,noreferrer'),
  });
}
