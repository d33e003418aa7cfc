import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import tls from 'node:tls';
import { checkReachable } from './reachability.ts';

const pem = (name: string) => readFileSync(new URL(`./test-certificates/${name}.pem`, import.meta.url), 'utf8');
const OWN = { withinMs: 5_000, allowPrivate: true };

let plain: Server;
let secure: tls.Server;
let bytesReceived = 0;
const open = new Set<net.Socket>();

before(async () => {
  const keep = (socket: net.Socket) => {
    open.add(socket.on('error', () => undefined));
    socket.on('data', (bytes) => {
      bytesReceived += bytes.length;
    });
  };
  plain = net.createServer(keep).listen(0, '127.0.0.1');
  secure = tls.createServer({ key: pem('server-key'), cert: pem('server') + pem('intermediate') }, keep);
  secure.listen(0, '127.0.0.1');
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
});
after(() => {
  for (const socket of open) socket.destroy();
  plain.close();
  secure.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe('a service', () => {
  test('that listens is reachable and gets no request', async () => {
    const { ms, certificateEnds } = await checkReachable(`http://127.0.0.1:${portOf(plain)}/path`, OWN);
    assert.ok(ms >= 0);
    assert.equal(certificateEnds, null);
    assert.equal(bytesReceived, 0);
  });

  test('behind TLS is reachable if its certificate can be verified, and has the end of its validity', async () => {
    const address = `https://localhost:${portOf(secure)}`;
    const { certificateEnds } = await checkReachable(address, { ...OWN, ca: [pem('root')] });
    assert.ok((certificateEnds ?? 0) > Date.UTC(2026, 0, 1));
    assert.equal(bytesReceived, 0);
    await assert.rejects(checkReachable(address, OWN), /^Error: its certificate cannot be verified/);
  });

  test('that is down, silent or private is not reachable', async () => {
    await assert.rejects(checkReachable('http://127.0.0.1:1', OWN), /^Error: the connection was refused$/);
    const mute = { ...OWN, withinMs: 100 };
    await assert.rejects(
      checkReachable(`https://127.0.0.1:${portOf(plain)}`, mute),
      /^Error: no connection within 0\.1 s$/,
    );
    const guarded = { ...OWN, allowPrivate: false };
    for (const host of ['127.0.0.1', 'localhost']) {
      await assert.rejects(checkReachable(`http://${host}:${portOf(plain)}`, guarded), /the address is a private one/);
    }
  });
});
