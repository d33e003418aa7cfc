import assert from 'node:assert/strict';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import { TimeSlicer } from '../../concurrency/time-slicer.ts';
import { PipelineQueue } from './pipeline-queue.ts';

const BOUND = 100;
/** So many a connection may have waiting whatever the others do. */
const ALLOWED = 64;

/** So many requests that wait on a connection for an answer that is never given. */
function enqueueMany(turns: PipelineQueue, socket: net.Socket, count: number, work = () => undefined): void {
  for (let number = 0; number < count; number += 1)
    turns.enqueue(socket, new ServerResponse(new IncomingMessage(socket)), work);
}

describe('the bound on waiting requests', () => {
  test('costs a connection that has many of its own its life with the first one too many', () => {
    const turns = new PipelineQueue(BOUND, new TimeSlicer());
    const many = new net.Socket();
    enqueueMany(turns, many, BOUND);
    assert.equal(many.destroyed, false);
    enqueueMany(turns, many, 1);
    assert.equal(many.destroyed, true);
  });

  test('is that of all connections together, and leaves those alone that have few', () => {
    const turns = new PipelineQueue(BOUND, new TimeSlicer());
    const [some, few] = [new net.Socket(), new net.Socket()];
    enqueueMany(turns, some, ALLOWED);
    enqueueMany(turns, few, ALLOWED);
    assert.deepEqual([some.destroyed, few.destroyed], [false, false]);
    enqueueMany(turns, few, 1);
    assert.deepEqual([some.destroyed, few.destroyed], [false, true]);
  });

  test('counts no longer what waited on a connection that was cut', () => {
    const turns = new PipelineQueue(BOUND, new TimeSlicer());
    for (let round = 0; round < 3; round += 1) {
      const socket = new net.Socket();
      enqueueMany(turns, socket, BOUND);
      assert.equal(socket.destroyed, false, `round ${round}`);
      enqueueMany(turns, socket, 1);
      assert.equal(socket.destroyed, true, `round ${round}`);
    }
  });
});

test('nothing is begun for a connection that is gone', () => {
  const socket = new net.Socket();
  socket.destroy();
  const response = new http.ServerResponse(new IncomingMessage(socket));
  new PipelineQueue(BOUND, new TimeSlicer()).enqueue(socket, response, () => assert.fail('worked'));
  assert.equal(response.listenerCount('socket'), 0);
});
