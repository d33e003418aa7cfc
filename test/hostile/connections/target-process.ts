/**
 * The service under attack: API and pages over a synthetic country, with access control on a database, in a process
 * that reports its resource usage.
 */
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChangeLog } from '../../../src/api/changes/change-log.ts';
import { publicReviews } from '../../../src/api/endpoints/reviews.ts';
import { createApi } from '../../../src/api/http/api-server.ts';
import type { ConnectionLimits } from '../../../src/api/http/connection/connection-limits.ts';
import type { Caller } from '../../../src/api/request/caller.ts';
import { addressOf, createAccessService } from '../../../src/app/access-service.ts';
import { createSelling } from '../../../src/app/billing/selling.ts';
import { createPageTurns } from '../../../src/app/client-turns.ts';
import { createSubmissions } from '../../../src/app/create-submissions.ts';
import { publishedDumps } from '../../../src/app/dumps/published-dumps.ts';
import { startMapStreets } from '../../../src/app/map-streets.ts';
import { createPushSubscriptions } from '../../../src/app/push-subscriptions.ts';
import { createJourneyPlanner } from '../../../src/app/routing-service.ts';
import { trustedProxies } from '../../../src/config/address-lists.ts';
import { SETTINGS } from '../../../src/config/settings.ts';
import { pushHosts } from '../../../src/config/web-push-settings.ts';
import { crawlerTable, DEFAULT_CRAWLERS } from '../../../src/domain/access/crawlers.ts';
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { mcpRoute } from '../../../src/mcp/mcp-route.ts';
import { stationLookup } from '../../../src/site/lookup/station-prices.ts';
import { prepareBaseMap } from '../../../src/site/map/base-map.ts';
import { createSite } from '../../../src/site/pages/site.ts';
import { buildSnapshot } from '../../../src/snapshot/build.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { createKey } from '../../../src/store/keys/keys.ts';
import { AddressHash } from '../../../src/store/limits/address-hash.ts';
import { factsOf, historyOf, syntheticCountry } from '../../support/builders/synthetic-country.ts';
import { NO_GERMANY } from '../../support/simulators/german-source.ts';
import { townTiles } from '../../support/vector-tiles/invented-town.ts';
import { writePmtiles } from '../../support/vector-tiles/write-pmtiles.ts';

import type { FloodSubjects } from './endpoint-floods.ts';
import { writeDumps } from './open-data-floods.ts';
import { WEBHOOK_SECRET } from './selling-floods.ts';

export type TargetOptions = {
  readonly records: number;
  readonly limits: Partial<ConnectionLimits>;
  /** URL of an empty database with every table. */
  readonly databaseUrl: string;
};
export type TargetReady = {
  readonly port: number;
  readonly keys: readonly string[];
  readonly subjects: FloodSubjects;
};
/**
 * Connections, open file handles except those of the database, and memory after garbage collection: in use (heap and
 * buffers) and resident.
 */
export type ResourceUsage = {
  readonly connections: number;
  readonly handles: number;
  readonly inUseMb: number;
  readonly residentMb: number;
};

const MB = 1024 * 1024;
/** Half of them are the regular client's, which sends 150 requests a second: 75 a minute with each, of 120 allowed. */
const KEYS = 240;
const { records, limits, databaseUrl } = JSON.parse(process.argv[2] ?? '') as TargetOptions;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const world = syntheticCountry(records, Date.now());
const gazetteer = loadGazetteer();
const snapshot = buildSnapshot({
  facts: factsOf(world),
  now: world.now,
  ranges: DEFAULT_RANGES,
  gazetteer,
  history: historyOf(world),
  inService: ['register'],
});
const publicUrl = () => 'http://127.0.0.1';
const log = { error: console.error, warn: console.error };
const silentLog = { info: () => undefined, warn: () => undefined };
const TRUSTED_PROXIES = trustedProxies('127.0.0.1');
const noCaptcha = {
  CAPTCHA_KIND: 'none',
  CAPTCHA_SITE_KEY: null,
  CAPTCHA_SECRET: null,
  CAPTCHA_URL: SETTINGS.CAPTCHA_URL.defaultText as string,
  CAPTCHA_HOSTNAMES: null,
  CAPTCHA_MIN_SCORE: 1,
} as const;
const database = await openDatabase<Schema>({ databaseUrl, dataDir: '', log: silentLog });
const wanted = { plan: 'business', quota: null, email: null, subscription: null } as const;
const keys: string[] = [];
while (keys.length < KEYS) keys.push((await createKey(database, wanted)).key);
const addressHash = new AddressHash();
// Through a reserved connection, so that the first keys do not wait for one.
await addressHash.readKeys(database.reserved);
const shared = { database, hashes: addressHash, log: silentLog, publicUrl };
const accessService = createAccessService(
  { TRUSTED_PROXIES, DNS_SERVERS: null, crawlers: crawlerTable(DEFAULT_CRAWLERS) },
  { ...shared, log: { ...silentLog, warn: console.error } },
);
const submissions = createSubmissions({ CONTACT: null, PRICE_RANGES: DEFAULT_RANGES, ...noCaptcha }, shared);
const PUSH_HOSTS = pushHosts(SETTINGS.PUSH_HOSTS.defaultText as string);
const push = createPushSubscriptions({ TRUSTED_PROXIES, PUSH_HOSTS, vapid: null }, shared);
const clientOf = (caller: Caller) => addressOf(caller, { TRUSTED_PROXIES }).client;
const journeys = createJourneyPlanner(gazetteer, null, clientOf);
const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-attacked-'));
const streetsFile = path.join(folder, 'ro.pmtiles');
writeFileSync(streetsFile, writePmtiles({ tiles: townTiles([13, 14]) }));
const mapStreets = await startMapStreets(streetsFile, silentLog, clientOf);
// Nobody answers for Stripe and the relay: what a request of a customer costs here, it costs without them.
const away = new URL('http://127.0.0.1:1');
const secrets = { secretKey: 'sk_test_x', webhookSecret: WEBHOOK_SECRET, apiUrl: away, salesMode: 'own' } as const;
const seller = { name: 'X', address: 'Y', taxId: 'Z', contact: 'ops@example.org', termsUrl: null };
const selling = createSelling(
  {
    selling: { ...secrets, seller },
    mail: { url: new URL('smtp://127.0.0.1:1'), from: { name: 'X', address: 'x@example.org' }, replyTo: null },
    FREE_KEY_QUOTA: 1_000,
  },
  { ...shared, clock: Date.now, captcha: submissions.captchaOfPages },
);
writeDumps(folder);
const dumps = await publishedDumps(folder, ['register']);
await prepareBaseMap();
const pageTurns = createPageTurns();
const site = createSite({
  gazetteer,
  journeys,
  publicUrl,
  clientOf,
  takeTurn: (visitor) => pageTurns(clientOf(visitor), visitor.gone),
  simulated: true,
  selling: selling.offer,
  streets: mapStreets?.streets ?? null,
  snapshot: () => snapshot,
  reviewsOf: (slug) => publicReviews(submissions.reviews, slug),
  reportsOf: (station) => submissions.reports.readAccepted(station),
  api: () => api.description,
});
const changes = new ChangeLog();
const api = await createApi({
  changes,
  snapshot,
  clientOf,
  gazetteer,
  publicUrl,
  site,
  log,
  limits,
  trustedProxies: TRUSTED_PROXIES,
  accessControl: accessService.accessControl,
  siteLimit: accessService.siteLimit,
  keyReport: accessService.keyReport,
  push,
  germany: NO_GERMANY,
  journeys,
  reviews: submissions.reviews,
  reports: submissions.reports,
  billing: selling.routes,
  webhook: selling.webhook,
  dumps,
  routesOn: ({ endpoints, accessControl, served, siteLimit }) => [
    {
      group: 'mcp',
      routes: mcpRoute({
        ...{ endpoints, accessControl, siteLimit, journeys, gazetteer, log, publicUrl, changes },
        ...{ rendered: () => served().rendered, simulated: true, version: '0.0.0', clock: () => world.now },
      }),
    },
  ],
  clock: () => world.now,
});
let connections = 0;
diagnostics.subscribe('net.server.socket', (message) => {
  connections += 1;
  (message as { socket: Socket }).socket.once('close', () => {
    connections -= 1;
  });
});
const { port } = await api.listen({ host: '127.0.0.1', port: 0 });

process.on('message', () => {
  collectGarbage();
  collectGarbage();
  process.send?.(resourceUsage());
});
process.once('SIGTERM', () => void close().then(() => process.exit()));
process.once('disconnect', () => process.exit());
const subjects = {
  cities: snapshot.cities.map(({ slug }) => slug),
  stations: stationLookup(snapshot).stations.map(({ slug }) => slug),
};
process.send?.({ port, keys, subjects } satisfies TargetReady);

async function close(): Promise<void> {
  await api.close();
  await mapStreets?.close();
  dumps?.close();
  rmSync(folder, { recursive: true });
  await accessService.close();
  await submissions.close();
  await database.close();
}

function resourceUsage(): ResourceUsage {
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    connections,
    handles: readdirSync('/dev/fd').length - database.pool.totalCount - database.reserved.pool.totalCount,
    inUseMb: (heapUsed + external) / MB,
    residentMb: rss / MB,
  };
}
