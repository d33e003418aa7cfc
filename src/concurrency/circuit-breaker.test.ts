import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreaker, type Permit } from './circuit-breaker.ts';

function acquired(circuit: CircuitBreaker): Permit {
  const leave = circuit.tryAcquire();
  assert.ok(leave, 'no permit');
  return leave;
}

test('permits all calls until the first failure, then none for a second, then one', () => {
  let now = 0;
  const circuit = new CircuitBreaker(() => now);
  acquired(circuit).succeeded();
  acquired(circuit).failed();
  now = 999;
  assert.equal(circuit.tryAcquire(), null);
  now = 1_000;
  acquired(circuit);
  assert.equal(circuit.tryAcquire(), null);
});

test('doubles the pause at each failed trial, up to half a minute; a success permits all calls again', () => {
  let now = 0;
  const circuit = new CircuitBreaker(() => now);
  acquired(circuit).failed();
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    now += pauseMs - 1;
    assert.equal(circuit.tryAcquire(), null);
    now += 1;
    acquired(circuit).failed();
  }
  now += 30_000;
  acquired(circuit).succeeded();
  assert.ok(circuit.tryAcquire() && circuit.tryAcquire());
  acquired(circuit).failed();
  now += 1_000;
  acquired(circuit);
});

test('counts many failures at once as one', () => {
  let now = 0;
  const circuit = new CircuitBreaker(() => now);
  const leaves = [1, 2, 3, 4, 5].map(() => acquired(circuit));
  for (const leave of leaves) leave.failed();
  now = 1_000;
  acquired(circuit).succeeded();
  assert.ok(circuit.isClosed);
});

test('closes on the late success of a call made before the failure', () => {
  const circuit = new CircuitBreaker(() => 0);
  const [slow, failing] = [acquired(circuit), acquired(circuit)];
  failing.failed();
  assert.equal(circuit.tryAcquire(), null);
  slow.succeeded();
  acquired(circuit);
});
