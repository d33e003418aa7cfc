/**
 * `pompa collect` with another lease and fewer units, which no setting can change. Called as `collector.ts LEASE_MS
 * UNITS`, units as a JSON list. Its output and exit codes are those of the command.
 */
import { pino } from 'pino';
import { openMigrated } from '../../../src/app/database/configured-database.ts';
import { createCollector } from '../../../src/app/scheduled-work/create-collector.ts';
import { failureText } from '../../../src/cli/reports/run-report.ts';
import { readConfig } from '../../../src/config/config.ts';
import { registerSource } from '../../../src/sources/register/register.ts';
import { type Collector, collect } from '../../../src/worker/collection/collect.ts';
import { currentRecords } from '../../../src/worker/collection/count-records.ts';

const LEASE_WAIT_MS = 600_000;
const [leaseMs, units] = process.argv.slice(2).map((text) => JSON.parse(text)) as [number, number[]];

const config = readConfig();
const log = pino({ level: config.LOG_LEVEL }, pino.destination(2));
try {
  await run();
} catch (error) {
  console.error(`pompa: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const database = await openMigrated(config, log);
  try {
    const defaults = createCollector(config, database, log);
    const configuredSources = new Map(
      [...defaults.configuredSources].map(([name, configured]) => [
        name,
        { ...configured, source: registerSource({ units }) },
      ]),
    );
    const collector: Collector = { ...defaults, leaseMs, configuredSources };
    const { runs, version } = await collect(collector, {
      sources: ['register'],
      at: null,
      fromArchive: false,
      force: false,
      scheduled: true,
      waitMs: LEASE_WAIT_MS,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    const records = await currentRecords(database, collector.settings, Date.now());
    const failed = runs.filter(({ outcome }) => outcome !== 'delivered');
    if (failed.length > 0) throw new Error(failed.map(failureText).join('; '));
    console.log(`published version ${version}: ${records} records`);
  } finally {
    await database.close();
  }
}
