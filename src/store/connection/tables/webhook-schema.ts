/** The tables of webhooks as Kysely sees them. */
import type { Generated } from 'kysely';
import type { ChangeKind } from '../../../domain/changes/served-change.ts';
import type { DeliveryFailure, StopReason, WebhookDelivery, WebhookEvent } from '../../../domain/webhooks/webhook.ts';
import type { Instant, MaybeInstant } from './column-types.ts';

export type WebhookSchema = {
  webhooks: {
    id: Generated<number>;
    key_id: number;
    url: string;
    fuel: number | null;
    county: string | null;
    city: string | null;
    network: string | null;
    stations: string[] | null;
    kinds: ChangeKind[];
    secret: Buffer;
    epoch: string | null;
    position: Generated<number>;
    revision: Generated<number>;
    scanned: number | null;
    found: Generated<number>;
    sent_at: MaybeInstant;
    slow_at: MaybeInstant;
    created_at: Instant;
    verified_at: MaybeInstant;
    paused_at: MaybeInstant;
    stopped_at: MaybeInstant;
    stop_reason: StopReason | null;
  };
  webhook_old_secrets: { webhook_id: number; secret: Buffer; until: Instant };
  webhook_deliveries: {
    id: Generated<number>;
    webhook_id: number;
    event: WebhookEvent;
    epoch: string | null;
    after_seq: number;
    end_seq: number;
    revision: Generated<number>;
    total: Generated<number>;
    told_at: MaybeInstant;
    state: WebhookDelivery['state'];
    tries: Generated<number>;
    http_status: number | null;
    failure: DeliveryFailure | null;
    created_at: Instant;
    tried_at: MaybeInstant;
    due_at: MaybeInstant;
  };
};
