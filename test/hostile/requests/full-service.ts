/**
 * A fully configured service: keys, reviews with a captcha, push and the German channel, all on one database, so that
 * hostile requests reach the handler of every endpoint.
 */

import { createGermanSearchService } from '../../../src/api/endpoints/german-search.ts';
import { publicReviews } from '../../../src/api/endpoints/reviews.ts';
import type { ApiOptions } from '../../../src/api/http/api-server.ts';
import type { Log } from '../../../src/api/response/log.ts';
import { createWebhookLimits } from '../../../src/api/webhooks/webhook-limits.ts';
import { createPageTurns } from '../../../src/app/client-turns.ts';
import { createSubmissions, type SubmissionsComponent } from '../../../src/app/create-submissions.ts';
import { createPushSubscriptions } from '../../../src/app/push-subscriptions.ts';
import { createJourneyPlanner } from '../../../src/app/routing-service.ts';
import { createWebhookService } from '../../../src/app/webhooks/stored-webhooks.ts';
import { createTankerkoenig } from '../../../src/clients/tankerkoenig.ts';
import type { WebhookSender } from '../../../src/clients/webhook-sender.ts';
import { trustedProxies } from '../../../src/config/address-lists.ts';
import { SETTINGS } from '../../../src/config/settings.ts';
import { pushHosts } from '../../../src/config/web-push-settings.ts';
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { loadGermanPlaces } from '../../../src/geodata/load-german-places.ts';
import { startSimulatedTankerkoenig } from '../../../src/simulation/tankerkoenig-server.ts';
import { createSite } from '../../../src/site/pages/site.ts';
import { GermanStore } from '../../../src/store/germany/german-store.ts';
import type { AddressHash } from '../../../src/store/limits/address-hash.ts';
import { NOON, TODAY } from '../../support/builders/snapshot-builders.ts';
import { ToldFeed } from '../../support/changes/told-changes.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { GuardedServices } from '../../support/service/guarded-services.ts';
import { CaptchaVerifier, SUCCESS_ANSWER } from '../../support/simulators/captcha-verifier.ts';
import { identifyAsNew } from '../../support/simulators/german-source.ts';
import { world } from '../../support/worlds/contract-world.ts';

/** More calls to the German source than hostile requests cause. */
const GERMAN_CALLS = 100_000;
const TRUSTED_PROXIES = trustedProxies('127.0.0.1');
/** Days with the same prices everywhere, today last. */
const LAST_DAYS = Array.from({ length: 7 }, (_, ago) => ({
  day: TODAY - 6 + ago,
  ...{ stations: 2, mean: 7_440, min: 7_429, p10: 7_430, median: 7_440, p90: 7_449, max: 7_450 },
}));
const pageTurns = createPageTurns();
const silentLog = { warn: () => undefined };

/** Nothing is sent to the addresses of webhooks, which are those of others. */
const UNREACHABLE: Pick<WebhookSender, 'send'> = {
  send: async () => ({ kind: 'failed', failure: 'unknown host', httpStatus: null, retryAfterMs: null }),
};

/** A feed that tells no more: waits and streams of it end at once. */
function someChanges() {
  const feed = new ToldFeed();
  feed.tellSome(5);
  feed.log.close();
  return feed.log;
}

export type FullService = { readonly guarded: GuardedServices; close(): Promise<void> };

/** Starts the service over the world of the contract tests; `log` receives the warnings and errors of the API. */
export async function startFullService(log: Log): Promise<FullService> {
  const [verifier, germany] = await Promise.all([
    CaptchaVerifier.start(),
    startSimulatedTankerkoenig({ seed: 1, clock: Date.now }),
  ]);
  const source = createTankerkoenig({ url: germany.url, apiKey: 'key', userAgent: 'Pompa test', allowPrivate: true });
  const captcha = {
    CAPTCHA_KIND: 'recaptcha',
    CAPTCHA_SITE_KEY: null,
    CAPTCHA_SECRET: 'secret',
    CAPTCHA_URL: verifier.url,
    CAPTCHA_HOSTNAMES: [SUCCESS_ANSWER.hostname],
    CAPTCHA_MIN_SCORE: 0.5,
  } as const;
  let port = 0;
  const publicUrl = () => `http://127.0.0.1:${port}`;
  const vapid = { publicKey: 'B'.repeat(87), privateKey: '', subject: '' };
  const PUSH_HOSTS = pushHosts(SETTINGS.PUSH_HOSTS.defaultText as string);
  const snapshot = world({ statistics: () => LAST_DAYS });
  const changes = someChanges();
  let submissions: SubmissionsComponent | undefined;
  const partsOn = (database: TestDatabase, hashes: AddressHash): Partial<ApiOptions> => {
    const shared = { database, hashes, log: silentLog, publicUrl };
    const store = new GermanStore(database, GERMAN_CALLS, hashes.for('german shares'));
    const visitors = createSubmissions({ CONTACT: null, PRICE_RANGES: DEFAULT_RANGES, ...captcha }, shared);
    submissions = visitors;
    const channel = createGermanSearchService({
      source,
      store,
      identify: identifyAsNew,
      log: { ...silentLog, error: log.error },
    });
    return {
      // A moment at which all sources are healthy.
      clock: () => NOON,
      snapshot,
      log,
      site: createSite({
        gazetteer: loadGazetteer(),
        journeys: createJourneyPlanner(loadGazetteer()),
        germany: { places: loadGermanPlaces(), takeRequest: () => 0, find: channel.find },
        publicUrl,
        simulated: false,
        snapshot: () => snapshot,
        takeTurn: (visitor) => pageTurns(String(visitor.headers['x-forwarded-for']), visitor.gone),
        reviewsOf: (slug) => publicReviews(visitors.reviews, slug),
        reportsOf: (station) => visitors.reports.readAccepted(station),
        api: () => guarded.service.api.description,
      }),
      reviews: visitors.reviews,
      reports: visitors.reports,
      push: createPushSubscriptions({ TRUSTED_PROXIES, PUSH_HOSTS, vapid }, shared),
      germany: channel,
      changes,
      webhooks: {
        service: createWebhookService(database, UNREACHABLE, () => NOON),
        ...{ limits: createWebhookLimits(), allowedOrigins: [] },
      },
    };
  };
  const guarded: GuardedServices = await GuardedServices.start(1, null, partsOn);
  ({ port } = guarded.service);
  return {
    guarded,
    async close() {
      await guarded.close();
      await Promise.all([submissions?.close(), source.close()]);
      await Promise.all([verifier.close(), germany.close()]);
    },
  };
}
