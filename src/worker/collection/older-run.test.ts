import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  at,
  emptyTables,
  type SourcePrices,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import type { KnownPrice } from '../../domain/prices/apply-collection.ts';
import { loadKnownPricesAsOf } from '../../store/prices/facts-as-of.ts';

const { database, fakeSource, bench } = setUpCollector();

const HOUR = 3_600_000;
const START = at('2026-11-01T06:00Z');

/** The part of a fact that a rebuild restores exactly. */
function exact(facts: readonly KnownPrice[]) {
  return facts
    .map(({ station, fuel, price, sinceDay, changed, missingSince }) => ({
      station,
      fuel,
      price,
      sinceDay,
      changed,
      missingSince,
    }))
    .sort((a, b) => (`${a.station} ${a.fuel}` < `${b.station} ${b.fuel}` ? -1 : 1));
}

type Step = { hour: number; stations: SourcePrices; failed: readonly string[] };

const price = fc.constantFrom(7_000, 7_100, 7_200, null);
const stations: fc.Arbitrary<SourcePrices> = fc
  .record({ R1: fc.option(price, { freq: 3 }), R2: price })
  .map(({ R1, R2 }) => ({ ...(R1 === null ? {} : { R1: { petrol: R1 } }), R2: { petrol: R2 }, R9: { lpg: 3_000 } }));
const steps: fc.Arbitrary<Step[]> = fc
  .uniqueArray(fc.record({ hour: fc.integer({ min: 0, max: 80 }), stations, failed: fc.constant([]) }), {
    selector: ({ hour }) => hour,
    minLength: 2,
    maxLength: 6,
  })
  .map((list) => list.toSorted((a, b) => a.hour - b.hour));

/** Runs the steps; those below the highest hour so far are dated by hand. */
async function runSteps(list: readonly Step[]): Promise<void> {
  let newest = -1;
  for (const { hour, stations } of list) {
    // Every run reads all units of the register.
    fakeSource.respondsWith(stations, { units: { '1:petrol': 'read' } });
    const when = new Date(START + hour * HOUR).toISOString();
    await bench.run(when, hour < newest ? { at: Date.parse(when), scheduled: false, force: true } : { force: true });
    newest = Math.max(newest, hour);
  }
}

describe('the state known at an earlier moment', () => {
  test('is rebuilt as it was after every run', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        await emptyTables(database);
        const then: { at: number; known: ReturnType<typeof exact> }[] = [];
        for (const step of list) {
          await runSteps([step]);
          const known = (await storedState(database)).prices as unknown as KnownPrice[];
          then.push({ at: START + step.hour * HOUR, known: exact(known) });
        }
        for (const { at: when, known } of then) {
          assert.deepEqual(exact(await loadKnownPricesAsOf(database.kysely, 'register', when)), known);
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  test('is the same whatever the order the runs came in', async () => {
    const shuffled = steps.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([ascending, anyOrder]) => {
        const worlds: unknown[] = [];
        for (const list of [ascending, anyOrder]) {
          await emptyTables(database);
          await runSteps(list);
          const now = exact((await storedState(database)).prices as unknown as KnownPrice[]);
          const then = [];
          for (const { hour } of ascending)
            then.push(exact(await loadKnownPricesAsOf(database.kysely, 'register', START + hour * HOUR)));
          worlds.push({ now, then });
        }
        assert.deepEqual(worlds[1], worlds[0]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
