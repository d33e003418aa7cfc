/**
 * The cost of keys for the server and PostgreSQL: 5,000 requests a second at a fixed rate on 300 connections, with
 * rotating keys and without; and the cost of refused requests. `--long`: longer rounds.
 */
import path from 'node:path';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { insertKeys, unknownKeys } from '../test/support/builders/key-fixture.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { seedDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { waitFor } from '../test/support/database/embedded-database.ts';
import { CostMeter, type LoadCost } from './harness/costs.ts';

const RECORDS = 6_000;
const RATE = 5_000;
const KEYS = 5_000;
const ROUNDS = LONG ? 9 : 5;
const SECONDS = LONG ? 6 : 3;
const WARM_UP_SECONDS = 1;
const KNOWN_WITHIN_MS = 20_000;
const PRICES = '/api/v1/preturi';
const MINIME = '/api/v1/preturi/minime';
const CAPPED = '/api/v1/retele';
const NO_KEYS: readonly string[] = [];

heading(`Keys: ${RATE} requests a second, ${KEYS} keys and ten times as many, ${RECORDS} records`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const store = await create('keys');
    await seedDatabase(store, syntheticCountry(RECORDS, Date.now()));
    const few = await insertKeys(store.pool, KEYS);
    const costs = await CostMeter.start(store, {
      DATA_DIR: path.join(folder, 'data'),
      SOURCES: 'register',
      CONTACT: 'bench@example.org',
    });
    try {
      const one = await compareWithKeyless(costs, few);
      const many = [...few, ...(await insertKeys(store.pool, 9 * KEYS))];
      const ten = await compareWithKeyless(costs, many);
      reportMetric('ten times the keys, CPU a request beside a keyless one', 100 * (ten / one - 1), '% more', {
        most: 20,
      });
      await floods(costs, few[0] as string);
      await refusals(costs);
    } finally {
      await costs.end();
    }
  }),
);
finishReport();

/** Alternates rounds with and without keys; returns the cost of a request with a key as a multiple of one without. */
async function compareWithKeyless(costs: CostMeter, keys: readonly string[]): Promise<number> {
  await waitFor('the last key is known', KNOWN_WITHIN_MS, () => keyIsKnown(costs.address, keys.at(-1) as string));
  const ask = (keysToSend: readonly string[], seconds = SECONDS) =>
    costs.round({ path: PRICES, keys: keysToSend, clients: keys.length, rate: RATE, seconds });
  for (const keysToSend of [keys, NO_KEYS]) await ask(keysToSend, WARM_UP_SECONDS);
  const keyed: LoadCost[] = [];
  const keyless: LoadCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    keyless.push(await ask(NO_KEYS));
    keyed.push(await ask(keys));
  }
  for (const cost of [...keyed, ...keyless]) assertStatus(200, cost);
  note(`\n${keys.length} keys, each asking ${(RATE / keys.length).toFixed(1)} times a second`);
  note(`without a key: ${costSummary(keyless)}\nwith a key:    ${costSummary(keyed)}`);
  const times = median(keyed.map((cost, round) => cpuPerRequest(cost) / cpuPerRequest(keyless[round] as LoadCost)));
  reportMetric('CPU of a request with a key, of one without', times, '×', { most: 2.2 });
  const reached = median(keyed.map(({ loadResult: { seconds } }) => (RATE * SECONDS) / seconds));
  reportMetric('answered', reached, 'a second', { least: 0.99 * RATE });
  reportMetric('half of them within', median(keyed.map(({ loadResult }) => loadResult.p50)), 'ms');
  reportMetric('99 of 100 within', median(keyed.map(({ loadResult }) => loadResult.p99)), 'ms', { most: 50 });
  return times;
}

/** Floods of refused requests: the database does no more work than at rest. */
async function floods(costs: CostMeter, key: string): Promise<void> {
  const attacks = [
    { name: 'one key far above its pace', path: PRICES, keys: [key], status: 429 },
    { name: 'one address far above its weekly cap', path: CAPPED, keys: NO_KEYS, status: 429 },
    { name: 'well-formed keys that nobody has', path: PRICES, keys: unknownKeys(RATE), status: 401 },
  ];
  for (const { name, status, ...what } of attacks) {
    await costs.round({ ...what, rate: RATE, seconds: 1 });
    const rest = await costs.idle(SECONDS);
    const flood = await costs.round({ ...what, rate: RATE, seconds: SECONDS });
    assertStatus(status, flood, 10 * SECONDS);
    note(`\n${name}: ${costSummary([flood])}`);
    reportMetric('PostgreSQL above rest', (flood.postgres - rest.postgres) / SECONDS, 'ms CPU a second', { most: 20 });
    const more = (flood.transactions - rest.transactions) / SECONDS;
    reportMetric('transactions above rest', more, 'a second', { most: 30 });
  }
}

/** Compares a refusal by the weekly cap with an answer of an unlimited endpoint. */
async function refusals(costs: CostMeter): Promise<void> {
  const ask = (asked: string) => costs.round({ path: asked, keys: NO_KEYS, rate: RATE, seconds: SECONDS });
  const times: number[] = [];
  // Both cost about the same: it takes more rounds to see which costs less.
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const open = await ask(MINIME);
    const refused = await ask(CAPPED);
    assertStatus(429, refused);
    times.push(refused.server / open.server);
  }
  note('');
  reportMetric('CPU of a capped endpoint refusing, of an answer to all', median(times), '×', { most: 1.05 });
}

async function keyIsKnown(address: string, key: string): Promise<boolean> {
  const { headers } = await fetch(address + MINIME, { headers: { 'X-Api-Key': key } });
  return headers.has('x-ratelimit-limit');
}

/** Throws when more than a few answers have another status: the round would be meaningless. */
function assertStatus(status: number, { loadResult: { statuses } }: LoadCost, others = 0): void {
  const wrong = Object.entries(statuses).filter(([each]) => Number(each) !== status);
  if (wrong.reduce((sum, [, count]) => sum + count, 0) > others)
    throw new Error(`answered ${JSON.stringify(statuses)}, not ${status}`);
}

function requestCount({ loadResult: { statuses } }: LoadCost): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}

function cpuPerRequest(cost: LoadCost): number {
  return (cost.server + cost.postgres) / requestCount(cost);
}

/** The medians as text. */
function costSummary(costs: readonly LoadCost[]): string {
  const each = (value: (cost: LoadCost) => number) =>
    median(costs.map((cost) => (1000 * value(cost)) / requestCount(cost)));
  const times = `p50 ${median(costs.map((cost) => cost.loadResult.p50)).toFixed(1)} ms`;
  const shown = (value: (cost: LoadCost) => number) => `${each(value).toFixed(1)} µs`;
  return `server ${shown(({ server }) => server)}, PostgreSQL ${shown(({ postgres }) => postgres)} a request; ${times}`;
}
