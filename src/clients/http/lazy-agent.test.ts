import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { LazyAgent } from './lazy-agent.ts';

const silentServer = async (t: TestContext) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) };
};

test('an agent that is destroyed sends nothing, also if it has sent nothing before', async () => {
  const agent = new LazyAgent({});
  await agent.destroy();
  const refused = agent.request(new URL('http://127.0.0.1:1/'), { method: 'GET' });
  await assert.rejects(refused, /^Error: the connections were closed$/);
});

test('an agent that is destroyed ends the requests that wait for an answer', async (t) => {
  const { server, url } = await silentServer(t);
  const agent = new LazyAgent({});
  const ended = assert.rejects(agent.request(url, { method: 'GET' }), /ClientDestroyedError/);
  await once(server, 'request');
  await agent.destroy();
  await ended;
});

test('an agent that is destroyed while it loads the client ends the requests that wait for that', async (t) => {
  const { url } = await silentServer(t);
  const agent = new LazyAgent({});
  const ended = assert.rejects(agent.request(url, { method: 'GET' }), /ClientDestroyedError/);
  await Promise.all([agent.destroy(), ended]);
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
