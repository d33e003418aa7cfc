import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, test } from 'node:test';
import { Body } from '../../encoding/body.ts';
import { LICENCE_AND_NOSNIFF_HEADERS, PUBLIC_JSON_HEADERS } from '../../response/answer.ts';
import { CachedResponse, type RawResponse, rawResponseOf, writeResponse } from './response-writer.ts';

const BODY = 'x'.repeat(20_000);

/** Two ends of a connection on loopback. */
async function connectedSockets(): Promise<{ ours: net.Socket; client: net.Socket; [Symbol.dispose](): void }> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1').pause();
  const [ours] = (await once(server, 'connection')) as [net.Socket];
  return {
    ours,
    client,
    [Symbol.dispose]() {
      for (const each of [ours, client]) each.destroy();
      server.close();
    },
  };
}

async function responseFor(body: Body, name: string): Promise<RawResponse> {
  const response = await rawResponseOf(
    { status: 200, headers: LICENCE_AND_NOSNIFF_HEADERS, extraHeaders: ['For', name], body },
    undefined,
  );
  assert.ok(!(response instanceof CachedResponse));
  return response;
}

/** The names in the answers, in order, once the connection has ended. */
async function namesRead(client: net.Socket): Promise<string[]> {
  let text = '';
  client.on('data', (part) => {
    text += part.toString('latin1');
  });
  await once(client.resume(), 'end');
  return text
    .split('HTTP/1.1 200 OK\r\n')
    .slice(1)
    .map((answer) => {
      const end = answer.indexOf('\r\n\r\n');
      assert.ok(answer.slice(end + 4) === BODY, 'the body is complete');
      return /^For: (.*)$/m.exec(answer.slice(0, end))?.[1] ?? 'nobody';
    });
}

describe('answers that share a body', () => {
  test('keep their own heads, whenever each client reads', async () => {
    using slow = await connectedSockets();
    using quick = await connectedSockets();
    const body = Body.shared(BODY);
    const [first, second] = [await responseFor(body, 'the slow one'), await responseFor(body, 'the quick one')];
    let sent = 0;
    for (let room = true; room; sent += 1) room = writeResponse(slow.ours, first, 0, 1_000, false);
    for (let more = 0; more < 3; more += 1) writeResponse(quick.ours, second, 0, 1_000, false);
    quick.ours.end();
    slow.ours.end();
    const [quickly, slowly] = await Promise.all([namesRead(quick.client), namesRead(slow.client)]);
    assert.deepEqual(quickly, Array(3).fill('the quick one'));
    assert.deepEqual(slowly, Array(sent).fill('the slow one'));
  });
});

test('an answer states its length, shared or not', async () => {
  const answers = [
    null,
    Body.shared('{"a":"ș"}'),
    Body.singleUse('{"a":"ș"}'),
    Body.shared(BODY),
    Body.singleUse(BODY),
  ];
  for (const body of answers) {
    for (const answer of [
      { status: 200, headers: PUBLIC_JSON_HEADERS, body },
      { status: 200, headers: PUBLIC_JSON_HEADERS, extraHeaders: ['For', 'one'], body },
      { status: 429, headers: LICENCE_AND_NOSNIFF_HEADERS, body, repeatable: { until: 0, next: () => null } },
    ]) {
      const made = await rawResponseOf(answer, undefined);
      const { head } = made instanceof CachedResponse ? made.raw : made;
      assert.equal(/^Content-Length: (\d+)\r$/m.exec(head)?.[1], String(body?.length ?? 0));
    }
  }
});

test('a small answer that many receive is made once, and again where it has other headers', async () => {
  const body = Body.shared('<p>preț</p>');
  const page = ['X-Frame-Options', 'DENY'];
  const framed = ['X-Frame-Options', 'SAMEORIGIN'];
  const respond = (headers: readonly string[], encoding?: string) =>
    rawResponseOf({ status: 200, headers, body }, encoding);
  const first = await respond(page);
  assert.ok(first instanceof CachedResponse);
  assert.equal(await respond(page), first);
  assert.notEqual(await respond(page, 'br'), first);
  const other = await respond(framed);
  assert.ok(!(other instanceof CachedResponse));
  assert.match(other.head, /^X-Frame-Options: SAMEORIGIN\r$/m);
});

test('an answer carries the date of its second, a cached one too', () => {
  const noon = Date.parse('2026-11-21T12:00:00Z');
  const cached = new CachedResponse(200, LICENCE_AND_NOSNIFF_HEADERS, 'identity', 'x');
  const dateOf = (response: CachedResponse, now: number) =>
    /^Date: (.*)$/m.exec(String(response.render(now, 1_000)))?.[1];
  for (const seconds of [0, 0.999, 1, 61, 61.5, 1])
    for (const response of [cached, new CachedResponse(200, LICENCE_AND_NOSNIFF_HEADERS, 'identity', 'y')])
      assert.equal(
        dateOf(response, noon + seconds * 1_000),
        new Date(noon + Math.floor(seconds) * 1_000).toUTCString(),
      );
});
