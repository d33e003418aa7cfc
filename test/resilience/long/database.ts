/** The database killed, restarted, black-holed, slow, out of disk, while readers check every answer. */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { FAULT_NAMES, type FaultName, NEED_SMALL_DISKS } from '../engine/database-faults.ts';
import { type DatabaseReport, databaseRounds } from '../engine/database-rounds.ts';
import { RemoteDatabase } from '../engine/remote-database.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    restarts: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const RESTARTS: readonly FaultName[] = ['killed', 'restarted fast', 'restarted at once'];
/** Rounds of each fault. */
const EACH = 6;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const smallDisks = RemoteDatabase.canMount();
if (!smallDisks) console.log('no small disk can be mounted here (that takes root): nothing is said of full disks');
const all = FAULT_NAMES.filter((name) => smallDisks || !NEED_SMALL_DISKS.includes(name));
const chosen = values.only === undefined ? all : all.filter((name) => name === values.only);
const rounds = Number(values.rounds ?? EACH * chosen.length);

await runRounds('faults', chosen, rounds);
if (values.only === undefined) await runRounds('restarts', RESTARTS, Number(values.restarts));

async function runRounds(what: string, faults: readonly FaultName[], count: number): Promise<void> {
  console.log(`${what}: ${count} rounds, seed ${seed}; load ${os.loadavg()[0]?.toFixed(1)}`);
  const begun = performance.now();
  const report = await databaseRounds({
    rounds: count,
    seed,
    faults,
    smallDisks,
    longestMs: Number.POSITIVE_INFINITY,
    answeredWithinMs: 2_000,
    signal: stop.signal,
    onRound: (number, line) => console.log(`${String(number + 1).padStart(4)} ${line}`),
  });
  printReport(report);
  console.log(`${((performance.now() - begun) / 60_000).toFixed(1)} minutes; load ${os.loadavg()[0]?.toFixed(1)}`);
  if (report.violations.length + report.late.length > 0) process.exitCode = 1;
}

function printReport(report: DatabaseReport): void {
  const { faults, recoveryMs, collections, violations } = report;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  for (const [name, count] of [...faults].sort()) console.log(`${name.padEnd(58)} ${String(count).padStart(4)}`);
  for (const [name, ms] of [...recoveryMs].sort())
    console.log(`served again after ${name}, at the latest: ${seconds(ms)}`);
  for (const [name, ms] of [...report.answeredAgainMs].sort())
    console.log(`answered as usual after ${name}, at the latest: ${seconds(ms)}`);
  console.log(`of that from the end of the collection, at the latest: ${seconds(report.slowestServedMs)}`);
  for (const late of report.late) console.log(`LATE ${late}`);
  console.log(
    `collections that a fault came upon: ${collections.done} done, ${collections.cutOffButStored} cut off after ` +
      `their commit, ${collections.storedNothing} cut off before it; the last one ended ${seconds(report.slowestEndMs)} later`,
  );
  console.log(`answers checked: ${report.reads}; the slowest took ${seconds(report.slowestAnswerMs)}`);
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
}
