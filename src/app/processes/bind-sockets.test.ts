import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { bindSockets } from './bind-sockets.ts';

async function bind(t: TestContext, host: string, count: number) {
  const bound = await bindSockets(host, 0, count);
  t.after(() => {
    for (const socket of bound.sockets) socket[Symbol.dispose]();
  });
  return bound;
}

test('several sockets share one address, and their owners get all of its connections', async (t) => {
  const { port, sockets } = await bind(t, '127.0.0.1', 3);
  const servers = sockets.map((handle) => net.createServer((socket) => socket.end('x')).listen({ handle }));
  t.after(() => servers.map((server) => server.close()));
  const answers = Array.from({ length: 30 }, async () => {
    const socket = net.connect(port, '127.0.0.1');
    const [answer] = await once(socket, 'data');
    return String(answer);
  });
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['x']));
});

test('a name is resolved, and IPv6 is bound', async (t) => {
  assert.match((await bind(t, 'localhost', 1)).host, /^(127\.0\.0\.1|::1)$/);
  assert.equal((await bind(t, '::', 2)).host, '::');
});

test('an address that another service shares between its processes is refused, with what would be right', async (t) => {
  const { port, sockets } = await bind(t, '127.0.0.1', 2);
  const [handle] = sockets;
  assert.ok(handle !== undefined);
  const server = net.createServer().listen({ handle });
  await once(server, 'listening');
  t.after(() => server.close());
  for (const count of [1, 2])
    await assert.rejects(bindSockets('127.0.0.1', port, count, { tries: 1 }), {
      name: 'Error',
      message: `cannot listen on 127.0.0.1:${port}: another process uses this address; set PORT to a free port`,
    });
});

test('an address that its former owner is about to release is bound as soon as it has', async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const bound = bindSockets('127.0.0.1', port, 2);
  server.close();
  const { sockets } = await bound;
  t.after(() => {
    for (const socket of sockets) socket[Symbol.dispose]();
  });
  assert.equal(sockets.length, 2);
});

test('an unknown host is refused', async () => {
  await assert.rejects(
    bindSockets('no.such.host.invalid', 8080, 2),
    /^Error: cannot listen on no\.such\.host\.invalid:8080: unknown host name; set HOST/,
  );
});
