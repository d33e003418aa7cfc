/** The API and the pages over a made-up country, in a process that tells on request what it holds. */
import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Limits } from '../../src/api/limits.ts';
import { createApi } from '../../src/api/server.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/gazetteer.ts';
import { createSite } from '../../src/site/site.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { createJourneys } from '../../src/verbs/journeys.ts';
import { NO_GERMANY } from '../../test/german-source.ts';
import { NO_PUSH } from '../../test/no-push.ts';
import { withoutKeys } from '../../test/open-gate.ts';
import { NO_REVIEWS } from '../../test/review-desk.ts';
import { factsOf, historyOf, synthesise } from '../rig/synthetic.ts';

export type Order = { readonly records: number; readonly limits: Partial<Limits> };
export type Listening = { readonly port: number };
/** Connections, open file handles, and MB after a collection of garbage: in use (heap and buffers), and resident. */
export type Holding = {
  readonly connections: number;
  readonly handles: number;
  readonly inUseMb: number;
  readonly residentMb: number;
};

const MB = 1024 * 1024;
const { records, limits } = JSON.parse(process.argv[2] ?? '') as Order;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const world = synthesise(records, Date.now());
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
const site = createSite({ publicUrl, simulated: true, snapshot: () => snapshot });
const log = { error: console.error, warn: console.error };
const api = await createApi({
  snapshot,
  gazetteer,
  publicUrl,
  site,
  log,
  limits,
  gate: withoutKeys,
  keyReport: () => Promise.resolve(null),
  push: NO_PUSH,
  germany: NO_GERMANY,
  journeys: createJourneys(gazetteer),
  reviews: NO_REVIEWS,
  clock: () => world.now,
});
const { port } = await api.listen({ host: '127.0.0.1', port: 0 });

process.on('message', () => {
  collectGarbage();
  collectGarbage();
  process.send?.(holding());
});
process.once('SIGTERM', () => void api.close().then(() => process.exit()));
process.once('disconnect', () => process.exit());
process.send?.({ port } satisfies Listening);

function holding(): Holding {
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    connections: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    handles: readdirSync('/dev/fd').length,
    inUseMb: (heapUsed + external) / MB,
    residentMb: rss / MB,
  };
}
