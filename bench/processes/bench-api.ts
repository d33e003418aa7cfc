/** The API over a made-up country, without a database; no limits apply. */

import { type Api, createApi } from '../../src/api/http/api-server.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { trustedProxies } from '../../src/config/address-lists.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import type { KnownKey } from '../../src/store/keys/key-queries.ts';
import { NO_REPORTS, NO_REVIEWS } from '../../test/support/service/fake-reviews.ts';
import { NO_PUSH } from '../../test/support/service/no-push.ts';
import { allowAll } from '../../test/support/service/open-access.ts';
import { NO_GERMANY } from '../../test/support/simulators/german-source.ts';
import { syntheticSnapshot } from './synthetic-snapshot.ts';

const log = { error: console.error, warn: console.error };
const publicUrl = () => 'http://127.0.0.1';

/** Builds the country; the function that it returns creates a service, which answers as for a key or without one. */
export function benchApis(records: number): (key: KnownKey | null) => Promise<Api> {
  const gazetteer = loadGazetteer();
  const snapshot = syntheticSnapshot(records);
  const keyReport = () => Promise.resolve(null);
  const journeys = createJourneyPlanner(gazetteer);
  const api = () => ({ endpoints: [], refusals: [] });
  const site = createSite({ publicUrl, simulated: false, snapshot: () => snapshot, gazetteer, journeys, api });
  const others = { germany: NO_GERMANY, reviews: NO_REVIEWS, reports: NO_REPORTS, push: NO_PUSH };
  const clientOf = () => 'nobody';
  const shared = {
    ...{ snapshot, clientOf, gazetteer, journeys, publicUrl, site, log, keyReport, ...others, clock: Date.now },
    // The load comes from one address.
    trustedProxies: trustedProxies('127.0.0.1'),
  };
  return (key) => createApi({ ...shared, accessControl: allowAll(key) });
}
