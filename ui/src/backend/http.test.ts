// The web twin against a real server on loopback.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StatusEvent } from './bindings';
import { Refused, type Link } from './door';
import { scene } from './fake/scenes';
import { httpBackend, type Parts } from './http';
import { EventReader } from './sse';

type Seen = { url: string; headers: IncomingMessage['headers']; body: string };

let server: Server;
let origin: string;
let seen: Seen[];
let waits: number[];
let answer: (request: Seen, response: ServerResponse) => void;

beforeEach(async () => {
  seen = [];
  waits = [];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() };
      seen.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

let clockMs = 0;
let keys = 0;

function backend(part: Partial<Parts> = {}) {
  clockMs = 0;
  keys = 0;
  return httpBackend({
    origin, token: 'secret', fetch, random: () => 0.5, now: () => clockMs, newKey: () => `key-${++keys}`, open: () => {},
    sleep: async (ms) => {
      waits.push(ms);
      clockMs += ms;
      await new Promise((done) => setTimeout(done, 1));
    },
    ...part,
  });
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

describe('a call', () => {
  it('carries name, arguments and token, and answers with the reply', async () => {
    answer = (_, response) => json(response, 200, { id: 7 });
    await expect(backend().call('set_muted', { id: 7, on: true })).resolves.toEqual({ id: 7 });
    expect(JSON.parse(seen[0]!.body)).toEqual({ name: 'set_muted', args: { id: 7, on: true } });
    expect(seen[0]!.headers.authorization).toBe('Bearer secret');
  });

  it('goes again once after a 503, a write with the same key', async () => {
    answer = (_, response) => (seen.length === 1 ? json(response, 503, {}) : json(response, 200, {}));
    await backend().call('stop', {});
    expect(seen.map((one) => one.headers['idempotency-key'])).toEqual(['key-1', 'key-1']);
    expect(waits).toEqual([200]);
  });

  it('waits at least as long as the server asks', async () => {
    answer = (_, response) => (seen.length === 1 ? json(response, 429, {}, { 'retry-after': '2' }) : json(response, 200, []));
    await backend().call('list_deliveries', {});
    expect(waits).toEqual([2000]);
  });

  it('tells a refusal with its code, and does not go again', async () => {
    answer = (_, response) => json(response, 422, { code: 'too_many', args: { max: '15' } });
    const thrown = await backend().call('set_enabled', { id: 1, on: true }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Refused);
    expect((thrown as Refused).body).toEqual({ code: 'too_many', args: { max: '15' } });
    expect(seen).toHaveLength(1);
  });

  it('that was cut off goes again when it is a keyed write, and not when it is a preview or a test', async () => {
    answer = (_, response) => response.destroy();
    await expect(backend().call('stop', {})).rejects.toMatchObject({ body: { code: 'stopping' } });
    expect(seen).toHaveLength(2);
    seen = [];
    await expect(backend().call('preview', { url: 'https://a.example', choice: null })).rejects.toBeInstanceOf(Refused);
    expect(seen).toHaveLength(1);
    await expect(backend().call('test_channel', { name: 'ntfy' })).rejects.toBeInstanceOf(Refused);
    expect(seen).toHaveLength(2);
  });

  it('a page of a proxy is an internal error, not a crash', async () => {
    answer = (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>');
    await expect(backend().call('get_about', {})).rejects.toMatchObject({ body: { code: 'internal' } });
  });
});

describe('the status stream', () => {
  const board = scene('idle', 0);
  const event = (data: StatusEvent) => `event: status\ndata: ${JSON.stringify(data)}\n\n`;

  it('comes back by itself after a break, with growing waits, and begins with a snapshot again', async () => {
    answer = (_, response) => {
      if (seen.length === 2 || seen.length === 3) return json(response, 503, {});
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ kind: 'snapshot', board }));
      if (seen.length === 1) setTimeout(() => response.end(), 5);
    };
    const events: StatusEvent[] = [];
    const links: Link[] = [];
    const door = backend();
    door.watchLink((link) => links.push(link));
    const stop = await new Promise<() => void>((done) => {
      const stopping = door.watchStatus((one) => {
        events.push(one);
        if (events.length === 2) done(stopping);
      });
    });
    stop();
    expect(events.map((one) => one.kind)).toEqual(['snapshot', 'snapshot']);
    expect(waits.slice(0, 3)).toEqual([400, 700, 1150]);
    // What passed by itself was not told.
    expect(links).toEqual([{ kind: 'up' }]);
  });

  it('tells when it stays away, and when it is back', async () => {
    answer = (_, response) => {
      if (seen.length < 12) return json(response, 503, {});
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ kind: 'snapshot', board }));
    };
    const links: string[] = [];
    const door = backend();
    door.watchLink((link) => links.push(link.kind));
    const stop = await new Promise<() => void>((done) => {
      const stopping = door.watchStatus(() => done(stopping));
    });
    stop();
    expect(links).toEqual(['up', 'down', 'up']);
  });
});

describe('photos', () => {
  it('come with the token as an address of their own bytes, or not at all', async () => {
    answer = (request, response) => {
      if (request.url.endsWith('/7-here')) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
      else response.writeHead(request.url.endsWith('/7-later') ? 202 : 404).end('no');
    };
    const door = backend();
    expect(await door.loadPhoto('7-here')).toBe('data:image/jpeg;base64,/9j/2Q==');
    expect(await door.loadPhoto('7-later')).toBe(null);
    expect(await door.loadPhoto('7-none')).toBe(null);
    expect(seen[0]?.url).toBe('/api/ui/photos/7-here');
    expect(seen[0]?.headers.authorization).toBe('Bearer secret');
    expect(seen.length).toBe(3);
    expect(await backend({ fetch: () => Promise.reject(new Error('away')) }).loadPhoto('7-here')).toBe(null);
  });
});

describe('server-sent events', () => {
  it('are whole only at their blank line, however the bytes come', () => {
    const reader = new EventReader();
    const text = ': hello\r\nevent: status\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: 2\n\n';
    const out: string[] = [];
    for (const letter of text) out.push(...reader.push(letter));
    expect(out).toEqual(['{"a":\n1}', '2']);
  });
});
