/** One address reports prices without end: what others get meanwhile. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createSubmissions, type SubmissionsComponent } from '../../src/app/create-submissions.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { aStation, recordsOf, trusted } from '../support/builders/snapshot-builders.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { API_DESCRIPTION } from '../support/service/real-api-description.ts';
import { world } from '../support/worlds/contract-world.ts';

const REPORTERS = 100;
/** Of each, at least: more than any limit accepts in all. */
const ROUNDS = 3;
const STATIONS = 64;
/** Of each test; each sends at most the 5 requests that it may send in a second. */
const KEYS = 3;
const KEY_REQUESTS = 12;
const silentLog = { warn: () => undefined };
const captcha = {
  CAPTCHA_KIND: 'none',
  CAPTCHA_SITE_KEY: null,
  CAPTCHA_SECRET: null,
  CAPTCHA_URL: '',
  CAPTCHA_HOSTNAMES: null,
  CAPTCHA_MIN_SCORE: 1,
} as const;

const stations = Array.from({ length: STATIONS }, (_, n) => aStation({ id: n.toString(16).padStart(12, '0') }));
const snapshot = world({ records: stations.flatMap((station) => recordsOf(station, { petrol: trusted(7_450) })) });

let submissions: SubmissionsComponent;
let guarded: GuardedServices;
let keys: string[];
before(async () => {
  guarded = await GuardedServices.start(1, null, (database, hashes) => {
    const publicUrl = () => 'http://127.0.0.1';
    const settings = { CONTACT: null, PRICE_RANGES: DEFAULT_RANGES, ...captcha };
    submissions = createSubmissions(settings, { database, hashes, log: silentLog, publicUrl });
    const { reports } = submissions;
    const gazetteer = loadGazetteer();
    const site = createSite({
      ...{ publicUrl, simulated: false, snapshot: () => snapshot, gazetteer, api: () => API_DESCRIPTION },
      journeys: createJourneyPlanner(gazetteer),
      reportsOf: (station) => reports.readAccepted(station),
    });
    return { snapshot, reports, site };
  });
  const created = await Promise.all(Array.from({ length: 2 * KEYS }, () => guarded.key({ plan: 'business' })));
  keys = created.map(({ key }) => key);
});
after(async () => {
  await guarded.close();
  await submissions.close();
});

let sent = 0;
async function report(from: string): Promise<number> {
  sent += 1;
  const { status } = await guarded.service.ask(`/statie/petrom-${stations[sent % STATIONS]?.id}/semnalare`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': from },
    body: 'kind=price&fuel=petrol+7450',
  });
  return status;
}

async function statusesOfKeyHolders(): Promise<Set<number>> {
  const own = keys.splice(0, KEYS);
  const statuses = new Set<number>();
  for (let asked = 0; asked < KEY_REQUESTS; asked += 1) {
    const headers = { 'X-Api-Key': own[asked % KEYS] as string };
    statuses.add((await guarded.service.ask('/api/v1/judete/CJ', { headers })).status);
  }
  return statuses;
}

async function openReports(): Promise<number> {
  const { rows } = await guarded.database.pool.query('select count(*)::int as count from driver_reports');
  return rows[0].count;
}

const FLOODS: readonly [who: string, addressOf: (n: number) => string, kept: number][] = [
  ['one address', () => '198.51.100.1', 10],
  ['100 networks /64 of one /48', (n) => `2001:db8:7:${n.toString(16)}::1`, 100],
];

describe(`while ${REPORTERS} connections report without end`, () => {
  for (const [who, addressOf, kept] of FLOODS) {
    test(`from ${who}, key holders and honest reporters are served, and moderators get ${kept} reports`, async () => {
      const { pool } = guarded.database;
      const before = await openReports();
      let isOver = false;
      let mostWaiting = 0;
      const flooded = new Set<number>();
      const flood = Array.from({ length: REPORTERS }, async (_, n) => {
        for (let round = 0; !isOver || round < ROUNDS; round += 1) {
          flooded.add(await report(addressOf(n)));
          mostWaiting = Math.max(mostWaiting, pool.waitingCount);
          await setImmediate();
        }
      });
      const honest = Array.from({ length: 5 }, newAddress);
      const [keyed, received] = await Promise.all([
        statusesOfKeyHolders(),
        Promise.all(honest.map((from) => report(from))),
      ]);
      isOver = true;
      await Promise.all(flood);
      assert.deepEqual(keyed, new Set([200]));
      assert.deepEqual(new Set(received), new Set([200]));
      assert.deepEqual(flooded, new Set([200, 429]));
      assert.equal(mostWaiting, 0, 'nothing waits for a connection');
      assert.equal((await openReports()) - before, kept + honest.length);
    });
  }
});
