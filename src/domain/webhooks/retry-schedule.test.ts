import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTryAt } from './retry-schedule.ts';

const HOUR_MS = 3_600_000;

/** The moments, from the first on, at which a delivery is tried whose tries all fail. */
function triesOf(random: (tries: number) => number, askedMs: number | null = null): number[] {
  const moments: number[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const now: number = next;
    moments.push(now);
    next = nextTryAt({ tries: moments.length, since: 0, now, random: random(moments.length), askedMs });
  }
  return moments;
}

test('a delivery is tried ten times or eleven within 75 hours, ever more slowly, whatever chance says', () => {
  for (const random of [() => 0, () => 0.5, () => 1]) {
    const moments = triesOf(random);
    assert.ok(moments.length === 10 || moments.length === 11, `${moments.length} tries`);
    assert.equal(moments.at(-1), 75 * HOUR_MS);
    const pauses = moments.slice(1, -1).map((at, index) => at - (moments[index] as number));
    assert.deepEqual(
      [...pauses].sort((a, b) => a - b),
      pauses,
    );
  }
});

test('a receiver that asks for days between tries prolongs them by nothing', () => {
  assert.deepEqual(
    triesOf(() => 0.5, 1_000 * HOUR_MS),
    [0, 24, 48, 72, 75].map((hours) => hours * HOUR_MS),
  );
});

test('pauses vary by a tenth, and are longer if the receiver asks so', () => {
  const pause = (tries: number, random: number, askedMs: number | null = null) =>
    nextTryAt({ tries, since: 0, now: 0, random, askedMs });
  assert.deepEqual([pause(2, 0), pause(2, 1)], [270_000, 330_000]);
  assert.equal(pause(1, 0.5, 60_000), 60_000);
  assert.equal(pause(3, 0.5, 1_000), 1_800_000);
});

test('a delivery that waited longer, for reasons of ours, is tried a few times all the same', () => {
  const late = { since: 0, now: 80 * HOUR_MS, random: 0.5 };
  assert.equal(nextTryAt({ ...late, tries: 1 }), late.now + 5_000);
  assert.equal(nextTryAt({ ...late, tries: 4 }), null);
});
