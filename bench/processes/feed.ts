/** The API over a made-up country, with a feed of 30 days of it, for a key without limits; tells changes when asked. */
import { createApi } from '../../src/api/http/api-server.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { trustedProxies } from '../../src/config/address-lists.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { ToldFeed } from '../../test/support/changes/told-changes.ts';
import { NO_REPORTS, NO_REVIEWS } from '../../test/support/service/fake-reviews.ts';
import { NO_PUSH } from '../../test/support/service/no-push.ts';
import { allowAll, SOME_KEY } from '../../test/support/service/open-access.ts';
import { NO_GERMANY } from '../../test/support/simulators/german-source.ts';
import { syntheticSnapshot } from './synthetic-snapshot.ts';

/** `megabytes`: by how much the heap grew with the feed. */
export type FeedReady = { readonly port: number; readonly head: string; readonly megabytes: number };
/** `at` is epoch ms with fractions; `cpuMs` is that of the telling and of what it wrote at once. */
export type Told = { readonly at: number; readonly cpuMs: number };

const RECORDS = 6_000;
/** Each in a network of its own: one client with many requests at once waits for its share of each turn. */
const FOLLOWERS = 64;
const gazetteer = loadGazetteer();
const [changes, atOnce] = [Number(process.argv[2]), Number(process.argv[3])];
const before = residentBytes();
const feed = new ToldFeed();
for (let told = 0; told < changes; told += atOnce) feed.tellSome(atOnce);
const megabytes = (residentBytes() - before) / 1e6;
let key = 0;
let asked = 0;
const api = await createApi({
  ...{ snapshot: syntheticSnapshot(RECORDS), gazetteer, changes: feed.log, clock: Date.now },
  ...{ germany: NO_GERMANY, reviews: NO_REVIEWS, reports: NO_REPORTS, push: NO_PUSH },
  clientOf: () => {
    asked += 1;
    return `10.0.${asked % FOLLOWERS}.1`;
  },
  journeys: createJourneyPlanner(gazetteer),
  publicUrl: () => 'http://127.0.0.1',
  site: () => undefined,
  log: { error: console.error, warn: console.error },
  keyReport: () => Promise.resolve(null),
  // Each request has a key of its own, so that as many streams as wanted are open.
  accessControl: (request) => {
    key += 1;
    return allowAll({ ...SOME_KEY, id: key })(request);
  },
  trustedProxies: trustedProxies('127.0.0.1'),
});
const { port } = await api.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port, head: feed.log.cursorOf(stateNow()) as string, megabytes } satisfies FeedReady);
process.on('message', ({ count }: { count: number }) => {
  const cpu = process.cpuUsage();
  const at = performance.timeOrigin + performance.now();
  feed.tellSome(count);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ at, cpuMs: (user + system) / 1000 } satisfies Told);
});
process.once('SIGTERM', () => process.exit());

function stateNow() {
  const { version = 0, from = 0, until = 0 } = feed.log.head ?? {};
  return { version, now: from, nextChangeAt: until };
}

function residentBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
