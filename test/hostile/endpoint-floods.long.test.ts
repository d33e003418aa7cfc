/** One address floods one endpoint after the other: what others wait for a plain read meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { testDatabase } from '../support/database/test-database.ts';
import { startChild, stopProcess, threadsCpuMs, waitUntilIdle } from '../support/processes/child-process.ts';
import { MeasuredMetrics } from '../support/read-metrics.ts';
import { RUN, selected } from '../support/run-settings.ts';
import { ENDPOINT_FLOODS, PLAIN_READ } from './connections/endpoint-floods.ts';
import { rawGet } from './connections/expect.ts';
import type { FloodCommand, FloodReport } from './connections/flood-process.ts';
import { OPEN_DATA_FLOODS } from './connections/open-data-floods.ts';
import { RawConnection } from './connections/raw-connection.ts';
import { SELLING_FLOODS } from './connections/selling-floods.ts';
import { SITE_FLOODS } from './connections/site-floods.ts';
import type { TargetReady } from './connections/target-process.ts';

const CONNECTIONS = 20;
const IS_LONG = RUN.length === 'long';
const FLOOD_MS = IS_LONG ? 5_000 : 1_000;
/** Between two plain reads. */
const PAUSE_MS = 5;
/**
 * Plain reads of CPU that a guessed name costs at most; other requests are limited or do what they are for. On a busy
 * machine the kernel's share of an answer doubles; a search without a budget costs more than 100.
 */
const MAX_COST = IS_LONG ? 10 : 30;
const GUESSES = /unknown|letters|long texts/;
/**
 * Only the long form, on an idle machine, judges times; the medium one has the floods whose CPU is bounded at any load.
 * A page always costs more than a plain read: `page-flood.test.ts` counts what a flood of guesses has searched.
 */
const FLOODS = IS_LONG
  ? [...ENDPOINT_FLOODS, ...SITE_FLOODS, ...SELLING_FLOODS, ...OPEN_DATA_FLOODS]
  : ENDPOINT_FLOODS.filter(({ name }) => GUESSES.test(name));
/**
 * A plain read's median under a flood, of that in quiet. Without a network between them a quiet read may take as little
 * as 0.05 ms, the time of a few answers: then this much counts as quiet, less than any network adds.
 */
const MAX_SLOWDOWN = 3;
const LEAST_QUIET_MS = 0.1;

test('a flood of one address at any endpoint slows plain reads of others down by less than three times', async (t) => {
  const metrics = new MeasuredMetrics(t);
  const database = await testDatabase();
  t.after(() => database.drop());
  const options = { records: 6_000, limits: {}, databaseUrl: database.url };
  const target = startChild('test/hostile/connections/target-process.ts', [JSON.stringify(options)]);
  t.after(() => stopProcess(target.process));
  const flooder = startChild('test/hostile/connections/flood-process.ts');
  t.after(() => stopProcess(flooder.process));
  const { port, subjects } = await target.next<TargetReady>();
  await waitUntilIdle(target.pid);
  const reader = await RawConnection.open(port);
  const readFor = async (ms: number) => {
    const times: number[] = [];
    for (const end = performance.now() + ms; performance.now() < end; await wait(PAUSE_MS)) {
      const begun = performance.now();
      const statuses = await reader.send(rawGet('/api/v1/preturi/minime')).answers(reader.statuses.length + 1);
      assert.equal(statuses.at(-1), 200);
      times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;
  };
  let floods = 0;
  const floodFor = async (name: string) => {
    floods += 1;
    // Of another network each time, so that none is refused for what the one before has used up.
    const address = `198.${18 + (floods >> 8)}.${floods & 255}.66`;
    flooder.send({ start: name, port, connections: CONNECTIONS, address, subjects } satisfies FloodCommand);
    await wait(200);
    const cpuBefore = threadsCpuMs(target.pid);
    const median = await readFor(FLOOD_MS);
    const cpu = threadsCpuMs(target.pid) - cpuBefore;
    flooder.send({ start: null } satisfies FloodCommand);
    const { answered } = await flooder.next<FloodReport>();
    return { median, microseconds: (cpu * 1000 * (FLOOD_MS + 200)) / FLOOD_MS / answered, answered };
  };
  await readFor(FLOOD_MS);
  await floodFor(PLAIN_READ.name);
  for (const name of selected(FLOODS.map((each) => each.name))) {
    // Quiet and plain before each, so that other load on the machine affects both.
    const quiet = await readFor(FLOOD_MS);
    const plain = await floodFor(PLAIN_READ.name);
    const { median, microseconds, answered } = await floodFor(name);
    metrics.note(`${name}: ${answered} answers, quiet ${quiet.toFixed(2)} ms, under the flood ${median.toFixed(2)} ms`);
    metrics.add(
      '  CPU, of a plain read',
      microseconds / plain.microseconds,
      '×',
      GUESSES.test(name) ? { most: MAX_COST } : undefined,
    );
    const slowdown = median / Math.max(quiet, LEAST_QUIET_MS);
    metrics.add('  a plain read, of a quiet one', slowdown, '×', IS_LONG ? { most: MAX_SLOWDOWN } : undefined);
  }
  metrics.assertTargets();
});
