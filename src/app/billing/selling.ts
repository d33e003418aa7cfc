/** Selling in a running service, created from the settings: what is offered, its pages and forms, Stripe's webhook. */

import { deletionRoutes } from '../../api/billing/account-deletion.ts';
import { webhookRoutes } from '../../api/billing/account-webhooks.ts';
import type { BillingDependencies } from '../../api/billing/billing-dependencies.ts';
import type { BillingRoute } from '../../api/billing/billing-route.ts';
import { addressRoutes } from '../../api/billing/change-address.ts';
import { accountRoutes } from '../../api/billing/customer-account.ts';
import { freeKeyRoutes } from '../../api/billing/free-key.ts';
import { loginRoutes } from '../../api/billing/log-in.ts';
import { orderRoutes } from '../../api/billing/order.ts';
import { createProofLimits } from '../../api/billing/proof-limits.ts';
import { unsubscriptionRoutes } from '../../api/billing/unsubscription.ts';
import { withdrawalRoutes } from '../../api/billing/withdrawal.ts';
import type { ReceiveWebhook } from '../../api/http/webhook-route.ts';
import { createStripeClient, type StripeClient, type StripeOptions } from '../../clients/stripe.ts';
import type { Config } from '../../config/config.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import { storeEvent } from '../../store/billing/webhook-inbox.ts';

export type SellingComponent = {
  /** `null` = nothing is sold or given. */
  readonly offer: SellingOffer | null;
  readonly routes: readonly BillingRoute[];
  readonly webhook: ReceiveWebhook | null;
};

type Selling = Pick<Config, 'selling' | 'mail' | 'FREE_KEY_QUOTA'>;

/** What came of an event that was posted. */
type WebhookCounts = (outcome: 'accepted' | 'refused' | 'unavailable') => void;

/** Where Stripe's pages are, unless it is simulated. */
const STRIPE_PAGES = ['https://checkout.stripe.com', 'https://billing.stripe.com'];

/** Creates it; until the database is open, its pages ask to come back. */
export function createSelling(
  config: Selling,
  dependencies: Omit<BillingDependencies, 'stripe' | 'offer' | 'limits'> & { readonly counts?: WebhookCounts },
): SellingComponent {
  const offer = offerOf(config);
  if (offer === null) return { offer, routes: [], webhook: null };
  const stripe = stripeOf(config, dependencies.clock);
  const parts = { ...dependencies, stripe, offer, limits: createProofLimits(dependencies.log) };
  const routes = [
    ...[...orderRoutes(parts), ...withdrawalRoutes(parts), ...freeKeyRoutes(parts)],
    ...[...loginRoutes(parts), ...accountRoutes(parts), ...addressRoutes(parts), ...deletionRoutes(parts)],
    ...unsubscriptionRoutes(parts),
    ...webhookRoutes(parts),
  ];
  return { offer, routes, webhook: stripe && createWebhookReceiver(stripe, dependencies) };
}

/** The client of Stripe by the settings; `null` = plans are not sold. */
export function stripeOf(
  { selling }: Pick<Config, 'selling'>,
  clock: () => number,
  options: Pick<StripeOptions, 'timeoutMs'> = {},
): StripeClient | null {
  return selling && createStripeClient({ ...selling, clock, ...options });
}

function offerOf({ selling, mail, FREE_KEY_QUOTA }: Selling): SellingOffer | null {
  if (mail === null || (selling === null && FREE_KEY_QUOTA === null)) return null;
  return {
    seller: selling?.seller ?? null,
    salesMode: selling?.salesMode ?? 'own',
    freeKeyQuota: FREE_KEY_QUOTA,
    checkoutOrigins: selling === null ? [] : pagesOf(selling.apiUrl),
  };
}

/** A Stripe on this machine is simulated, and has its pages beside its API. */
function pagesOf(apiUrl: URL): string[] {
  return apiUrl.protocol === 'http:' ? [apiUrl.origin] : STRIPE_PAGES;
}

/** An event means no more than "look again": its id is stored, and a worker fetches what it is about. */
export function createWebhookReceiver(
  stripe: Pick<StripeClient, 'readEvent'>,
  { database, counts }: Pick<BillingDependencies, 'database'> & { readonly counts?: WebhookCounts },
): ReceiveWebhook {
  return async (body, signature) => {
    const event = await stripe.readEvent(body, signature);
    if (event !== null && event.object !== null) {
      const stored = { ...event, object: event.object };
      await database
        .transaction((tx) => storeEvent(tx, stored), WEBHOOK_TIMEOUT)
        .catch((error) => {
          counts?.('unavailable');
          throw error;
        });
    }
    counts?.(event === null ? 'refused' : 'accepted');
    return event !== null;
  };
}

/** Stripe waits ten seconds for an answer. */
const WEBHOOK_TIMEOUT = { withinMs: 5_000 };
