import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cursorOfSnapshot, parseCursor } from './cursor.ts';
import type { ToldState } from './told-state.ts';

const state = (number: number, version: number, from: number, until: number): ToldState => ({
  ...{ number, seq: 10 * number, version, from, until },
});
const STATES = [state(1, 1, 0, 100), state(2, 1, 100, 200), state(3, 2, 150, 300)];

/** Where the cursor of a snapshot is, and the publication of its mark. */
function placeOf(version: number, now: number, nextChangeAt: number, states = STATES) {
  const cursor = parseCursor(cursorOfSnapshot('epoch_01', states, { version, now, nextChangeAt }) ?? '');
  return cursor && [cursor.seq, cursor.ahead?.version ?? null];
}

describe('the cursor of a snapshot', () => {
  test('is that of the told state that shows the same, the last or an earlier one', () => {
    assert.deepEqual(placeOf(2, 160, 300), [30, null]);
    assert.deepEqual(placeOf(1, 120, 200), [20, null]);
    assert.deepEqual(placeOf(1, 20, 100), [10, null]);
  });

  test('is that of the last state before it, with a mark, if none shows the same', () => {
    assert.deepEqual(placeOf(3, 200, 300), [30, 3]);
    assert.deepEqual(placeOf(2, 300, 400), [30, 2]);
  });

  test('is none if it is before all states that are known', () => {
    assert.equal(placeOf(1, -50, 0), null);
    assert.equal(placeOf(1, 0, 100, []), null);
  });

  test('is that of the earliest state of a moment that was judged again by other rules', () => {
    const again = [...STATES, state(4, 2, 180, 300), state(5, 2, 190, 300)];
    assert.deepEqual(placeOf(2, 160, 300, again), [30, null], 'a process that was not updated yet');
    assert.deepEqual(placeOf(2, 250, 300, again), [30, null], 'or one that was');
  });
});
