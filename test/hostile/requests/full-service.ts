/**
 * A fully configured service: keys, reviews with a captcha, push and the German channel, all on one database, so that
 * hostile requests reach the handler of every endpoint.
 */
import { createHash } from 'node:crypto';
import { createGermanChannel } from '../../../src/api/endpoints/german-lookup.ts';
import type { ApiOptions } from '../../../src/api/http/server.ts';
import type { Log } from '../../../src/api/response/log.ts';
import { createPushSubscriptions } from '../../../src/app/push-subscriptions.ts';
import { createReviewsComponent, type ReviewsComponent } from '../../../src/app/reviews-service.ts';
import { createTankerkoenig } from '../../../src/clients/tankerkoenig.ts';
import { trustedProxies } from '../../../src/config/addresses.ts';
import { pushHosts } from '../../../src/config/push.ts';
import { SETTINGS } from '../../../src/config/settings.ts';
import { startSimulatedTankerkoenig } from '../../../src/simulation/tankerkoenig-server.ts';
import { createSite } from '../../../src/site/pages/site.ts';
import { GermanStore } from '../../../src/store/germany/german-cache.ts';
import { NOON } from '../../support/builders/snapshot-builders.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { GuardedServices } from '../../support/service/access.ts';
import { CaptchaVerifier, SUCCESS_ANSWER } from '../../support/simulators/captcha-verifier.ts';
import { world } from '../../support/worlds/contract-world.ts';

/** More calls of the German source than hostile requests make. */
const GERMAN_CALLS = 100_000;
const TRUSTED_PROXIES = trustedProxies('127.0.0.1');
const silentLog = { warn: () => undefined };
const hash = (client: string) => createHash('md5').update(client).digest();

export type FullService = { readonly guarded: GuardedServices; close(): Promise<void> };

/** Starts it over the world of the contract tests; `log` = what the API itself complains of. */
export async function startFullService(log: Log): Promise<FullService> {
  const [verifier, germany] = await Promise.all([
    CaptchaVerifier.start(),
    startSimulatedTankerkoenig({ seed: 1, clock: Date.now }),
  ]);
  const source = createTankerkoenig({ url: germany.url, apiKey: 'key', userAgent: 'Pompa test', allowPrivate: true });
  const captcha = {
    CAPTCHA_SECRET: 'secret',
    CAPTCHA_URL: verifier.url,
    CAPTCHA_HOSTNAMES: [SUCCESS_ANSWER.hostname],
    CAPTCHA_MIN_SCORE: 0.5,
  };
  let port = 0;
  const publicUrl = () => `http://127.0.0.1:${port}`;
  const vapid = { publicKey: 'B'.repeat(87), privateKey: '', subject: '' };
  const PUSH_HOSTS = pushHosts(SETTINGS.PUSH_HOSTS.defaultText as string);
  const snapshot = world();
  let reviews: ReviewsComponent | undefined;
  const partsOn = (database: TestDatabase): Partial<ApiOptions> => {
    const shared = { database, hash, log: silentLog, publicUrl };
    const store = new GermanStore(database, GERMAN_CALLS);
    reviews = createReviewsComponent({ TRUSTED_PROXIES, CONTACT: null, ...captcha }, shared);
    return {
      // While all sources are well.
      clock: () => NOON,
      snapshot,
      log,
      site: createSite({
        publicUrl,
        simulated: false,
        snapshot: () => snapshot,
        api: () => guarded.service.api.description,
      }),
      reviews: reviews.reviews,
      push: createPushSubscriptions({ TRUSTED_PROXIES, PUSH_HOSTS, vapid }, shared),
      germany: createGermanChannel({ source, store, log: { ...silentLog, error: log.error } }),
    };
  };
  const guarded: GuardedServices = await GuardedServices.start(1, null, partsOn);
  ({ port } = guarded.service);
  return {
    guarded,
    async close() {
      await guarded.close();
      await Promise.all([reviews?.close(), source.close()]);
      await Promise.all([verifier.close(), germany.close()]);
    },
  };
}
