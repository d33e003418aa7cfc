/** `pompa demo`: the whole service on a simulated country, no network needed. */
import path from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import { manualPrices } from '../demo/manual-stations.ts';
import { startSimulatedRegister } from '../demo/register-server.ts';
import type { Database } from '../store/database.ts';
import type { Schema } from '../store/schema.ts';
import { startWorker } from '../worker/schedule.ts';
import { bringUpToDate, importManualPrices, loadCountry } from './demo-data.ts';
import { collectorOf, createLog, scheduleOf } from './parts.ts';
import { startServing } from './serving.ts';
import type { Terminal, Verb } from './verb.ts';

/** Manual reports are withdrawn after 24 hours: they come in anew twice a day. */
const MANUAL_EVERY_MS = 12 * 3_600_000;

export const demoVerb: Verb = {
  name: 'demo',
  usage: 'demo',
  details: `A simulated national register on loopback, collections from it, the worker, the API and the site, with its own
data in DATA_DIR/demo. PORT, HOST and DATA_DIR are honoured. ALL DATA ARE SIMULATED.`,
  flags: {},
  words: { least: 0, most: 0 },
  async run({ config: given, terminal, signal }) {
    if (given.DATABASE_URL !== null) {
      throw new ConfigError(
        'DATABASE_URL must be unset for pompa demo: simulated data belong in a database of their own',
      );
    }
    const folder = path.join(given.DATA_DIR, 'demo');
    const country = await loadCountry(folder);
    const register = await startSimulatedRegister({ country, clock: Date.now });
    const config: Config = {
      ...given,
      DATA_DIR: folder,
      SOURCES: ['register', 'manual'],
      REGISTER_URL: register.url,
      REGISTER_PAUSE_MS: 0,
      REGISTER_PARALLEL: 16,
    };
    const log = createLog(config);
    log.warn('ALL DATA ARE SIMULATED: this is pompa demo, not real prices');
    const serving = await startServing({ config, log, worker: false, simulated: true, signal });
    terminal.out(`listening on ${serving.address}`);
    tell(terminal, serving.address);
    const stopped = new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), { once: true }));
    const working = serving.database.then(async (database) => {
      if (database === null) return async () => undefined;
      await bringUpToDate({ config, database, country, register, log, signal });
      return work(config, database, () => importManualPrices(database, config, manualPrices(country, Date.now())));
    });
    try {
      await Promise.race([stopped, working.then(() => stopped)]);
    } finally {
      const stop = await working.catch(() => undefined);
      await stop?.();
      await serving.close();
      await register.close();
    }
    return 0;
  },
};

/** The scheduled work, and manual reports in good time; the result stops both. */
function work(config: Config, database: Database<Schema>, reportManually: () => Promise<void>): () => Promise<void> {
  const log = createLog(config);
  const worker = startWorker(scheduleOf(config, collectorOf(config, database, log), log));
  const timer = setInterval(() => {
    reportManually().catch((error: Error) => log.warn(`the manual reports were not taken in: ${error.message}`));
  }, MANUAL_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await worker.close();
  };
}

function tell(terminal: Terminal, address: string): void {
  for (const line of [
    '',
    'ALL DATA ARE SIMULATED. Prices appear within seconds; until then health says 503. Try:',
    '',
    `  curl ${address}/api/v1/preturi/minime`,
    `  curl '${address}/api/v1/statii?lat=44.4325&lon=26.1039&raza=5'`,
    `  curl ${address}/api/v1/judete/Cluj`,
    '',
    `The site: ${address}/   The API explained: ${address}/docs   Stop with Ctrl+C`,
  ]) {
    terminal.out(line);
  }
}
