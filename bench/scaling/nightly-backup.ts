/**
 * A nightly backup of a year of 2,000 stations, made, restored for a check and drilled as the worker does it: seconds,
 * memory, and what reads beside it feel. `--long`: three years.
 */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBackupProcess, runDrillProcess } from '../../src/app/backups/run-backup-process.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { recordBackup } from '../../src/store/backup/backup-runs.ts';
import { withIdleTimeout } from '../../src/store/connection/idle-timeout.ts';
import {
  finishReport,
  heading,
  LONG,
  note,
  reportMetric,
  withTempFolder,
} from '../../test/support/benchmark-report.ts';
import { syntheticCountry } from '../../test/support/builders/synthetic-country.ts';
import { type BenchDatabase, seedDatabase, withDatabaseServer } from '../../test/support/database/bench-database.ts';
import { childrenOf, residentMb, startChild } from '../../test/support/processes/child-process.ts';
import { addOlderHistory } from '../harness/older-history.ts';

/** With 4.2 fuels a station: 2,000 stations. */
const RECORDS = 8_400;
const YEARS = LONG ? 3 : 1;
const IDLE_TIMEOUT_MS = 600_000;
const SAMPLE_INTERVAL_MS = 20;
/** One read after another, a hundred a second at most: what a visitor waits, not what the server can do. */
const READ_INTERVAL_MS = 10;
const QUIET_MS = 20_000;

heading(`A nightly backup of ${YEARS} year(s) of 2,000 stations, beside reads of one serve`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const store = await create('nightly');
    await seedDatabase(store, syntheticCountry(RECORDS, Date.now()));
    await withIdleTimeout(IDLE_TIMEOUT_MS, () => addOlderHistory(store, YEARS));
    const serve = await startServe(store, folder);
    try {
      await measure(store, folder, serve.address);
    } finally {
      serve.process.kill('SIGTERM');
      await serve.exited;
    }
  }),
);
finishReport();

async function measure(store: BenchDatabase, dataDir: string, address: string): Promise<void> {
  const folder = path.join(dataDir, 'backups');
  mkdirSync(folder);
  const now = Date.now();
  const never = new AbortController().signal;
  const task = {
    ...{
      directUrl: null,
      databaseUrl: store.url,
      dataDir,
      folder,
      program: 'bench',
      now,
      ranges: DEFAULT_RANGES,
      inService: null,
    },
  };
  const quiet = await whileReading(address, () => sleep(QUIET_MS));
  reportReads('reads without a backup', quiet.times);
  const backup = await whileReading(address, () => runBackupProcess(task, never));
  reportReads('reads beside a backup', backup.times);
  reportMetric('backup, restored for a check', backup.seconds, 's', { most: 120 });
  reportMetric('its process: resident memory at its peak', backup.peakMb, 'MB', { most: 350 });
  reportMetric('size of the file', backup.result.bytes / 1e6, 'MB');
  await recordBackup(store.kysely, { startedAt: now, finishedAt: Date.now() }, backup.result);
  const drill = await whileReading(address, () => runDrillProcess(task, backup.result.file, never));
  reportReads('reads beside a drill', drill.times);
  reportMetric('drill', drill.seconds, 's', { most: 120 });
  reportMetric('its process: resident memory at its peak', drill.peakMb, 'MB', { most: 350 });
  const { differences, failure, compared } = drill.result;
  if (failure !== null || differences.length > 0) throw new Error(`the drill: ${failure ?? differences.join(', ')}`);
  note(`${compared.length} answers are the same`);
}

function reportReads(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  note(`${name}: ${sorted.length} of /preturi/minime`);
  for (const share of [0.5, 0.99, 0.999]) reportMetric(`  p${share * 100}`, at(share), 'ms');
}

/** Reads until `work` has ended, and watches the memory of the processes that it starts. */
async function whileReading<T>(address: string, work: () => Promise<T>) {
  const before = new Set(childrenOf(process.pid));
  const stop = new AbortController();
  const times: number[] = [];
  let peakMb = 0;
  const watch = setInterval(() => {
    for (const pid of childrenOf(process.pid).filter((one) => !before.has(one)))
      try {
        peakMb = Math.max(peakMb, residentMb(pid).peak || 0);
      } catch {
        // It has just ended.
      }
  }, SAMPLE_INTERVAL_MS);
  const begun = performance.now();
  const reading = readUntil(stop.signal, address, times);
  const result = await work().finally(() => clearInterval(watch));
  const seconds = (performance.now() - begun) / 1000;
  stop.abort();
  await reading;
  return { result, seconds, times, peakMb };
}

async function readUntil(stop: AbortSignal, address: string, times: number[]): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  while (!stop.aborted) {
    const begun = performance.now();
    const [response] = (await once(http.get(`${address}/api/v1/preturi/minime`, { agent }), 'response')) as [
      http.IncomingMessage,
    ];
    await once(response.resume(), 'end');
    const took = performance.now() - begun;
    times.push(took);
    await sleep(Math.max(0, READ_INTERVAL_MS - took));
  }
  agent.destroy();
}

async function startServe(store: BenchDatabase, dataDir: string) {
  const settings = { DATABASE_URL: store.url, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', TRUSTED_PROXIES: '' };
  const { process: child } = startChild('bin/pompa', ['serve', '--no-worker'], settings);
  const exited = once(child, 'exit');
  for await (const text of child.stdout ?? []) {
    const address = /listening on (\S+)/.exec(String(text))?.[1];
    if (address !== undefined) return { address, process: child, exited };
  }
  throw new Error('serve ended');
}
