/** What the pages and forms of selling need. */
import type { StripeClient } from '../../clients/stripe.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import type { Log } from '../response/log.ts';
import type { ProofLimits } from './proof-limits.ts';

export type BillingDependencies = {
  readonly database: Pick<DatabaseConnection, 'transaction'>;
  /** `null` = plans are not sold here. */
  readonly stripe: StripeClient | null;
  readonly offer: SellingOffer;
  readonly publicUrl: () => string;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly limits: ProofLimits;
};

/** How long a page of selling waits for the database, ms. */
export const BILLING_TIMEOUT = { withinMs: 3_000 };
