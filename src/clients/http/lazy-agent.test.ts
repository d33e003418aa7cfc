import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { LazyAgent } from './lazy-agent.ts';

test('an agent sends nothing more once it is destroyed, and ends what it has sent', async () => {
  let received = 0;
  const server = createServer(() => {
    received += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
  const unused = new LazyAgent({});
  await unused.destroy();
  await assert.rejects(
    unused.request(new URL('http://127.0.0.1:1/'), { method: 'GET' }),
    /^Error: the connections were closed$/,
  );
  const agent = new LazyAgent({});
  const [request] = await Promise.all([
    agent.request(url, { method: 'GET' }).catch(String),
    once(server, 'request').then(() => agent.destroy()),
  ]);
  assert.match(String(request), /ClientDestroyedError/);
  // Destroyed while the client is loaded.
  const early = new LazyAgent({});
  const refused = assert.rejects(early.request(url, { method: 'GET' }), /ClientDestroyedError/);
  await Promise.all([early.destroy(), refused]);
  assert.equal(received, 1);
  server.close();
});

test('an agent asks for the path and the query of an address', async () => {
  const server = createServer(({ method, url }, response) => response.end(`${method} ${url}`)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new LazyAgent({});
  const { port } = server.address() as AddressInfo;
  const { body, statusCode } = await agent.request(new URL(`http://127.0.0.1:${port}/a%20b?c=d#e`), { method: 'POST' });
  assert.deepEqual([statusCode, await body.text()], [200, 'POST /a%20b?c=d']);
  await agent.destroy();
  server.close();
});
