/** How often one key changes and tests its webhooks, over the API and on the account page together. */
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { WEBHOOK_LIMITS, type WebhookAction } from '../../domain/webhooks/webhook.ts';

const HOUR_SECONDS = 3_600;
/** Keys remembered. */
const MAX_KEYS = 10_000;

/** How long the key must wait, ms; 0 = it may act now, which counts. */
export type WebhookLimits = (key: number, action: WebhookAction) => number;

/** Creates the limits of a process. */
export function createWebhookLimits(clock?: () => number): WebhookLimits {
  const bucketsOf = (perHour: number) =>
    new TokenBuckets({
      ...{ burst: perHour, perSecond: perHour / HOUR_SECONDS, maxKeys: MAX_KEYS },
      ...(clock && { clock }),
    });
  const buckets = {
    change: bucketsOf(WEBHOOK_LIMITS.change),
    ping: bucketsOf(WEBHOOK_LIMITS.ping),
    replay: bucketsOf(WEBHOOK_LIMITS.replay),
  };
  return (key, action) => (buckets[action].tryTake(String(key)) ? 0 : (HOUR_SECONDS / WEBHOOK_LIMITS[action]) * 1_000);
}
