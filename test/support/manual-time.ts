/** Timers and `performance.now()` that advance by hand, in whole ms: with fractions, rounding makes a timer late. */
import type { TestContext } from 'node:test';

/** Stops the time until `mock.reset()`, of a test also until its end; returns what lets so many ms pass. */
export function stopTime({ mock }: Pick<TestContext, 'mock'>): (ms: number) => void {
  let now = Math.ceil(performance.now());
  mock.method(performance, 'now', () => now);
  mock.timers.enable({ apis: ['setTimeout'] });
  return (ms) => {
    now += ms;
    mock.timers.tick(ms);
  };
}
