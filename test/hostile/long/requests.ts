/**
 * Hostile requests against `serve` in a process of its own, over a made-up country.
 * `--requests N` (200,000), `--seed N` (1); `--only NUMBER` sends one request of a seed again.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import webpush from 'web-push';
import { startSimulatedTankerkoenig } from '../../../src/simulation/tankerkoenig-server.ts';
import { createKey } from '../../../src/store/keys/keys.ts';
import { type BenchDatabase, seedDatabase, withDatabaseServer } from '../../support/bench-database.ts';
import { CaptchaVerifier, SUCCESS_ANSWER } from '../../support/captcha-verifier.ts';
import { type Child, residentMb, startChild, waitUntilIdle } from '../../support/child-process.ts';
import { TRUST_LOOPBACK } from '../../support/client-addresses.ts';
import { finishReport, heading, note, reportMetric, withTempFolder } from '../../support/report.ts';
import { type SyntheticCountry, syntheticCountry } from '../../support/synthetic-country.ts';
import { type AttackTarget, plainAnswers, type RequestAttackOutcome, runRequestAttack } from '../requests/attack.ts';
import type { KnownValues } from '../requests/operations.ts';
import { visitorValues } from '../requests/visitors.ts';

const RECORDS = 6_000;
const CONNECTIONS = 24;
/** So many that each keeps within its pace. */
const KEYS = 200;
const MAX_LOG_LINES = 5;
/** Percent; without fresh addresses nearly all would end at the weekly cap. */
const MIN_SUCCESS_PERCENT = 30;
/** Most calls of the German source within an hour; what an hour would give back is given back so often. */
const GERMAN_CALLS = 1_000;
const BUDGET_RESET_MS = 5_000;
/** Of so many requests one at least comes to be kept as each kind of what visitors write or ask for. */
const KEPT_OF = 1_000;
/** The service says within this time where it listens. */
const START_MS = 60_000;

const { values } = parseArgs({
  options: { requests: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const seed = Number(values.seed ?? 1);
const from = Number(values.only ?? 0);
const to = values.only === undefined ? Number(values.requests ?? 200_000) : from + 1;

heading(`${to - from} hostile requests, seed ${seed}, against serve over ${RECORDS} records`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const world = syntheticCountry(RECORDS, Date.now());
    const store = await create('hostile');
    await seedDatabase(store, world);
    const keys = await createServiceKeys(store);
    const vapid = webpush.generateVAPIDKeys();
    const [verifier, germany] = await Promise.all([
      CaptchaVerifier.start(),
      startSimulatedTankerkoenig({ seed, clock: Date.now }),
    ]);
    const budgetReset = setInterval(
      () => void store.pool.query(`update german_budget set recent = '{}'`),
      BUDGET_RESET_MS,
    );
    const settings = {
      DATABASE_URL: store.url,
      DATA_DIR: `${folder}/data`,
      PORT: '0',
      SOURCES: 'register',
      CONTACT: 'bench@example.org',
      ...TRUST_LOOPBACK,
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: 'mailto:bench@example.org',
      CAPTCHA_SECRET: 'secret',
      CAPTCHA_URL: verifier.url,
      CAPTCHA_HOSTNAMES: SUCCESS_ANSWER.hostname,
      TANKERKOENIG_API_KEY: 'key',
      TANKERKOENIG_URL: germany.url,
      TANKERKOENIG_PER_HOUR: String(GERMAN_CALLS),
    };
    const server = startChild('bin/pompa', ['serve', '--no-worker'], settings, 'pipe');
    try {
      await attackService(server, { ...knownValuesOf(world), 'X-Api-Key': keys });
      await printStored(store);
    } finally {
      clearInterval(budgetReset);
      await server.end();
      await Promise.all([verifier.close(), germany.close()]);
    }
  }),
);
finishReport();

/** That text of every kind came to the database, and not only to refusals in front of it. */
async function printStored({ pool }: BenchDatabase): Promise<void> {
  const tables = {
    'reviews with text': 'select count(*)::int as kept from reviews where comment is not null or nickname is not null',
    'push subscriptions': 'select count(*)::int as kept from push_subscriptions',
    'answers of the German source': 'select count(*)::int as kept from german_answers',
  };
  for (const [what, query] of Object.entries(tables)) {
    const { kept } = (await pool.query(query)).rows[0];
    reportMetric(`${what} kept`, kept, '', { least: Math.floor((to - from) / KEPT_OF) });
  }
}

async function attackService(server: Child, known: KnownValues): Promise<void> {
  const complaints = logWarnings(server.process.stderr as Readable);
  const port = await readPort(server.process.stdout as Readable);
  const target: AttackTarget = { port, document: await waitUntilHealthy(port), known };
  // What visitors write changes what is read of their stations.
  const plainTarget: AttackTarget = { ...target, known: { ...known, slug: [] } };
  await waitUntilIdle(server.pid);
  const plain = await plainAnswers(plainTarget);
  reportMetric('plain requests that failed', plain.filter((answer) => /^HTTP\/1.1 5/.test(answer)).length, '', {
    most: 0,
  });
  const residentBefore = residentMb(server.pid).now;
  const began = performance.now();
  const running = () => server.process.exitCode === null && server.process.signalCode === null;
  const outcome = await runRequestAttack(target, { seed, from, to, connections: CONNECTIONS, progress: running });
  const seconds = (performance.now() - began) / 1000;
  printOutcome(outcome);
  reportMetric('requests that did not get the answer of the contract', outcome.failures.length, '', { most: 0 });
  reportMetric('requests answered 503 until they were sent again', outcome.retried, '', { most: 0 });
  reportMetric('requests sent', outcome.sent, '', { least: to - from });
  if (to - from > 1) {
    const unreached = [...outcome.worked].filter(([, count]) => count === 0).map(([operation]) => operation);
    for (const operation of unreached) note(`no answer of 200 to ${operation}`);
    reportMetric('endpoints to whose work none came', unreached.length, '', { most: 0 });
    reportMetric('answers of 200', (100 * (outcome.statuses.get(200) ?? 0)) / outcome.sent, '%', {
      least: MIN_SUCCESS_PERCENT,
    });
  }
  reportMetric('the process ended', running() ? 0 : 1, 'times', { most: 0 });
  if (!running()) return;
  await waitUntilIdle(server.pid);
  for (const line of complaints.slice(0, MAX_LOG_LINES)) note(line);
  reportMetric('warnings and errors in its log', complaints.length, '', { most: 0 });
  const changed = (await plainAnswers(plainTarget)).filter((answer, index) => answer !== plain[index]);
  for (const answer of changed) note(answer.slice(0, 500));
  reportMetric('plain requests answered otherwise than before', changed.length, '', { most: 0 });
  const { now, peak } = residentMb(server.pid);
  note(`resident: ${residentBefore.toFixed(0)} MB before, ${now.toFixed(0)} MB after`);
  reportMetric('resident, the most there was', peak, 'MB', { most: 250 });
  reportMetric('time', seconds, 's');
}

function printOutcome({ statuses, kinds, worked, failures }: RequestAttackOutcome): void {
  const list = (counts: ReadonlyMap<number | string, number>) =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ');
  note(`answers by status: ${list(statuses)}`);
  note(`requests by kind: ${list(kinds)}`);
  note(`answers of 200 by endpoint: ${list(worked)}`);
  for (const failure of failures) note(`\n${failure}`);
}

async function createServiceKeys(store: BenchDatabase): Promise<string[]> {
  const wanted = { plan: 'business', quota: null, email: null, subscription: null } as const;
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await createKey(store, wanted)).key);
  return keys;
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
async function waitUntilHealthy(port: number): Promise<unknown> {
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  while ((await ask('/api/v1/health')).status !== 200);
  return (await ask('/openapi.json')).json();
}

/** Stations of one town, so that coordinates drawn singly meet. */
function knownValuesOf({ aliases }: SyntheticCountry): KnownValues {
  const near = aliases
    .filter(({ lat, lng }) => Math.hypot(Number(lat) - 44.43, Number(lng) - 26.1) < 0.15)
    .slice(0, 12);
  return {
    ...visitorValues(near.map(({ station }) => `petrom-bucuresti-${station}`)),
    station_id: near.map(({ station }) => station),
    judet: ['Cluj', 'B', 'iași', 'MUNICIPIUL BUCUREȘTI', 'Caras-Severin'],
    brand: ['Petrom', 'omv', 'MOL'],
    lat: near.map(({ lat }) => String(lat)),
    lon: near.map(({ lng }) => String(lng)),
    lng: near.map(({ lng }) => String(lng)),
    raza: ['50', '5', '0.1', '100'],
    start: ['București', 'Cluj-Napoca'],
    end: ['Iași', 'targu mures'],
  };
}
