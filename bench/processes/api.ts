/** The API over a made-up country, in its own process; a second server answers as for a key. No limits apply. */

import { createApi } from '../../src/api/http/api-server.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { trustedProxies } from '../../src/config/address-lists.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import type { KnownKey } from '../../src/store/keys/key-queries.ts';
import { NO_REPORTS, NO_REVIEWS } from '../../test/support/service/fake-reviews.ts';
import { NO_PUSH } from '../../test/support/service/no-push.ts';
import { allowAll, SOME_KEY } from '../../test/support/service/open-access.ts';
import { NO_GERMANY } from '../../test/support/simulators/german-source.ts';
import { syntheticSnapshot } from './synthetic-snapshot.ts';

export type ApiPorts = { readonly open: number; readonly keyed: number };

const log = { error: console.error, warn: console.error };
const publicUrl = () => 'http://127.0.0.1';
const gazetteer = loadGazetteer();

const snapshot = syntheticSnapshot(Number(process.argv[2]));
const keyReport = () => Promise.resolve(null);
const journeys = createJourneyPlanner(gazetteer);
const api = () => ({ endpoints: [], refusals: [] });
const site = createSite({ publicUrl, simulated: false, snapshot: () => snapshot, gazetteer, journeys, api });
const others = { germany: NO_GERMANY, reviews: NO_REVIEWS, reports: NO_REPORTS, push: NO_PUSH };
const clientOf = () => 'nobody';
const shared = { snapshot, clientOf, gazetteer, journeys, publicUrl, site, log, keyReport, ...others, clock: Date.now };
const [open, keyed] = await Promise.all([listen(null), listen(SOME_KEY)]);
process.send?.({ open, keyed } satisfies ApiPorts);
process.once('SIGTERM', () => process.exit());

async function listen(key: KnownKey | null): Promise<number> {
  // The load comes from one address.
  const api = await createApi({ ...shared, accessControl: allowAll(key), trustedProxies: trustedProxies('127.0.0.1') });
  return (await api.listen({ host: '127.0.0.1', port: 0 })).port;
}
