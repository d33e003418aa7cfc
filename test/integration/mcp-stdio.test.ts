import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createServicePost } from '../../src/cli/mcp/service-post.ts';
import { bridgeStdio } from '../../src/cli/mcp/stdio-bridge.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { callTool, withMcp } from '../support/service/mcp-service.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/pompa');

let guarded: GuardedServices;
before(async () => {
  guarded = await GuardedServices.start(1, null, () => withMcp());
});
after(() => guarded.close());

const serviceUrl = () => `http://127.0.0.1:${guarded.service.port}`;

/** Bridges these lines to an address; resolves with the answers once the input has ended. */
async function bridge(lines: readonly string[], { url = serviceUrl(), key = null as string | null } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const post = createServicePost({ url: new URL(`${url}/mcp`), key, userAgent: 'test' });
  input.end(lines.map((line) => `${line}\n`).join(''));
  await bridgeStdio({ input, output, post, signal: new AbortController().signal });
  output.end();
  const answers = (await text(output)).split('\n').filter(Boolean);
  return answers.map((line) => JSON.parse(line));
}

/** A call in the form of the modern era; clients of the other begin with `initialize`. */
const request = (id: number, method: string, params: object = {}) => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
};

describe('pompa mcp', () => {
  test('is a server over stdio, which asks the service with the key of MCP_API_KEY', async () => {
    const { key } = await guarded.key({ quota: 1 });
    const client = new Client({ name: 'test', version: '1' });
    const args = ['mcp', '--url', serviceUrl()];
    const env = { PATH: process.env.PATH ?? '', MCP_API_KEY: key };
    await client.connect(new StdioClientTransport({ command: PROGRAM, args, env, stderr: 'inherit' }));
    const place = { fuel: 'benzina_standard', place: 'Cluj-Napoca' };
    const first = await callTool(client, 'cheapest_near', place);
    const second = await callTool(client, 'cheapest_near', place);
    await client.close();
    assert.match(first.text, /1\. 7\.45 RON\/L – Petrom/);
    assert.match(
      second.text,
      /the 1 requests that this API key may make in a month, by its plan or by a limit that its holder set, are used up/,
    );
  });
});

describe('the bridge', () => {
  test('passes messages of the modern era with the headers that the service checks, texts of any script included', async () => {
    const answers = await bridge([
      request(1, 'tools/list'),
      request(2, 'tools/call', { name: 'national_prices', arguments: {} }),
      request(3, 'resources/read', { uri: 'pompa://county/Timiș' }),
    ]);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    assert.equal(byId.get(1).result.tools.length, 8);
    assert.match(byId.get(2).result.content[0].text, /lowest 7\.43 RON\/L/);
    assert.equal(JSON.parse(byId.get(3).result.contents[0].text).judet, 'TM');
  });

  test('answers what is no message itself, and goes on', async () => {
    const answers = await bridge(['nonsense', '[1]', `"${'x'.repeat(70_000)}"`, '', request(4, 'tools/list')]);
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.message ?? 'answered']),
      [
        [null, 'a line is not JSON'],
        [null, 'a line must be one JSON-RPC message, an object'],
        [null, 'a line is longer than 64 KiB'],
        [4, 'answered'],
      ],
    );
  });

  test('writes nothing for notifications', async () => {
    assert.deepEqual(await bridge([JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })]), []);
  });

  test('says in the answer that a service cannot be reached, or is none', async (t) => {
    const other: Server = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
    // Ends it, too, when the test fails before it does.
    t.after(() => other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const [html] = await bridge([request(1, 'tools/list')], { url });
    assert.match(html.error.message, /\/mcp is not a Pompa MCP server: it answered 200/);
    await new Promise((resolve) => other.close(resolve));
    const [gone] = await bridge([request(2, 'tools/list')], { url });
    assert.equal(gone.id, 2);
    assert.match(gone.error.message, /^no answer from 127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  test('gives a refusal of the request as a whole the id of its message', async () => {
    const [answer] = await bridge([request(5, 'subscriptions/listen')]);
    assert.equal(answer.id, 5);
    assert.match(answer.error.message, /no subscriptions/);
  });

  test('a cancelled message is stopped and gets no answer', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const started = Promise.withResolvers<void>();
    const post = (_: unknown, signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        started.resolve();
      });
    const ended = bridgeStdio({ input, output, post, signal: new AbortController().signal });
    input.write(`${request(6, 'tools/list')}\n`);
    await started.promise;
    input.end(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } })}\n`);
    await ended;
    output.end();
    assert.equal(await text(output), '');
  });
});
