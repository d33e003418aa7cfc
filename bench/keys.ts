/**
 * What keys cost the server and PostgreSQL: 5,000 requests a second, due whether answers come or not, on 300
 * connections, with a key each in turn and without; and what those cost that are refused. `--long` for longer rounds.
 */
import path from 'node:path';
import { fill, withServer } from '../test/support/bench-database.ts';
import { until } from '../test/support/embedded-database.ts';
import { giveOutKeys, inventedKeys } from '../test/support/key-fixture.ts';
import { conclude, figure, heading, inFolder, LONG, median, note } from '../test/support/report.ts';
import { synthesise } from '../test/support/synthetic-country.ts';
import { type Cost, Costs } from './harness/costs.ts';

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
await inFolder((folder) =>
  withServer(folder, async (create) => {
    const store = await create('keys');
    await fill(store, synthesise(RECORDS, Date.now()));
    const few = await giveOutKeys(store.pool, KEYS);
    const costs = await Costs.of(store, {
      DATA_DIR: path.join(folder, 'data'),
      SOURCES: 'register',
      CONTACT: 'bench@example.org',
    });
    try {
      const one = await beside(costs, few);
      const many = [...few, ...(await giveOutKeys(store.pool, 9 * KEYS))];
      const ten = await beside(costs, many);
      figure('ten times the keys, CPU a request beside a keyless one', 100 * (ten / one - 1), '% more', { most: 20 });
      await floods(costs, few[0] as string);
      await refusals(costs);
    } finally {
      await costs.end();
    }
  }),
);
conclude();

/** Rounds with keys and without by turns; gives how many times a keyless request one with a key costs. */
async function beside(costs: Costs, keys: readonly string[]): Promise<number> {
  await until('the last key is known', KNOWN_WITHIN_MS, () => knows(costs.address, keys.at(-1) as string));
  const ask = (with_: readonly string[], seconds = SECONDS) =>
    costs.round({ path: PRICES, keys: with_, rate: RATE, seconds });
  for (const with_ of [keys, NO_KEYS]) await ask(with_, WARM_UP_SECONDS);
  const keyed: Cost[] = [];
  const keyless: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    keyless.push(await ask(NO_KEYS));
    keyed.push(await ask(keys));
  }
  for (const cost of [...keyed, ...keyless]) only(200, cost);
  note(`\n${keys.length} keys, each asking ${(RATE / keys.length).toFixed(1)} times a second`);
  note(`without a key: ${shares(keyless)}\nwith a key:    ${shares(keyed)}`);
  const times = median(keyed.map((cost, round) => together(cost) / together(keyless[round] as Cost)));
  figure('CPU of a request with a key, of one without', times, '×', { most: 3 });
  const reached = median(keyed.map(({ answered: { seconds } }) => (RATE * SECONDS) / seconds));
  figure('answered', reached, 'a second', { least: 0.99 * RATE });
  figure('half of them within', median(keyed.map(({ answered }) => answered.p50)), 'ms');
  figure('99 of 100 within', median(keyed.map(({ answered }) => answered.p99)), 'ms', { most: 50 });
  return times;
}

/** Refused requests, as many as there can be: the database is asked no more than at rest. */
async function floods(costs: Costs, key: string): Promise<void> {
  const attacks = [
    { name: 'one key far above its pace', path: PRICES, keys: [key], status: 429 },
    { name: 'one address far above its weekly cap', path: CAPPED, keys: NO_KEYS, status: 429 },
    { name: 'well-formed keys that nobody has', path: PRICES, keys: inventedKeys(RATE), status: 401 },
  ];
  for (const { name, status, ...what } of attacks) {
    await costs.round({ ...what, rate: RATE, seconds: 1 });
    const rest = await costs.idle(SECONDS);
    const flood = await costs.round({ ...what, rate: RATE, seconds: SECONDS });
    only(status, flood, 10 * SECONDS);
    note(`\n${name}: ${shares([flood])}`);
    figure('PostgreSQL above rest', (flood.postgres - rest.postgres) / SECONDS, 'ms CPU a second', { most: 20 });
    const more = (flood.transactions - rest.transactions) / SECONDS;
    figure('transactions above rest', more, 'a second', { most: 30 });
  }
}

/** A refusal by the weekly cap beside an answer that everybody may have. */
async function refusals(costs: Costs): Promise<void> {
  const ask = (asked: string) => costs.round({ path: asked, keys: NO_KEYS, rate: RATE, seconds: SECONDS });
  const times: number[] = [];
  // Both cost about the same: it takes more rounds to see which is less.
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const open = await ask(MINIME);
    const refused = await ask(CAPPED);
    only(429, refused);
    times.push(refused.server / open.server);
  }
  note('');
  figure('CPU of a capped endpoint refusing, of an answer to all', median(times), '×', { most: 1.05 });
}

async function knows(address: string, key: string): Promise<boolean> {
  const { headers } = await fetch(address + MINIME, { headers: { 'X-Api-Key': key } });
  return headers.has('x-ratelimit-limit');
}

/** Throws where more than a few answers have another status: the round would say nothing. */
function only(status: number, { answered: { statuses } }: Cost, others = 0): void {
  const wrong = Object.entries(statuses).filter(([each]) => Number(each) !== status);
  if (wrong.reduce((sum, [, count]) => sum + count, 0) > others)
    throw new Error(`answered ${JSON.stringify(statuses)}, not ${status}`);
}

function requests({ answered: { statuses } }: Cost): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}

function together(cost: Cost): number {
  return (cost.server + cost.postgres) / requests(cost);
}

/** Medians, in words. */
function shares(costs: readonly Cost[]): string {
  const each = (value: (cost: Cost) => number) => median(costs.map((cost) => (1000 * value(cost)) / requests(cost)));
  const times = `p50 ${median(costs.map((cost) => cost.answered.p50)).toFixed(1)} ms`;
  const shown = (value: (cost: Cost) => number) => `${each(value).toFixed(1)} µs`;
  return `server ${shown(({ server }) => server)}, PostgreSQL ${shown(({ postgres }) => postgres)} a request; ${times}`;
}
