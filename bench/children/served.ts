/**
 * The API over a made-up country, in a process of its own, and behind a second door `/statii` as a key will see it:
 * the whole set, through the same routing, endpoint, renderer and sender.
 */
import { OPEN } from '../../src/api/access.ts';
import { Door } from '../../src/api/door.ts';
import { Edition } from '../../src/api/edition.ts';
import { endpoint, ok } from '../../src/api/endpoint.ts';
import { stationEndpoints } from '../../src/api/endpoints/stations.ts';
import { HotAnswers } from '../../src/api/hot.ts';
import { LIMITS } from '../../src/api/limits.ts';
import { responder } from '../../src/api/respond.ts';
import { createRouter } from '../../src/api/routing.ts';
import { createApi } from '../../src/api/server.ts';
import { DEFAULT_RANGES, type Fuel } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/gazetteer.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { factsOf, historyOf, synthesise } from '../rig/synthetic.ts';

export type Ports = { readonly open: number; readonly keyed: number };

const log = { error: console.error, warn: console.error };
const site = () => undefined;
const publicUrl = () => 'http://127.0.0.1';
const gazetteer = loadGazetteer();

const world = synthesise(Number(process.argv[2]), Date.now());
const snapshot = buildSnapshot({
  facts: factsOf(world),
  now: world.now,
  ranges: DEFAULT_RANGES,
  gazetteer,
  history: historyOf(world),
  inService: ['register'],
});
const api = await createApi({ snapshot, gazetteer, publicUrl, site, log, clock: Date.now });
const { port: open } = await api.listen({ host: '127.0.0.1', port: 0 });
const keyed = await listenKeyed(snapshot);
process.send?.({ open, keyed } satisfies Ports);
process.once('SIGTERM', () => process.exit());

async function listenKeyed(of: Snapshot): Promise<number> {
  const edition = await Edition.of(of);
  const declared = stationEndpoints.find(({ path }) => path === '/api/v1/statii') as (typeof stationEndpoints)[number];
  const whole = endpoint({
    ...declared,
    access: OPEN,
    handle(sent) {
      const { brand, tip, lat, lon, raza } = sent as typeof sent & Sent;
      const near = lat === null || lon === null ? null : { point: { lat, lng: lon }, radiusKm: raza };
      return ok(edition.stations({ brand, fuel: tip, near, full: true }));
    },
  });
  const served = { edition, hot: await HotAnswers.of([], edition) };
  const app = createRouter({
    endpoints: [whole],
    served: () => served,
    publicUrl,
    site,
    respond: responder(log),
    limits: LIMITS,
    serverFactory: (route) => new Door({ route, limits: LIMITS, answered: () => false }).server,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

type Sent = { brand: string; tip: Fuel | undefined; lat: number | null; lon: number | null; raza: number };
