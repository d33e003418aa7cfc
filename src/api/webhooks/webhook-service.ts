/** What the API and the account page ask of webhooks. Calls reject with `DatabaseUnavailable` on an outage. */
import type { Cursor } from '../../domain/changes/cursor.ts';
import type { Webhook, WebhookChanges, WebhookContent, WebhookDelivery } from '../../domain/webhooks/webhook.ts';

/** Every call is for one key: of a webhook of another key it knows nothing, and answers `null`. */
export type WebhookService = {
  list(key: number): Promise<readonly Webhook[]>;
  find(key: number, id: string): Promise<Webhook | null>;
  /** `too many` = the key has as many as it may. The secret is in no other answer. */
  create(key: number, content: WebhookContent): Promise<{ webhook: Webhook; secret: string } | 'too many'>;
  /** A new address has to be verified again. */
  change(key: number, id: string, changes: WebhookChanges): Promise<Webhook | null>;
  /** Whether there was one. */
  delete(key: number, id: string): Promise<boolean>;
  /** Sends a signed ping and tells what came of it; success verifies the address, and starts one that we stopped. */
  ping(key: number, id: string): Promise<{ webhook: Webhook; delivery: WebhookDelivery } | null>;
  /** Tries at once what waits after a failure, with all its tries before it again; whether anything does. */
  tryNow(key: number, id: string): Promise<boolean>;
  /** The last ones, newest first. */
  deliveries(key: number, id: string): Promise<readonly WebhookDelivery[] | null>;
  /** Sends everything after a place of the feed again. */
  replay(key: number, id: string, after: Cursor): Promise<Webhook | null>;
  /** An earlier secret signs, too, for a day; `too many` = so many do that none may be added. */
  renewSecret(key: number, id: string): Promise<{ webhook: Webhook; secret: string } | 'too many' | null>;
};
