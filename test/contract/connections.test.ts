/** How many connections a client may hold, and what others get meanwhile. Peers are loopback addresses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { trustedProxies } from '../../src/config/address-lists.ts';
import { allowAll } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';

const [ATTACKER, READER] = ['127.0.0.1', '127.0.0.2'];
const GET = 'GET /api/v1/retele HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the system buffers of both ends together. */
const HUGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const GET_HUGE = 'GET /huge HTTP/1.1\r\nHost: x\r\n\r\n';

type Limits = NonNullable<Parameters<typeof TestService.start>[0]>['limits'];

const start = (t: TestContext, limits: Limits, trusted = '') =>
  TestService.during(t, {
    accessControl: allowAll(null),
    limits: { checkIntervalMs: 20, refusingStallMs: 60, shutdownGraceMs: 20, ...limits },
    trustedProxies: trustedProxies(trusted),
    site: (path) => (path === '/huge' ? { status: 200, contentType: 'video/mp4', body: HUGE } : undefined),
  });

function connect(t: TestContext, service: TestService, localAddress: string | undefined): net.Socket {
  const socket = net.connect({ port: service.port, host: '127.0.0.1', localAddress });
  t.after(() => socket.destroy());
  return socket.on('error', () => undefined);
}

/** The first line of the answer on a new connection; empty = the connection was refused. */
async function firstLine(t: TestContext, service: TestService, localAddress: string | undefined): Promise<string> {
  const socket = connect(t, service, localAddress);
  socket.write(GET.replace('Host', 'Connection: close\r\nHost'));
  return (await text(socket).catch(() => '')).split('\r\n', 1)[0] as string;
}

/** Connections with an answer under way that their clients do not read. */
async function hold(t: TestContext, service: TestService, count: number, localAddress?: string): Promise<net.Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(t, service, localAddress));
  for (const socket of sockets) {
    socket.write(GET_HUGE);
    await once(socket, 'readable');
  }
  return sockets;
}

const OK = 'HTTP/1.1 200 OK';

test('one address holds its share and no more; readers of another address are served', async (t) => {
  const service = await start(t, { connectionsPerClient: 3, refusingStallMs: 600_000 });
  const [first] = await hold(t, service, 3, ATTACKER);
  for (let tries = 0; tries < 5; tries += 1) {
    assert.equal(await firstLine(t, service, ATTACKER), '');
    assert.equal(await firstLine(t, service, READER), OK);
  }
  assert.equal(service.api.connectionCounts().refused.client, 5);
  first?.destroy();
  while (service.api.connectionCounts().open > 2) await firstLine(t, service, READER);
  assert.equal(await firstLine(t, service, ATTACKER), OK);
});

test('the addresses of one network share a part of all connections', async (t) => {
  const service = await start(t, { connectionsPerClient: 2, connectionsPerNetwork: 4, refusingStallMs: 600_000 });
  for (const last of [1, 2]) await hold(t, service, 2, `127.0.0.${last}`);
  assert.equal(await firstLine(t, service, '127.0.0.3'), '');
  assert.equal(await firstLine(t, service, '127.0.1.1'), OK);
  assert.equal(service.api.connectionCounts().refused.network, 1);
});

test('a trusted proxy holds as many as there are', async (t) => {
  const service = await start(t, { connectionsPerClient: 1, connectionsPerNetwork: 1 }, ATTACKER);
  const sockets = Array.from({ length: 20 }, () => connect(t, service, ATTACKER));
  for (const socket of sockets) {
    socket.write(GET);
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /);
  }
});

test('readers that do not read are gone when others of their address wait', async (t) => {
  const service = await start(t, { connectionsPerClient: 3 });
  await hold(t, service, 3, ATTACKER);
  let line = '';
  while (line === '') line = await firstLine(t, service, ATTACKER);
  assert.equal(line, OK);
  assert.ok(service.api.connectionCounts().dropped.stalled > 0);
});

test('readers that do not read are gone when all connections are in use', async (t) => {
  const service = await start(t, { connections: 4 });
  for (const last of [1, 2, 3, 4]) await hold(t, service, 1, `127.0.${last}.1`);
  let line = '';
  while (line === '') line = await firstLine(t, service, '127.0.9.1');
  assert.equal(line, OK);
  const { refused, dropped } = service.api.connectionCounts();
  assert.ok(refused.total > 0 && dropped.stalled > 0);
});

test('idle connections give way to new ones of their address', async (t) => {
  const service = await start(t, { connectionsPerClient: 2 });
  for (let count = 0; count < 2; count += 1) {
    const socket = connect(t, service, ATTACKER);
    socket.write(GET);
    await once(socket, 'data');
  }
  assert.equal(await firstLine(t, service, ATTACKER), '');
  while (service.api.connectionCounts().open > 0) await firstLine(t, service, READER);
  assert.equal(await firstLine(t, service, ATTACKER), OK);
});
