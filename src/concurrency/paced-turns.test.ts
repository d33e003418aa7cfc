import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PacedTurns } from './paced-turns.ts';

const WHO = { client: 'a1', network: 'a' };
const ONE = { slots: 1, slotsPerClient: 1, slotsPerNetwork: 1, maxWaiting: 2, maxWaitingPerClient: 2 };

function occupy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** How long the second turn has to wait after the end of the first, which took that long. */
async function restAfter(ms: number, options: { restFactor: number; longestRestMs: number }): Promise<number> {
  const turns = new PacedTurns({ ...ONE, ...options });
  const endFirst = await turns.enter(WHO);
  const second = turns.enter(WHO);
  occupy(ms);
  const ended = performance.now();
  endFirst?.();
  (await second)?.();
  return performance.now() - ended;
}

describe('after a turn its slot', () => {
  test('rests for a multiple of the time that the turn took', async () => {
    // A timer may fire a millisecond early, and at any load later.
    assert.ok((await restAfter(10, { restFactor: 3, longestRestMs: 1_000 })) >= 29);
  });

  test('rests for no longer than the longest rest', async () => {
    const begun = performance.now();
    await restAfter(10, { restFactor: 1_000_000, longestRestMs: 20 });
    assert.ok(performance.now() - begun < 10_000);
  });

  test('is refused like one of a semaphore', async () => {
    const turns = new PacedTurns({ ...ONE, restFactor: 1, longestRestMs: 1 });
    const end = await turns.enter(WHO);
    const waiting = [turns.enter(WHO), turns.enter(WHO)];
    assert.equal(await turns.enter(WHO), null);
    end?.();
    for (const turn of waiting) (await turn)?.();
  });
});
