/** The page of the webhooks of an account's keys. */
import type { ChangeKind } from '../changes/served-change.ts';
import type { Language } from '../localized-text.ts';
import type { AddressFault, FilterFault, Webhook, WebhookAction, WebhookDelivery } from '../webhooks/webhook.ts';
import type { ClosedReason } from './standing.ts';

/** What has just been done, as the address of the page says it. */
export const WEBHOOK_NOTICES = ['changed', 'paused', 'resumed', 'retried', 'replayed', 'deleted', 'renewed'] as const;
export type WebhookNotice = (typeof WEBHOOK_NOTICES)[number];

/** What is wrong with a form. */
export type WebhookProblem =
  | { readonly kind: 'address'; readonly fault: AddressFault }
  | { readonly kind: 'filter'; readonly fault: FilterFault }
  | { readonly kind: 'too many' | 'too many secrets' | 'too many stations' | 'no kind' }
  /** What was typed as a cursor is none, or leads nowhere any more. */
  | { readonly kind: 'cursor' | 'cursor gone' }
  /** The feed is not read yet. */
  | { readonly kind: 'no feed' }
  | { readonly kind: 'limited'; readonly action: WebhookAction };

/** The field of a form that chooses a kind of changes. */
export const kindField = (kind: ChangeKind): string => `kind-${kind.replace(' ', '-')}`;

/** What was typed into the form of a webhook, or is in it at first. */
export type TypedWebhook = {
  readonly key: string;
  readonly url: string;
  /** The word of the contract; empty = all. */
  readonly fuel: string;
  readonly county: string;
  readonly city: string;
  readonly network: string;
  readonly stations: string;
  readonly kinds: readonly ChangeKind[];
};

export type WebhooksView = {
  readonly page: 'webhooks';
  readonly language: Language;
  readonly formToken: string;
  readonly notice: WebhookNotice | null;
  /** `closed`: why requests with it are refused and nothing is sent for it; `null` = they are served. */
  readonly keys: readonly { readonly id: number; readonly plan: string; readonly closed: ClosedReason | null }[];
  readonly webhooks: readonly {
    readonly key: number;
    readonly webhook: Webhook;
    readonly deliveries: readonly WebhookDelivery[];
  }[];
  /** A secret that was just made, which no page shows again; `isFirst`: with its webhook. */
  readonly secret: { readonly id: string; readonly secret: string; readonly isFirst: boolean } | null;
  /** What a test has just come to. */
  readonly tested: { readonly id: string; readonly delivery: WebhookDelivery } | null;
  /** The webhook whose form is shown. */
  readonly editing: string | null;
  /** The webhook that the next form deletes. */
  readonly asksToDelete: string | null;
  readonly problem: WebhookProblem | null;
  /** To fill the form again: that of the webhook which is shown, or of a new one. */
  readonly typed: TypedWebhook | null;
};
