/** The API over a made-up country, in its own process; a second server answers as for a key. No limits apply. */

import { createApi } from '../../src/api/http/server.ts';
import { createJourneys } from '../../src/app/routing-service.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import type { KnownKey } from '../../src/store/keys/key-queries.ts';
import { factsOf, historyOf, syntheticCountry } from '../../test/support/builders/synthetic-country.ts';
import { NO_PUSH } from '../../test/support/service/no-push.ts';
import { allowAll, SOME_KEY } from '../../test/support/service/open-access.ts';
import { NO_REVIEWS } from '../../test/support/service/review-service.ts';
import { NO_GERMANY } from '../../test/support/simulators/german-source.ts';

export type ApiPorts = { readonly open: number; readonly keyed: number };

const log = { error: console.error, warn: console.error };
const site = () => undefined;
const publicUrl = () => 'http://127.0.0.1';
const gazetteer = loadGazetteer();

const world = syntheticCountry(Number(process.argv[2]), Date.now());
const snapshot = buildSnapshot({
  facts: factsOf(world),
  now: world.now,
  ranges: DEFAULT_RANGES,
  gazetteer,
  history: historyOf(world),
  inService: ['register'],
});
const keyReport = () => Promise.resolve(null);
const journeys = createJourneys(gazetteer);
const others = { germany: NO_GERMANY, reviews: NO_REVIEWS, push: NO_PUSH };
const shared = { snapshot, gazetteer, journeys, publicUrl, site, log, keyReport, ...others, clock: Date.now };
const [open, keyed] = await Promise.all([listen(null), listen(SOME_KEY)]);
process.send?.({ open, keyed } satisfies ApiPorts);
process.once('SIGTERM', () => process.exit());

async function listen(key: KnownKey | null): Promise<number> {
  const api = await createApi({ ...shared, accessControl: allowAll(key) });
  return (await api.listen({ host: '127.0.0.1', port: 0 })).port;
}
