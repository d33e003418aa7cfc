/**
 * The database is killed, restarted, unreachable, slow or out of disk space while readers check every answer. Only the
 * long form asserts how long an answer and a recovery take; `contract/outage.test.ts` does so within one process on any
 * machine.
 */
import assert from 'node:assert/strict';
import os from 'node:os';
import { type TestContext, test } from 'node:test';
import { addReport, printProgress, RUN, roundsOf, seedOf, selected } from '../support/run-settings.ts';
import { type DatabaseReport, FAULT_NAMES, type FaultName, NEED_SMALL_DISKS } from './engine/database-faults.ts';
import { RemoteDatabase } from './engine/remote-database.ts';
import { databaseRounds } from './rounds/database-rounds.ts';

const IS_LONG = RUN.length === 'long';
const RESTARTS: readonly FaultName[] = ['killed', 'restarted fast', 'restarted at once'];
const SMALL_DISKS = RemoteDatabase.canMount();

test('prices are served during every fault of the database, collections are stored completely or not at all, and everything recovers by itself', async (t) => {
  const possible = FAULT_NAMES.filter((name) => SMALL_DISKS || !NEED_SMALL_DISKS.includes(name));
  const faults = selected(possible);
  if (!SMALL_DISKS) t.diagnostic('cannot mount small disks (only root can): full disks are left out');
  const rounds = roundsOf({ medium: faults.length, long: 6 * faults.length });
  await runRounds(t, faults, rounds);
});

if (RUN.only === undefined) {
  test('prices are served however often the database is restarted, and everything recovers by itself', async (t) => {
    await runRounds(t, RESTARTS, roundsOf({ medium: 3, long: 50 }));
  });
}

async function runRounds(t: TestContext, faults: readonly FaultName[], rounds: number): Promise<void> {
  const load = () => os.loadavg()[0]?.toFixed(1);
  const before = load();
  const result = await databaseRounds({
    rounds,
    seed: seedOf(1),
    faults,
    smallDisks: SMALL_DISKS,
    longestMs: IS_LONG ? Number.POSITIVE_INFINITY : 800,
    answeredWithinMs: IS_LONG ? 2_000 : 10_000,
    onRound: (number, line) => printProgress(`${String(number + 1).padStart(4)} ${line}`),
  });
  addReport(t, [`${rounds} rounds; load ${before} before, ${load()} after`, ...linesOf(result)]);
  assert.deepEqual(result.violations, []);
  if (IS_LONG) assert.deepEqual(result.late, []);
  assert.ok(result.reads > 30 * rounds);
}

function linesOf(report: DatabaseReport): string[] {
  const { faults, recoveryMs, answeredAgainMs, collections } = report;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const slowest = (what: string, times: ReadonlyMap<string, number>) =>
    [...times].sort().map(([name, ms]) => `${what} after ${name}, at most: ${seconds(ms)}`);
  return [
    ...[...faults].sort().map(([name, count]) => `${name.padEnd(58)} ${String(count).padStart(4)}`),
    ...slowest('new collection served', recoveryMs),
    ...slowest('answered as usual', answeredAgainMs),
    `of that from the end of the collection, at most: ${seconds(report.slowestServedMs)}`,
    ...report.late.map((late) => `LATE ${late}`),
    `collections that a fault hit: ${collections.done} done, ${collections.cutOffButStored} cut off after their ` +
      `commit, ${collections.storedNothing} cut off before it; the last one ended ${seconds(report.slowestEndMs)} later`,
    `answers checked: ${report.reads}; the slowest took ${seconds(report.slowestAnswerMs)}`,
  ];
}
