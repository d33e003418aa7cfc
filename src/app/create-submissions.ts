/** What visitors may send to a running service, reviews and reports of drivers, created from the settings. */

import { CaptchaCheck } from '../api/endpoints/captcha-check.ts';
import { createDriverReportService, type DriverReportService } from '../api/endpoints/driver-report-submission.ts';
import { ProofOfWork } from '../api/endpoints/proof-of-work.ts';
import { createReviewService } from '../api/endpoints/review-submission.ts';
import type { ReviewEndpointDependencies } from '../api/endpoints/reviews.ts';
import type { Log } from '../api/response/log.ts';
import { createRecaptcha } from '../clients/recaptcha.ts';
import type { Config } from '../config/config.ts';
import { PUBLIC_CAPTCHA } from '../config/settings.ts';
import type { TokenVerifier } from '../domain/access/token-verifier.ts';
import type { DatabaseConnection } from '../store/connection/database-connection.ts';
import type { AddressHashing } from '../store/limits/address-hash.ts';
import { ChallengeSigner } from '../store/limits/challenge-signer.ts';
import { userAgentOf } from './settings/derived-settings.ts';

type CaptchaSettings = Pick<
  Config,
  'CAPTCHA_KIND' | 'CAPTCHA_SITE_KEY' | 'CAPTCHA_SECRET' | 'CAPTCHA_URL' | 'CAPTCHA_HOSTNAMES' | 'CAPTCHA_MIN_SCORE'
>;
type SubmissionSettings = Pick<Config, 'CONTACT' | 'PRICE_RANGES'> & CaptchaSettings;

type SubmissionDependencies = {
  readonly database: DatabaseConnection;
  readonly publicUrl: () => string;
  /** Makes the keyed hashes that identify clients. */
  readonly hashes: AddressHashing;
  readonly log: Pick<Log, 'warn'>;
};

export type SubmissionsComponent = {
  readonly reviews: ReviewEndpointDependencies;
  readonly reports: DriverReportService;
  /** Checks the browsers of visitors of the site; `null` = its pages cannot ask for a token. */
  readonly captchaOfPages: CaptchaCheck | null;
  close(): Promise<void>;
};

/** Creates both, which share the captcha; until the database is open, they are unavailable. */
export function createSubmissions(
  config: SubmissionSettings,
  { database, publicUrl, hashes, log }: SubmissionDependencies,
): SubmissionsComponent {
  const proofOfWork = config.CAPTCHA_KIND === 'altcha' ? createProofOfWork(hashes) : null;
  const captcha = proofOfWork ?? verifierOf(config, publicUrl);
  const check = captcha && new CaptchaCheck({ captcha, log });
  const service = createReviewService({ database, hasher: hashes.for('reviews'), captcha: check, log });
  return {
    reviews: {
      ...service,
      challengeFor: proofOfWork && ((client) => proofOfWork.issue(client)),
    },
    reports: createDriverReportService({
      ...{ database, captcha: check, log, ranges: config.PRICE_RANGES },
      hasher: hashes.for('driver reports'),
    }),
    captchaOfPages: config.CAPTCHA_KIND === 'recaptcha' && config.CAPTCHA_SITE_KEY === null ? null : check,
    close: async () => captcha?.close(),
  };
}

function createProofOfWork(hashes: AddressHashing): ProofOfWork {
  return new ProofOfWork({ signer: new ChallengeSigner({ hasher: hashes.for('captcha challenges') }) });
}

/** The verifier elsewhere; `null` = none is in use. */
function verifierOf(config: SubmissionSettings, publicUrl: () => string): TokenVerifier | null {
  const { CAPTCHA_SECRET: secret, CAPTCHA_URL: url, CAPTCHA_HOSTNAMES, CAPTCHA_MIN_SCORE: minScore } = config;
  if (config.CAPTCHA_KIND !== 'recaptcha' || secret === null) return null;
  return createRecaptcha({
    url,
    secret,
    hostnames: () => CAPTCHA_HOSTNAMES ?? [new URL(publicUrl()).hostname],
    minScore,
    userAgent: userAgentOf(config),
    // An address that the operator set may be private; the public one must not resolve to a private host.
    allowPrivate: url !== PUBLIC_CAPTCHA,
  });
}
