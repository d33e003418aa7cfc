/**
 * Three rounds of `test/resilience/long/database.ts`, with a seed that hits one collection as it asks and one as it publishes. How soon is
 * bounded loosely here, where processes compete for the machine; `contract/outage.test.ts` holds the 2 and the 5 seconds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultName } from './engine/database-faults.ts';
import { databaseRounds } from './engine/database-rounds.ts';

const FAULTS: readonly FaultName[] = ['killed', 'black hole', 'black hole, all comes late'];

test('whatever becomes of the database, prices are read, collections are whole or nothing, and all is served again by itself', async () => {
  const plan = {
    rounds: FAULTS.length,
    seed: 18,
    faults: FAULTS,
    smallDisks: false,
    longestMs: 800,
    answeredWithinMs: 5_000,
  };
  const report = await databaseRounds(plan);
  assert.deepEqual(report.violations, []);
  assert.deepEqual(
    [...report.faults.keys()],
    ['killed, collection asking', 'black hole', 'black hole, all comes late, collection publishing'],
  );
  assert.ok(report.reads > 100);
  for (const [fault, ms] of report.answeredAgainMs)
    assert.ok(ms < 10_000, `${fault}: answered as usual after ${ms} ms`);
});
