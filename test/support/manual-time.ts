/** Timers and `performance.now()` that advance by hand, in whole ms: with fractions, rounding makes a timer late. */
import type { TestContext } from 'node:test';

/** Stops the time until `t.mock.reset()` or the end of the test; returns what lets so many ms pass. */
export function stopTime(t: TestContext): (ms: number) => void {
  let now = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return (ms) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
}
