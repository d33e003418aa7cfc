/** Hostile requests against `serve` in a process of its own, over a synthetic country; `--only NUMBER` sends one of them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { Metrics } from '../support/metrics.ts';
import { type Child, residentMb, waitUntilIdle } from '../support/processes/child-process.ts';
import { withTempFolder } from '../support/report.ts';
import { RUN, roundsOf, seedOf } from '../support/run-settings.ts';
import { type AttackTarget, plainAnswers, type RequestAttackOutcome, runRequestAttack } from './requests/attack.ts';
import { knownValuesOf, startFullProcess } from './requests/full-process.ts';

const CONNECTIONS = 24;
const MAX_LOG_LINES = 5;
const IS_LATE = /the database did not answer within/;
/** Percent; without fresh addresses nearly all would end at the weekly cap. */
const MIN_SUCCESS_PERCENT = 30;
/** Of so many requests at least one comes to be stored as each kind of what visitors write or ask for. */
const STORED_OF = 1_000;
const RESIDENT_MB = 250;
/** The service says within this time where it listens. */
const START_MS = 60_000;

const seed = seedOf(1);
const from = Number(RUN.only ?? 0);
const to = RUN.only === undefined ? roundsOf({ medium: 20_000, long: 200_000 }) : from + 1;

test(`hostile requests reach every endpoint, get the answers of the contract, break nothing and leave nothing behind`, async (t) => {
  const metrics = new Metrics(t);
  metrics.note(`requests ${from} to ${to} of seed ${seed}`);
  await withTempFolder(async (folder) => {
    const { server, country, keys, storedRows, close } = await startFullProcess(folder, seed);
    try {
      await attackService(metrics, server, { ...knownValuesOf(country), 'X-Api-Key': keys });
      for (const [what, count] of Object.entries(await storedRows()))
        metrics.add(`${what} stored`, count, '', { least: Math.floor((to - from) / STORED_OF) });
    } finally {
      await close();
    }
  });
  metrics.assertTargets();
});

async function attackService(metrics: Metrics, server: Child, known: AttackTarget['known']): Promise<void> {
  const warnings = logWarnings(server.process.stderr as Readable);
  const port = await readPort(server.process.stdout as Readable);
  const target: AttackTarget = { port, document: await waitUntilHealthy(port), known };
  // What visitors write changes what is read of their stations.
  const plainTarget: AttackTarget = { ...target, known: { ...known, slug: [] } };
  await waitUntilIdle(server.pid);
  const plain = await plainAnswers(plainTarget);
  for (const answer of plain) assert.doesNotMatch(answer, /^HTTP\/1.1 5/);
  const residentBefore = residentMb(server.pid).now;
  const running = () => server.process.exitCode === null && server.process.signalCode === null;
  addOutcome(metrics, await runRequestAttack(target, { seed, from, to, connections: CONNECTIONS, progress: running }));
  assert.ok(running(), 'the process ended');
  await waitUntilIdle(server.pid);
  for (const line of warnings.slice(0, MAX_LOG_LINES)) metrics.note(line);
  metrics.add('warnings and errors in its log', warnings.length, '', punctualTarget());
  assert.deepEqual(
    warnings.filter((line) => !IS_LATE.test(line)),
    [],
  );
  const changed = (await plainAnswers(plainTarget)).filter((answer, index) => answer !== plain[index]);
  for (const answer of changed) metrics.note(answer.slice(0, 500));
  metrics.add('plain requests answered otherwise than before', changed.length, '', { most: 0 });
  const { now, peak } = residentMb(server.pid);
  metrics.note(`resident: ${residentBefore.toFixed(0)} MB before, ${now.toFixed(0)} MB after`);
  metrics.add('resident, at the most', peak, 'MB', { most: RESIDENT_MB });
}

function addOutcome(metrics: Metrics, outcome: RequestAttackOutcome): void {
  const { sent, statuses, kinds, worked, failures, retried } = outcome;
  metrics.note(`answers by status: ${listed(statuses)}`);
  metrics.note(`requests by kind: ${listed(kinds)}`);
  metrics.note(`answers of 200 by endpoint: ${listed(worked)}`);
  for (const failure of failures) metrics.note(failure);
  metrics.add('requests that did not get the answer of the contract', failures.length, '', { most: 0 });
  metrics.add('requests answered 503 until they were sent again', retried, '', punctualTarget());
  metrics.add('requests sent', sent, '', { least: to - from });
  if (to - from === 1) return;
  const unreached = [...worked].filter(([, count]) => count === 0).map(([operation]) => operation);
  assert.deepEqual(unreached, [], 'endpoints without any answer of 200');
  metrics.add('answers of 200', (100 * (statuses.get(200) ?? 0)) / sent, '%', { least: MIN_SUCCESS_PERCENT });
}

/** A database that is late now and then is the machine's fault, which only the long form rules out. */
function punctualTarget(): { most: number } | undefined {
  return RUN.length === 'long' ? { most: 0 } : undefined;
}

function listed(counts: ReadonlyMap<number | string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ');
}

/** What the service logs as a warning or worse, and whatever is no line of its log. */
function logWarnings(stderr: Readable): string[] {
  const lines: string[] = [];
  createInterface(stderr).on('line', (line) => {
    if (!/"level":("(trace|debug|info)"|[1-3]0)\b/.test(line)) lines.push(line);
  });
  return lines;
}

async function readPort(stdout: Readable): Promise<number> {
  const signal = AbortSignal.timeout(START_MS);
  const [line] = (await once(createInterface(stdout), 'line', { signal })) as [string];
  return Number(/:(\d+)$/.exec(line)?.[1]);
}

/** Waits until the country is served, and gives the OpenAPI document. */
async function waitUntilHealthy(port: number): Promise<AttackTarget['document']> {
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  while ((await ask('/api/v1/health')).status !== 200);
  return (await ask('/openapi.json')).json() as Promise<AttackTarget['document']>;
}
