/** Reviews of a running service, put together from the settings. */

import { buildReviewService } from '../api/endpoints/review-service.ts';
import type { ReviewEndpointDependencies } from '../api/endpoints/reviews.ts';
import type { Log } from '../api/response/log.ts';
import { type Captcha, createCaptcha } from '../clients/captcha.ts';
import type { Config } from '../config/config.ts';
import { PUBLIC_CAPTCHA } from '../config/settings.ts';
import type { DatabaseConnection } from '../store/connection/database-connection.ts';
import { addressOf } from './access-service.ts';
import { userAgentOf } from './feeds.ts';

type ReviewSettings = Pick<
  Config,
  'TRUSTED_PROXIES' | 'CONTACT' | 'CAPTCHA_SECRET' | 'CAPTCHA_URL' | 'CAPTCHA_HOSTNAMES' | 'CAPTCHA_MIN_SCORE'
>;

type ReviewDependencies = {
  readonly database: DatabaseConnection;
  readonly publicUrl: () => string;
  /** The keyed hash under which a client is kept; `null` = that cannot be told yet. */
  readonly hash: (client: string) => Buffer | null;
  readonly log: Pick<Log, 'warn'>;
};

export type ReviewsComponent = {
  readonly reviews: ReviewEndpointDependencies;
  close(): Promise<void>;
};

/** Makes the reviews; until the database is there they are unavailable. */
export function createReviewsComponent(
  config: ReviewSettings,
  { database, publicUrl, hash, log }: ReviewDependencies,
): ReviewsComponent {
  const captcha = captchaOf(config, publicUrl);
  const service = buildReviewService({ database, hash, captcha, log });
  return {
    reviews: { ...service, clientOf: (caller) => addressOf(caller, config).client },
    close: async () => captcha?.close(),
  };
}

function captchaOf(config: ReviewSettings, publicUrl: () => string): Captcha | null {
  const { CAPTCHA_SECRET: secret, CAPTCHA_URL: url, CAPTCHA_HOSTNAMES, CAPTCHA_MIN_SCORE: minScore } = config;
  if (secret === null) return null;
  return createCaptcha({
    url,
    secret,
    hostnames: () => CAPTCHA_HOSTNAMES ?? [new URL(publicUrl()).hostname],
    minScore,
    userAgent: userAgentOf(config),
    // An address the operator set may be anywhere; the public one must not be led to a private host by its DNS.
    allowPrivate: url !== PUBLIC_CAPTCHA,
  });
}
