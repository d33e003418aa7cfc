/**
 * Hostile requests to a separate `serve` process over a synthetic country, as many to the API as to the site; `--only
 * NUMBER` sends one of each.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { withTempFolder } from '../support/benchmark-report.ts';
import { type Child, residentMb, waitUntilIdle } from '../support/processes/child-process.ts';
import { MeasuredMetrics } from '../support/read-metrics.ts';
import { RUN, roundsOf, seedOf } from '../support/run-settings.ts';
import { type AttackTarget, plainAnswers, type RequestAttackOutcome, runRequestAttack } from './requests/attack.ts';
import { knownValuesOf, startFullProcess } from './requests/full-process.ts';
import { SITE_OPERATIONS } from './requests/site-operations.ts';

const CONNECTIONS = 24;
const MAX_LOG_LINES = 5;
const IS_LATE = /the database did not answer within|"why":"no answer in time"/;
/** No worker runs beside the attacked process. */
const IS_UNTOLD = /changes of served prices are not told since/;
/** Percent; shows that the weekly cap does not refuse nearly all requests. */
const MIN_SUCCESS_PERCENT = 30;
/** At least one in this many requests must create a row of each kind. */
const REQUESTS_PER_ROW = 1_000;
/** Decision 21. */
const RESIDENT_MB = 450;
/** The service logs its address within this time. */
const START_MS = 60_000;

const seed = seedOf(1);
const from = Number(RUN.only ?? 0);
const to = RUN.only === undefined ? roundsOf({ medium: 10_000, long: 500_000 }) : from + 1;

test('serve answers hostile requests to every endpoint and page according to the contract, and its later answers, log and memory stay normal', async (t) => {
  const metrics = new MeasuredMetrics(t);
  metrics.note(`requests ${from} to ${to} of seed ${seed}`);
  await withTempFolder(async (folder) => {
    const { server, country, keys, storedRows, close } = await startFullProcess(folder, seed);
    try {
      await attackService(metrics, server, { ...knownValuesOf(country), 'X-Api-Key': keys });
      for (const [what, count] of Object.entries(await storedRows()))
        metrics.add(`${what} stored`, count, '', { least: Math.floor((to - from) / REQUESTS_PER_ROW) });
    } finally {
      await close();
    }
  });
  metrics.assertTargets();
});

async function attackService(metrics: MeasuredMetrics, server: Child, known: AttackTarget['known']): Promise<void> {
  const logged = logWarnings(server.process.stderr as Readable);
  const port = await readPort(server.process.stdout as Readable);
  const target: AttackTarget = { port, document: await waitUntilHealthy(port), known };
  // Reviews by visitors change the answers about their stations.
  const plainTarget: AttackTarget = { ...target, known: { ...known, slug: [] } };
  await waitUntilIdle(server.pid);
  const plain = await plainAnswers(plainTarget);
  for (const answer of plain) assert.doesNotMatch(answer, /^HTTP\/1.1 5/);
  const residentBefore = residentMb(server.pid).now;
  const running = () => server.process.exitCode === null && server.process.signalCode === null;
  const plan = { seed, from, to, connections: CONNECTIONS, progress: running };
  const ofApi = await runRequestAttack(target, plan);
  addOutcome(metrics, ofApi);
  if (to - from > 1) {
    // Only the answer to its making tells the number of a webhook.
    const guessable = [...ofApi.worked].filter(([operation]) => !operation.includes('/webhookuri/'));
    const unreached = guessable.filter(([, count]) => count === 0).map(([operation]) => operation);
    assert.deepEqual(unreached, [], 'endpoints without any 200 answer');
  }
  addOutcome(metrics, await runRequestAttack({ ...target, operations: SITE_OPERATIONS }, plan));
  assert.ok(running(), 'the process exited');
  await waitUntilIdle(server.pid);
  const warnings = logged.filter((line) => !IS_UNTOLD.test(line));
  for (const line of warnings.slice(0, MAX_LOG_LINES)) metrics.note(line);
  metrics.add('warnings and errors in its log', warnings.length, '', idleMachineTarget());
  assert.deepEqual(
    warnings.filter((line) => !IS_LATE.test(line)),
    [],
  );
  const changed = (await plainAnswers(plainTarget)).filter((answer, index) => answer !== plain[index]);
  for (const answer of changed) metrics.note(answer.slice(0, 500));
  metrics.add('plain requests answered differently than before', changed.length, '', { most: 0 });
  const { now, peak } = residentMb(server.pid);
  metrics.note(`resident: ${residentBefore.toFixed(0)} MB before, ${now.toFixed(0)} MB after`);
  metrics.add('peak resident memory', peak, 'MB', { most: RESIDENT_MB });
}

function addOutcome(metrics: MeasuredMetrics, outcome: RequestAttackOutcome): void {
  const { sent, statuses, kinds, worked, failures, retried } = outcome;
  metrics.note(`answers by status: ${listed(statuses)}`);
  metrics.note(`requests by kind: ${listed(kinds)}`);
  metrics.note(`200 answers by endpoint: ${listed(worked)}`);
  for (const failure of failures) metrics.note(failure);
  metrics.add('answers that violate the contract', failures.length, '', { most: 0 });
  metrics.add('requests answered 503 at first', retried, '', idleMachineTarget());
  metrics.add('requests sent', sent, '', { least: to - from });
  if (to - from === 1) return;
  metrics.add('200 answers', (100 * (statuses.get(200) ?? 0)) / sent, '%', { least: MIN_SUCCESS_PERCENT });
}

/** A busy machine sometimes makes the database late; only the long form, on an idle machine, rules that out. */
function idleMachineTarget(): { most: number } | undefined {
  return RUN.length === 'long' ? { most: 0 } : undefined;
}

function listed(counts: ReadonlyMap<number | string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ');
}

/** Collects the lines that the service logs as a warning or worse, and everything on stderr that is not a log line. */
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

/** Waits until the country is served, and returns the OpenAPI document. */
async function waitUntilHealthy(port: number): Promise<AttackTarget['document']> {
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  while ((await ask('/api/v1/health')).status !== 200);
  return (await ask('/openapi.json')).json() as Promise<AttackTarget['document']>;
}
