import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { CONNECTION_LIMITS } from './connection-limits.ts';
import { type ConnectionState, ConnectionSweeper, type DropReason } from './connection-sweeper.ts';

const { checkIntervalMs, refusingStallMs } = CONNECTION_LIMITS;

class FakeSocket {
  _handle = { bytesWritten: 0, writeQueueSize: 0 };
  state: ConnectionState = 'busy';
  closed: 'cut' | 'ended' | null = null;
  get writableEnded() {
    return this.closed !== null;
  }
  get destroyed() {
    return this.closed === 'cut';
  }
  /** The service has written this much, and the client has read that much of it. */
  wrote(bytes: number, read: number) {
    this._handle = { bytesWritten: bytes, writeQueueSize: bytes - read };
  }
  destroy() {
    this.closed = 'cut';
  }
  destroySoon() {
    this.closed = 'ended';
  }
}

describe('while connections are refused', () => {
  let now = 0;
  let dropped: DropReason[] = [];
  let sweeper: ConnectionSweeper;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    now = 0;
    dropped = [];
    sweeper = new ConnectionSweeper({
      limits: CONNECTION_LIMITS,
      stateOf: (socket) => (socket as unknown as FakeSocket).state,
      onDropped: (reason) => dropped.push(reason),
      clock: () => now,
    });
  });

  afterEach(() => mock.timers.reset());

  const holderOf = (...sockets: FakeSocket[]) => ({
    sockets: new Set(sockets as unknown as Socket[]),
    reason: 'client' as const,
  });
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += checkIntervalMs) {
      now += checkIntervalMs;
      mock.timers.tick(checkIntervalMs);
    }
  };

  test('a reader that does not read is cut after refusingStallMs, one that reads a little is not', () => {
    const [stalled, slow] = [new FakeSocket(), new FakeSocket()];
    stalled.wrote(1_000_000, 200_000);
    slow.wrote(1_000_000, 200_000);
    const holder = holderOf(stalled, slow);
    for (let turn = 1; turn <= 5; turn += 1) {
      sweeper.onRefused(holder);
      pass(refusingStallMs / 2);
      slow.wrote(1_000_000, 200_000 + turn * 5_000);
    }
    assert.deepEqual([stalled.closed, slow.closed], ['cut', null]);
    assert.deepEqual(dropped, ['stalled']);
  });

  test('one refusal is enough: readers that stalled after it are cut within two periods', () => {
    const later = new FakeSocket();
    const holder = holderOf(later);
    sweeper.onRefused(holder);
    pass(refusingStallMs / 2);
    later.wrote(1_000_000, 0);
    pass(refusingStallMs * 1.5);
    assert.equal(later.closed, 'cut');
  });

  test('a client that takes a few bytes at a time to seem alive is cut as well', () => {
    const trickling = new FakeSocket();
    const holder = holderOf(trickling);
    for (let taken = 0; taken < 100 && trickling.closed === null; taken += 10) {
      trickling.wrote(1_000_000, taken);
      sweeper.onRefused(holder);
      pass(refusingStallMs / 4);
    }
    assert.equal(trickling.closed, 'cut');
  });

  test('idle connections end at once, silent ones at the next sweep, busy ones never', () => {
    const [idle, silent, busy] = [new FakeSocket(), new FakeSocket(), new FakeSocket()];
    idle.state = 'idle';
    silent.state = 'silent';
    const holder = holderOf(idle, silent, busy);
    sweeper.onRefused(holder);
    assert.deepEqual([idle.closed, silent.closed], ['ended', null]);
    sweeper.onRefused(holder);
    assert.equal(silent.closed, null, 'a flood of refusals does not hurry the next sweep');
    pass(checkIntervalMs);
    assert.deepEqual([silent.closed, busy.closed], ['ended', null]);
    assert.deepEqual(dropped, ['unused', 'unused']);
  });

  test('connections of other holders stay as they are', () => {
    const [own, other] = [new FakeSocket(), new FakeSocket()];
    for (const socket of [own, other]) socket.wrote(1_000_000, 0);
    sweeper.onRefused(holderOf(own));
    pass(3 * refusingStallMs);
    assert.deepEqual([own.closed, other.closed], ['cut', null]);
  });
});
