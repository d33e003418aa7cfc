/**
 * The cost of decisions on limits for the database: keys in tables of 5,000 and 50,000, capped clients in tables of
 * 1,000 and 1,000,000, and maintenance. `--long` makes longer rounds.
 */
import { pruneLimits } from '../src/store/limits/prune-limits.ts';
import { takeWeeklyCaps } from '../src/store/limits/weekly-cap-queries.ts';
import { finishReport, heading, median, note, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { type BenchDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import {
  type BatchCost,
  benchmarkHasher,
  clientBatches,
  fillCaps,
  keyBatches,
  runAlternating,
} from './harness/limit-costs.ts';

const FEW_KEYS = 5_000;
const MANY_KEYS = 50_000;
const FEW_CLIENTS = 1_000;
const MANY_CLIENTS = 1_000_000;
const OTHER_ENDPOINT = '/api/v1/judete/{judet}';

heading('Decisions on limits: CPU of the database server, by a single connection, in batches of 50');
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const keys = [await keyBatches(await create('few_keys'), FEW_KEYS)];
    keys.push(await keyBatches(await create('many_keys'), MANY_KEYS));
    printCosts('of 5,000 keys', 'of 50,000', await runAlternating(keys), 1.2);
    const clients = [await clientBatches(await create('few_clients'), FEW_CLIENTS)];
    const many = await create('many_clients');
    clients.push(await clientBatches(many, MANY_CLIENTS));
    printCosts('of 1,000 capped clients', 'of 1,000,000', await runAlternating(clients), 1.5);
    await benchmarkMaintenance(many);
  }),
);
finishReport();

/** Deletes a million expired rows while others send requests. */
async function benchmarkMaintenance(store: BenchDatabase): Promise<void> {
  await fillCaps(
    store,
    MANY_CLIENTS,
    `substr(sha256((-n)::text::bytea), 1, 16), '${OTHER_ENDPOINT}', now() - interval '8 days'`,
  );
  let done = false;
  const pruning = async () => {
    const begun = performance.now();
    const removed = await pruneLimits(store.pool).finally(() => {
      done = true;
    });
    return { removed, seconds: (performance.now() - begun) / 1_000 };
  };
  const hasher = await benchmarkHasher(store);
  const asking = async () => {
    const waits: number[] = [];
    for (let number = 0; !done; number += 1) {
      const begun = performance.now();
      await takeWeeklyCaps(store, [{ client: `${number}`, endpoint: OTHER_ENDPOINT }], hasher, 60_000);
      waits.push(performance.now() - begun);
    }
    return waits;
  };
  const [{ removed, seconds }, waits] = await Promise.all([pruning(), asking()]);
  reportMetric(`maintenance: ${removed} rows deleted, for 100,000 of them`, (seconds / removed) * 100_000, 's', {
    most: 2,
  });
  reportMetric('a decision meanwhile, median', median(waits), 'ms');
  reportMetric('the slowest', Math.max(...waits), 'ms', { most: 800 });
  const idle = performance.now();
  await pruneLimits(store.pool);
  reportMetric('maintenance with nothing to delete, a million rows', performance.now() - idle, 'ms', { most: 1_000 });
}

function printCosts(few: string, many: string, costs: readonly BatchCost[], most: number): void {
  const [less, more] = costs as [BatchCost, BatchCost];
  reportMetric(`a request ${few}`, less.cpuUs, 'µs CPU');
  reportMetric(`a request ${many}`, more.cpuUs, 'µs CPU');
  note(`a batch takes ${less.ms.toFixed(1)} and ${more.ms.toFixed(1)} ms, its commit included`);
  reportMetric(`${many} to ${few.replace('of ', '')}, CPU`, more.cpuUs / less.cpuUs, '×', { most });
}
