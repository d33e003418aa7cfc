/** The whole service on a simulated country, until it is stopped. */

import type { Logger } from 'pino';
import { whenAborted } from '../../concurrency/when-aborted.ts';
import type { Config } from '../../config/config.ts';
import { IMPORTED_DAYS } from '../../domain/prices/sourced-day.ts';
import { type ManualPriceRow, manualPrices, movingPrice } from '../../simulation/country/manual-stations.ts';
import { startSimulatedLocator } from '../../simulation/feeds/locator-server.ts';
import { startSimulatedRegister } from '../../simulation/register/register-server.ts';
import { startSimulatedTankerkoenig } from '../../simulation/tankerkoenig-server.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { currentVersion } from '../../store/prices/publication.ts';
import type { Terminal } from '../command.ts';
import { startScheduledWork } from '../scheduled-work/start-scheduled-work.ts';
import { startService } from '../start-service.ts';
import {
  bringUpToDate,
  importManualPrices,
  loadCountry,
  SILENT_LIST,
  SILENT_LOCATOR,
  silentListFile,
} from './demo-data.ts';
import { loadOrCreateDemoKey } from './demo-key.ts';
import { startDemoPush } from './demo-push.ts';
import { seedDemoReports } from './demo-reports.ts';
import { seedDemoReviews } from './demo-reviews.ts';
import { type DemoSelling, startDemoSelling } from './demo-selling.ts';
import { fillYearOfStatistics } from './demo-statistics.ts';

/** Manual reports are withdrawn after 24 hours: the demo imports new ones twice a day. */
const MANUAL_EVERY_MS = 12 * 3_600_000;
/** One price moves as often, so that the feed of changes and webhooks have something to tell. */
const MOVING_EVERY_MS = 60_000;

/** Every demo has the same Germany: apart from the cache, nothing of it is stored. */
const GERMAN_SEED = 49;

type Closable = { close(): Promise<void> };

export type DemoOptions = {
  /** What the user has set. */
  readonly userConfig: Config;
  /** Where the demo keeps its data. */
  readonly folder: string;
  /** Whether a new country has a source that has been silent for three days. */
  readonly silentSource: boolean;
  /** Whether no price moves between collections. */
  readonly still: boolean;
  readonly terminal: Terminal;
  readonly log: Logger;
  readonly signal: AbortSignal;
};

/** Runs the demo until `signal` is aborted. Throws `ConfigError` or `CommandError` where it cannot start. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { userConfig, folder, silentSource, still, terminal, log, signal } = options;
  // Closed in the opposite order, however the demo ends: a server left open would keep the process.
  await using running = new AsyncDisposableStack();
  const closedAtEnd = <T extends Closable>(started: T): T => running.adopt(started, (each) => each.close());
  const country = await loadCountry(folder);
  const register = closedAtEnd(await startSimulatedRegister({ country, clock: Date.now }));
  const locator = closedAtEnd(await startSimulatedLocator(country));
  const push = closedAtEnd(await startDemoPush(userConfig, folder, terminal));
  const selling = closedAtEnd(await startDemoSelling(folder));
  const germany = closedAtEnd(await startSimulatedTankerkoenig({ seed: GERMAN_SEED, clock: Date.now }));
  const sources = ['register', 'manual', SILENT_LOCATOR, ...(silentSource ? [SILENT_LIST] : [])];
  const config: Config = {
    ...userConfig,
    ...push.settings,
    ...selling.settings,
    DATA_DIR: folder,
    SOURCES: sources,
    // Nobody else has rights to simulated data.
    DUMP_SOURCES: [...sources, IMPORTED_DAYS],
    priceLists: new Map([[SILENT_LIST, silentListFile(folder)]]),
    REGISTER_URL: register.url,
    LOCATOR_MOL_URL: locator.molUrl,
    REGISTER_PAUSE_MS: 0,
    REGISTER_PARALLEL: 16,
    TANKERKOENIG_URL: germany.url,
    TANKERKOENIG_API_KEY: 'simulated',
    // The simulated register needs no polite pace.
    TANKERKOENIG_PER_HOUR: 1_000,
  };
  log.warn('ALL DATA ARE SIMULATED: this is pompa demo, not real prices');
  const service = closedAtEnd(await startService({ config, log, worker: false, simulated: true, signal }));
  terminal.out(`listening on ${service.address}`);
  selling.postEventsTo(service.address);
  const stopRequested = whenAborted(signal);
  const working = service.database.then(async (database) => {
    if (database === null) return async () => undefined;
    printInstructions(
      terminal,
      service.address,
      await loadOrCreateDemoKey(database, folder),
      push.curl(service.address),
    );
    printSellingInstructions(terminal, service.address, selling);
    const whenServed = async () => {
      await Promise.race([service.follower.waitForVersion(await currentVersion(database)), stopRequested]);
      signal.throwIfAborted();
    };
    const data = { config, database, country, register, locator, whenServed, log, signal };
    await bringUpToDate(data);
    await whenServed();
    await seedDemoReports(database, service.snapshot());
    printReviewInstructions(terminal, service.address, folder, await seedDemoReviews(database, service.snapshot()));
    await fillYearOfStatistics(data);
    const bring = (rows: readonly ManualPriceRow[]) => importManualPrices(database, config, rows);
    const stopWork = startDemoWork(config, database, log, [
      [MANUAL_EVERY_MS, () => bring(manualPrices(country, Date.now()))],
      ...(still ? [] : [[MOVING_EVERY_MS, () => bring([movingPrice(country, Date.now())])] as const]),
    ]);
    const stopAlerting = push.alertNewSubscribers(database, service.snapshot, log);
    return async () => {
      stopAlerting();
      await stopWork();
    };
  });
  try {
    await Promise.race([stopRequested, working.then(() => stopRequested)]);
  } finally {
    const stop = await working.catch(() => undefined);
    await stop?.();
  }
}

/** Starts the scheduled work and the regular imports of manual reports; the returned function stops all. */
function startDemoWork(
  config: Config,
  database: Database<Schema>,
  log: Logger,
  imports: readonly (readonly [everyMs: number, run: () => Promise<void>])[],
): () => Promise<void> {
  const worker = startScheduledWork(config, database, log, { simulated: true });
  let last = Promise.resolve();
  const timers = imports.map(([everyMs, run]) =>
    setInterval(() => {
      last = last.then(run).catch((error: Error) => log.warn(`the manual reports were not imported: ${error.message}`));
    }, everyMs),
  );
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await last;
    await worker.close();
  };
}

function printInstructions(terminal: Terminal, address: string, key: string, subscribe: string): void {
  for (const line of [
    '',
    'ALL DATA ARE SIMULATED. Prices appear within seconds; until then /health answers 503. Try:',
    '',
    `  curl ${address}/api/v1/preturi/minime`,
    `  curl '${address}/api/v1/statii?lat=44.4325&lon=26.1039&raza=5'`,
    `  curl -H 'X-Api-Key: ${key}' ${address}/api/v1/judete/Cluj`,
    `  curl '${address}/api/v1/de-statii?lat=52.52&lng=13.4&rad=5'`,
    '',
    "A price alert: subscribe a simulated browser to the demo's own push service; the message appears here shortly.",
    '',
    `  ${subscribe}`,
    '',
    `The key of this demo: ${key}`,
    `The site: ${address}/   The API explained: ${address}/docs   Stop with Ctrl+C`,
  ]) {
    terminal.out(line);
  }
}

function printSellingInstructions(terminal: Terminal, address: string, { stripePage, mailPage }: DemoSelling): void {
  for (const line of [
    '',
    'Plans are sold and free keys are given, all simulated: order one, pay, and read the mail with the key.',
    '',
    `  The plans: ${address}/planuri`,
    `  Cutia poștală simulată: ${mailPage}`,
    `  Stripe simulat: ${stripePage}`,
  ]) {
    terminal.out(line);
  }
}

function printReviewInstructions(terminal: Terminal, address: string, folder: string, slug: string | null): void {
  if (slug === null) return;
  terminal.out('');
  terminal.out('There are simulated reviews; the second command shows those that wait for approval:');
  terminal.out('');
  terminal.out(`  curl ${address}/api/v1/reviews/${slug}`);
  terminal.out(`  DATA_DIR='${folder}' bin/pompa reviews pending`);
}
