import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { TimeoutError, withTimeout } from './with-timeout.ts';

describe('a promise with a timeout', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  test('settles like the promise when that is in time', async () => {
    assert.equal(await withTimeout(10, Promise.resolve(7)), 7);
    await assert.rejects(withTimeout(10, Promise.reject(new Error('broken'))), { name: 'Error', message: 'broken' });
  });

  test('rejects at the timeout, not before', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let outcome: unknown;
    const waiting = withTimeout(10, promise).catch((error: unknown) => {
      outcome = error;
    });
    mock.timers.tick(9);
    await Promise.resolve();
    assert.equal(outcome, undefined);
    mock.timers.tick(1);
    await waiting;
    assert.ok((outcome as unknown) instanceof TimeoutError);
    assert.equal(String(outcome), 'TimeoutError: no result within 10 ms');
    resolve(7);
  });

  test('rejects with the caller’s own error if there is one', async () => {
    const waiting = withTimeout(10, new Promise(() => undefined), () => new RangeError('too slow'));
    mock.timers.tick(10);
    await assert.rejects(waiting, { name: 'RangeError', message: 'too slow' });
  });

  test('causes no unhandled rejection when the promise fails after the timeout', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    const waiting = withTimeout(10, promise);
    mock.timers.tick(10);
    await assert.rejects(waiting, TimeoutError);
    reject(new Error('too late'));
    await Promise.resolve();
  });
});

test('what has arrived in time is in time, however late the event loop reads it', async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  const [[other]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
  const answer = withTimeout(1, once(socket, 'data'));
  other.end('pong');
  const heldUpUntil = performance.now() + 20;
  while (performance.now() < heldUpUntil);
  assert.equal(String(await answer), 'pong');
});
