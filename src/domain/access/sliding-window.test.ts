import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkWindow, recordInWindow } from './sliding-window.ts';

const window = fc.record({ maxRequests: fc.integer({ min: 1, max: 6 }), ms: fc.integer({ min: 1, max: 50 }) });
const moves = fc.array(fc.nat(40), { maxLength: 60 });

describe('a sliding window', () => {
  test('never exceeds its maximum in any period, and never refuses below it', () => {
    fc.assert(
      fc.property(window, moves, (it, steps) => {
        const kept: number[] = [];
        const all: number[] = [];
        let now = 1_000;
        for (const by of steps) {
          now += by;
          const within = all.filter((each) => each >= now - it.ms).length;
          const { isAllowed } = checkWindow(it, kept, now);
          assert.equal(isAllowed, within < it.maxRequests);
          if (!isAllowed) continue;
          recordInWindow(it, kept, now);
          all.push(now);
        }
      }),
    );
  });

  test('allows the next request exactly after the returned wait', () => {
    fc.assert(
      fc.property(window, moves, (it, steps) => {
        const kept: number[] = [];
        let now = 1_000;
        for (const by of steps) {
          now += by;
          const { isAllowed, waitMs } = checkWindow(it, kept, now);
          assert.equal(isAllowed, waitMs === 0);
          if (isAllowed) recordInWindow(it, kept, now);
          else {
            assert.equal(checkWindow(it, kept, now + waitMs - 1).isAllowed, false);
            assert.equal(checkWindow(it, kept, now + waitMs).isAllowed, true);
          }
        }
      }),
    );
  });

  test('never makes a caller wait longer than its length, even after the clock was set back', () => {
    assert.deepEqual(checkWindow({ maxRequests: 2, ms: 1_000 }, [5_000, 9_000], 3_000), {
      isAllowed: false,
      waitMs: 1_001,
    });
  });

  test('drops the requests that have left it', () => {
    const kept = [1, 2, 3];
    recordInWindow({ ms: 10 }, kept, 13);
    assert.deepEqual(kept, [3, 13]);
    recordInWindow({ ms: 10 }, kept, 500);
    assert.deepEqual(kept, [500]);
  });
});
