import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Circuit, type Leave } from './circuit-breaker.ts';

function given(circuit: Circuit): Leave {
  const leave = circuit.leave();
  assert.ok(leave, 'no leave to ask');
  return leave;
}

test('everybody may ask until the first failure; then nobody for a second, then one', () => {
  let now = 0;
  const circuit = new Circuit(() => now);
  given(circuit).answered();
  given(circuit).failed();
  now = 999;
  assert.equal(circuit.leave(), null);
  now = 1_000;
  given(circuit);
  assert.equal(circuit.leave(), null);
});

test('each failed try doubles the pause, up to half a minute; an answer lets everybody ask again', () => {
  let now = 0;
  const circuit = new Circuit(() => now);
  given(circuit).failed();
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    now += pauseMs - 1;
    assert.equal(circuit.leave(), null);
    now += 1;
    given(circuit).failed();
  }
  now += 30_000;
  given(circuit).answered();
  assert.ok(circuit.leave() && circuit.leave());
  given(circuit).failed();
  now += 1_000;
  given(circuit);
});

test('many failures at once count as one', () => {
  let now = 0;
  const circuit = new Circuit(() => now);
  const leaves = [1, 2, 3, 4, 5].map(() => given(circuit));
  for (const leave of leaves) leave.failed();
  now = 1_000;
  given(circuit).answered();
  assert.ok(circuit.isClosed);
});

test('a late answer of one asked before the failure is an answer', () => {
  const circuit = new Circuit(() => 0);
  const [slow, failing] = [given(circuit), given(circuit)];
  failing.failed();
  assert.equal(circuit.leave(), null);
  slow.answered();
  given(circuit);
});
