/** What the pages and forms of selling need. */
import type { StripeClient } from '../../clients/stripe.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import type { AddressHashing } from '../../store/limits/address-hash.ts';
import type { CaptchaCheck } from '../endpoints/captcha-check.ts';
import type { Log } from '../response/log.ts';
import type { ProofLimits } from './proof-limits.ts';
import type { AccountWebhooks } from './webhook-actions.ts';

export type BillingDependencies = {
  readonly database: Pick<DatabaseConnection, 'transaction'>;
  /** Makes the keyed hashes that identify networks. */
  readonly hashes: AddressHashing;
  /** `null` = plans are not sold here. */
  readonly stripe: StripeClient | null;
  readonly offer: SellingOffer;
  readonly publicUrl: () => string;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly limits: ProofLimits;
  /** None by default. */
  readonly webhooks?: AccountWebhooks;
  /** Checks browsers while many mails are asked for; `null` = nothing here can. */
  readonly captcha: Pick<CaptchaCheck, 'isAccepted' | 'identityOf'> | null;
};

/** How long a page of selling waits for the database, ms. */
export const BILLING_TIMEOUT = { withinMs: 3_000 };
