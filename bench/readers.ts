/**
 * What readers feel of the rest: the 99th of 100 waits of `/preturi/minime`, 2,000 times a second on 300 connections,
 * while nothing else happens, while every price of the country changes once a second, and while the same process sends
 * an alert to 10,000 subscriptions. `--long`: more rounds.
 */
import path from 'node:path';
import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { finishReport, heading, LONG, median, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { startPushService, storeAlert } from '../test/support/database/bench-alert.ts';
import { publishSweep, seedDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { CostMeter } from './harness/costs.ts';

const RECORDS = 6_000;
const RATE = 2_000;
const SECONDS = 4;
const ROUNDS = LONG ? 9 : 5;
const PUBLISH_EVERY_MS = 1_000;
/** More than are sent within a round. */
const SUBSCRIPTIONS = 10_000;
const COLLECTION_SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

heading(`${RATE} reads a second: quiet, during publications of ${RECORDS} records, during an alert`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const world = syntheticCountry(RECORDS, Date.now());
    const store = await create('readers');
    await seedDatabase(store, world);
    const settings = { DATA_DIR: path.join(folder, 'data'), SOURCES: 'register', CONTACT: 'bench@example.org' };
    const meter = await CostMeter.start(store, settings);
    const service = await startPushService();
    try {
      const read = () => meter.round({ path: '/api/v1/preturi/minime', keys: [], rate: RATE, seconds: SECONDS });
      await read();
      const waits: { quiet: number; publishing: number; alerting: number }[] = [];
      let published = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const quiet = (await read()).loadResult.p99;
        const publishing = await during(read, async () => {
          await publishSweep(store, world, published, COLLECTION_SETTINGS);
          published += 1;
        });
        if (round === 0) await storeAlert(store, service.origin, SUBSCRIPTIONS);
        else await store.pool.query('update alert_deliveries set done_at = null, outcome = null');
        const delivering = meter.deliverAlerts(service.origin);
        const alerting = (await read()).loadResult.p99;
        await delivering;
        waits.push({ quiet, publishing, alerting });
      }
      const middle = (name: keyof (typeof waits)[number]) => median(waits.map((each) => each[name]));
      const times = (name: 'publishing' | 'alerting') => median(waits.map((each) => each[name] / each.quiet));
      reportMetric('99 of 100 within, quiet', middle('quiet'), 'ms');
      reportMetric('during publications', middle('publishing'), 'ms');
      reportMetric('during an alert', middle('alerting'), 'ms');
      reportMetric('during publications, of quiet', times('publishing'), '×', { most: 2 });
      reportMetric('during an alert, of quiet', times('alerting'), '×', { most: 2 });
    } finally {
      service.close();
      await meter.end();
    }
  }),
);
finishReport();

/** The 99th of 100 waits of a round, in which `work` begins once a second. */
async function during(read: () => ReturnType<CostMeter['round']>, work: () => Promise<void>): Promise<number> {
  let working = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(work);
  }, PUBLISH_EVERY_MS);
  const { loadResult } = await read();
  clearInterval(timer);
  await working;
  return loadResult.p99;
}
