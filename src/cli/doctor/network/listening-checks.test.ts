import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { freePort } from '../../../../test/support/processes/free-port.ts';
import { listeningFinding } from './listening-checks.ts';

const HOST = '127.0.0.1';

/** The port of a server that ends with the test. */
async function portOf(t: TestContext, server: net.Server): Promise<number> {
  server.listen(0, HOST);
  await once(server, 'listening');
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const answering = (body: string) => http.createServer((_, response) => response.end(body));

describe('the address of serve', () => {
  test('is fine where nothing listens, where Pompa does, and on a free port', async (t) => {
    const free = await listeningFinding({ HOST, PORT: await freePort() });
    assert.deepEqual([free.ok, /once serve runs/.test(free.detail)], [true, true]);
    const running = await listeningFinding({ HOST: '0.0.0.0', PORT: await portOf(t, answering('{"status":"ok"}')) });
    assert.deepEqual([running.ok, /answers$/.test(running.detail)], [true, true]);
    assert.equal((await listeningFinding({ HOST, PORT: 0 })).ok, true);
  });

  test('fails where another program listens, whether it speaks HTTP or not', async (t) => {
    const page = await listeningFinding({ HOST, PORT: await portOf(t, answering('hello')) });
    assert.deepEqual([page.ok, /something else than Pompa answers/.test(page.detail)], [false, true]);
    const mute = net.createServer((socket) => socket.end('SSH-2.0\r\n'));
    const other = await listeningFinding({ HOST, PORT: await portOf(t, mute) });
    assert.deepEqual([other.ok, /is not Pompa/.test(other.detail)], [false, true]);
  });

  test('fails where HOST is no address of this machine', async () => {
    const { ok, detail } = await listeningFinding({ HOST: '203.0.113.9', PORT: 8080 });
    assert.deepEqual(
      [ok, detail],
      [false, 'HOST is 203.0.113.9, which is no address of this machine: serve does not start'],
    );
  });
});
