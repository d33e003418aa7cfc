import assert from 'node:assert/strict';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import { TimeSlicer } from '../../concurrency/time-slicer.ts';
import { PipelineQueue } from './pipeline-queue.ts';

const BOUND = 100;
/** Requests that a connection may always have waiting. */
const ALLOWED = 64;

/** Queues requests on a connection behind a response that never ends. */
function enqueueMany(turns: PipelineQueue, socket: net.Socket, count: number, work = () => undefined): void {
  for (let number = 0; number < count; number += 1)
    turns.enqueue(socket, new ServerResponse(new IncomingMessage(socket)), work);
}

describe('the bound on waiting requests', () => {
  test('cuts a connection with many waiting requests at the first one too many', () => {
    const turns = new PipelineQueue(BOUND, new TimeSlicer());
    const many = new net.Socket();
    enqueueMany(turns, many, BOUND);
    assert.equal(many.destroyed, false);
    enqueueMany(turns, many, 1);
    assert.equal(many.destroyed, true);
  });

  test('covers all connections together, and spares those with few waiting requests', () => {
    const turns = new PipelineQueue(BOUND, new TimeSlicer());
    const [some, few] = [new net.Socket(), new net.Socket()];
    enqueueMany(turns, some, ALLOWED);
    enqueueMany(turns, few, ALLOWED);
    assert.deepEqual([some.destroyed, few.destroyed], [false, false]);
    enqueueMany(turns, few, 1);
    assert.deepEqual([some.destroyed, few.destroyed], [false, true]);
  });

  test('no longer counts the requests of a connection that was cut', () => {
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

test('no work starts for a closed connection', () => {
  const socket = new net.Socket();
  socket.destroy();
  const response = new http.ServerResponse(new IncomingMessage(socket));
  new PipelineQueue(BOUND, new TimeSlicer()).enqueue(socket, response, () => assert.fail('worked'));
  assert.equal(response.listenerCount('socket'), 0);
});
