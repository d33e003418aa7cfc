import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreaker, type Permit } from './circuit-breaker.ts';

function acquired(circuit: CircuitBreaker): Permit {
  const leave = circuit.tryAcquire();
  assert.ok(leave, 'no leave to ask');
  return leave;
}

test('everybody may ask until the first failure; then nobody for a second, then one', () => {
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

test('each failed try doubles the pause, up to half a minute; an answer lets everybody ask again', () => {
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

test('many failures at once count as one', () => {
  let now = 0;
  const circuit = new CircuitBreaker(() => now);
  const leaves = [1, 2, 3, 4, 5].map(() => acquired(circuit));
  for (const leave of leaves) leave.failed();
  now = 1_000;
  acquired(circuit).succeeded();
  assert.ok(circuit.isClosed);
});

test('a late answer of one asked before the failure is an answer', () => {
  const circuit = new CircuitBreaker(() => 0);
  const [slow, failing] = [acquired(circuit), acquired(circuit)];
  failing.failed();
  assert.equal(circuit.tryAcquire(), null);
  slow.succeeded();
  acquired(circuit);
});
