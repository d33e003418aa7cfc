/** What an operator has set in Stripe's Dashboard, as far as selling depends on it. */
import type Stripe from 'stripe';

/** The default configuration of the billing portal. */
export type PortalSetup = {
  /** A change of the plan during the trial leaves the trial as it is. */
  readonly keepsTrials: boolean;
  readonly changesPlans: boolean;
  /** Whoever cancels there is served until the end of the period. */
  readonly cancelsAtEnd: boolean;
};

/** An endpoint to which events are posted. `version`: `null` = the account's default. */
export type EndpointSetup = {
  readonly url: string;
  readonly isEnabled: boolean;
  readonly version: string | null;
  readonly events: readonly string[];
};

export type StripeSetup = { readonly portal: PortalSetup | null; readonly endpoints: readonly EndpointSetup[] };

/** Reads both. */
export async function readStripeSetup(stripe: Stripe): Promise<StripeSetup> {
  const [portals, endpoints] = await Promise.all([
    stripe.billingPortal.configurations.list({ is_default: true, active: true, limit: 1 }),
    stripe.webhookEndpoints.list({ limit: 100 }),
  ]);
  const [portal] = portals.data;
  return {
    portal: portal === undefined ? null : asPortal(portal),
    endpoints: endpoints.data.map(({ url, status, api_version, enabled_events }) => ({
      ...{ url, version: api_version, events: enabled_events },
      isEnabled: status === 'enabled',
    })),
  };
}

function asPortal({ features }: Stripe.BillingPortal.Configuration): PortalSetup {
  const { subscription_update: update, subscription_cancel: cancel } = features;
  return {
    keepsTrials: !update.enabled || update.trial_update_behavior === 'continue_trial',
    changesPlans: update.enabled && update.default_allowed_updates.includes('price'),
    cancelsAtEnd: !cancel.enabled || cancel.mode === 'at_period_end',
  };
}
