/** `kill -9` of collector, keeper, PostgreSQL and server at random points, while readers check every answer. */
import { parseArgs } from 'node:util';
import { type KillReport, killRounds } from '../engine/kill-rounds.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.kills);
const seed = Number(values.seed);

console.log(`kill -9 at random points: ${wanted} kills, seed ${seed}`);
const begun = performance.now();
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const report = await killRounds({
  kills: wanted,
  seed,
  leaseMs: 3_000,
  plainEvery: 20,
  plainRecoveryEvery: 4,
  signal: stop.signal,
  onRound: (round, line) => console.log(`${String(round + 1).padStart(4)} ${line}`),
});
const killCount = [...report.kills.values()].reduce((sum, count) => sum + count, 0);
printReport(report);
process.exitCode = report.violations.length === 0 && killCount >= wanted ? 0 : 1;

function printReport({ kills, tooLate, collections, imports, halfWritten, ...rest }: KillReport): void {
  for (const [name, count] of [...kills].sort()) console.log(`${name.padEnd(30)} ${String(count).padStart(4)}`);
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  console.log(`kills: ${killCount} of ${wanted}, in ${minutes} minutes; rounds too late for their victim: ${tooLate}`);
  console.log(
    `collections: ${collections.acknowledged} acknowledged, ${collections.cutOffButStored} cut off after their commit, ` +
      `${collections.storedNothing} cut off before it; imports acknowledged or found whole: ${imports}`,
  );
  console.log(`answers checked: ${rest.reads}; starts that began with an older last good state: ${rest.staleStarts}`);
  console.log(`longest time until the next collection was done: ${(rest.slowestRecoveryMs / 1000).toFixed(1)} s`);
  console.log(
    `half-written files left: ${halfWritten.lastGood} of the last good state, ${halfWritten.archive} of the archive`,
  );
  for (const violation of rest.violations) console.log(`VIOLATION ${violation}`);
  console.log(rest.violations.length === 0 ? 'no violation' : `${rest.violations.length} violations`);
}
