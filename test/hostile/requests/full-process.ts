/** Starts `pompa serve` with keys, a captcha, push and the German source, and the simulators that it needs. */
import webpush from 'web-push';
import { startSimulatedTankerkoenig } from '../../../src/simulation/tankerkoenig-server.ts';
import { createKey } from '../../../src/store/keys/keys.ts';
import { TRUST_LOOPBACK } from '../../support/builders/client-addresses.ts';
import { type SyntheticCountry, syntheticCountry } from '../../support/builders/synthetic-country.ts';
import { seedDatabase } from '../../support/database/bench-database.ts';
import { type TestDatabase, testDatabase } from '../../support/database/test-database.ts';
import { type Child, startChild } from '../../support/processes/child-process.ts';
import { CaptchaVerifier, SUCCESS_ANSWER } from '../../support/simulators/captcha-verifier.ts';
import { tell } from '../../support/webhooks/stored-feed.ts';
import type { KnownValues } from './operations.ts';
import { visitorValues } from './visitor-values.ts';

const RECORDS = 6_000;
/** Enough keys that each stays within its rate limit. */
const KEYS = 200;
/** The hourly budget of calls to the German source, and how often it is reset. */
const GERMAN_CALLS = 1_000;
const BUDGET_RESET_MS = 5_000;

export type FullProcess = {
  readonly server: Child;
  readonly country: SyntheticCountry;
  readonly keys: readonly string[];
  /** Number of rows of each kind that visitors have created. */
  storedRows(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
};

/** Starts the process with its files in `folder`. */
export async function startFullProcess(folder: string, seed: number): Promise<FullProcess> {
  const country = syntheticCountry(RECORDS, Date.now());
  const database = await testDatabase();
  await seedDatabase(database, country);
  await tell(database, [{}, {}, {}]);
  const keys = await createKeys(database);
  const [verifier, germany] = await Promise.all([
    CaptchaVerifier.start(),
    startSimulatedTankerkoenig({ seed, clock: Date.now }),
  ]);
  const resetBudget = () => void database.pool.query(`update german_budget set recent = '{}'`);
  const budgetReset = setInterval(resetBudget, BUDGET_RESET_MS);
  const settings = settingsOf(folder, database.url, { verifier: verifier.url, germany: germany.url });
  const server = startChild('bin/pompa', ['serve', '--no-worker'], settings, 'pipe');
  return {
    server,
    country,
    keys,
    storedRows: () => storedRows(database),
    async close() {
      clearInterval(budgetReset);
      await server.end();
      await Promise.all([verifier.close(), germany.close(), database.drop()]);
    },
  };
}

function settingsOf(folder: string, databaseUrl: string, urls: { verifier: string; germany: string }) {
  const vapid = webpush.generateVAPIDKeys();
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: `${folder}/data`,
    PORT: '0',
    SOURCES: 'register',
    CONTACT: 'test@example.org',
    ...TRUST_LOOPBACK,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: 'mailto:test@example.org',
    CAPTCHA_SECRET: 'secret',
    CAPTCHA_URL: urls.verifier,
    CAPTCHA_HOSTNAMES: SUCCESS_ANSWER.hostname,
    TANKERKOENIG_API_KEY: 'key',
    TANKERKOENIG_URL: urls.germany,
    TANKERKOENIG_PER_HOUR: String(GERMAN_CALLS),
  };
}

/** Counts rows to show that text of every kind reached the database. */
async function storedRows({ pool }: TestDatabase): Promise<Record<string, number>> {
  const { rows } = await pool.query(`select
    (select count(*)::int from reviews where comment is not null or nickname is not null) as "reviews with text",
    (select count(*)::int from push_subscriptions) as "push subscriptions",
    (select count(*)::int from german_answers) as "answers of the German source"`);
  return rows[0];
}

async function createKeys(database: TestDatabase): Promise<string[]> {
  const wanted = { plan: 'business', quota: null, email: null, subscription: null } as const;
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await createKey(database, wanted)).key);
  return keys;
}

/** Uses stations of one town, so that independently chosen coordinates lie close together. */
export function knownValuesOf({ sourceStations }: SyntheticCountry): KnownValues {
  const near = sourceStations
    .filter(({ lat, lng }) => Math.hypot(Number(lat) - 44.43, Number(lng) - 26.1) < 0.15)
    .slice(0, 12);
  return {
    ...visitorValues(near.map(({ station }) => `petrom-bucuresti-${station}`)),
    station: near.map(({ station }) => `petrom-bucuresti-${station}`),
    station_id: near.map(({ station }) => station),
    judet: ['Cluj', 'B', 'iași', 'MUNICIPIUL BUCUREȘTI', 'Caras-Severin'],
    brand: ['Petrom', 'omv', 'MOL'],
    lat: near.map(({ lat }) => String(lat)),
    lon: near.map(({ lng }) => String(lng)),
    lng: near.map(({ lng }) => String(lng)),
    raza: ['50', '5', '0.1', '100'],
    dupa: ['acum'],
    start: ['București', 'Cluj-Napoca'],
    end: ['Iași', 'targu mures'],
  };
}
