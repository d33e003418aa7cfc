/** What the holder of an account does with a webhook on its page. */
import type { WebhookNotice, WebhookProblem, WebhooksView } from '../../domain/billing/webhooks-view.ts';
import type { Webhook, WebhookAction } from '../../domain/webhooks/webhook.ts';
import { parseStart } from '../changes/change-parameters.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { parseWebhookForm, typedWebhook } from '../webhooks/read-webhook-form.ts';
import type { WebhookEndpointDependencies } from '../webhooks/webhook-dependencies.ts';

/** What webhooks on the page of an account need. */
export type AccountWebhooks = WebhookEndpointDependencies & {
  /** The cursor after which come the changes told since a moment; `null` = the feed is not read yet. */
  readonly cursorSince: (moment: number) => string | null;
  /** Epoch ms. */
  readonly clock: () => number;
};

/** What came of an action: something to say on the next page, or something that only this answer shows. */
export type WebhookActionResult =
  | { readonly kind: 'done'; readonly notice: WebhookNotice }
  | { readonly kind: 'shown'; readonly view: Partial<Pick<WebhooksView, ShownOnce>> }
  | { readonly kind: 'nothing' };
type ShownOnce = 'secret' | 'tested' | 'editing' | 'asksToDelete' | 'problem' | 'typed';

type Fields = Readonly<Record<string, string>>;
/** The webhook that a form is about, as it is now, and its key. */
type Target = { readonly key: number; readonly webhook: Webhook };

const DAY_MS = 86_400_000;
const NOTHING: WebhookActionResult = { kind: 'nothing' };
const ACTIONS: ReadonlyMap<string, WebhookAction> = new Map([
  ['test', 'ping'],
  ['try-now', 'ping'],
  ['replay', 'replay'],
  ['replay-day', 'replay'],
]);

/** Acts on a webhook, of whose key the caller knows that it is the account's. */
export async function actOnWebhook(
  webhooks: AccountWebhooks,
  { key, webhook }: Target,
  fields: Fields,
  rendered: RenderedSnapshot,
): Promise<WebhookActionResult> {
  const { service, limits } = webhooks;
  const { id } = webhook;
  if (fields.do === 'delete') return shown({ asksToDelete: id });
  const action = ACTIONS.get(fields.do ?? '') ?? 'change';
  if (limits(key, action) > 0) return shown({ problem: { kind: 'limited', action } });
  switch (fields.do) {
    case 'test': {
      const result = await service.ping(key, id);
      return result === null ? NOTHING : shown({ tested: { id, delivery: result.delivery } });
    }
    case 'edit':
      return changeWebhook(webhooks, { key, webhook }, fields, rendered);
    case 'try-now':
      return done((await service.tryNow(key, id)) || null, 'retried');
    case 'pause':
    case 'resume': {
      const isPaused = fields.do === 'pause';
      return done(await service.change(key, id, { paused: isPaused }), isPaused ? 'paused' : 'resumed');
    }
    case 'replay':
    case 'replay-day':
      return replay(webhooks, { key, webhook }, fields);
    case 'secret': {
      // A page that is loaded again posts its form again: that renews no secret which nobody has read.
      if (fields.of !== webhook.secretFingerprint) return done(webhook, 'renewed');
      const renewed = await service.renewSecret(key, id);
      if (renewed === 'too many') return shown({ problem: { kind: 'too many secrets' } });
      return renewed === null ? NOTHING : shown({ secret: { id, secret: renewed.secret, isFirst: false } });
    }
    case 'delete-now':
      return done((await service.delete(key, id)) || null, 'deleted');
    default:
      return NOTHING;
  }
}

/** Makes a webhook of a key, or says what is wrong with the form. */
export async function makeWebhook(
  webhooks: AccountWebhooks,
  key: number,
  fields: Fields,
  rendered: RenderedSnapshot,
): Promise<WebhookActionResult> {
  const typed = typedWebhook(fields);
  const refused = (problem: WebhookProblem) => shown({ problem, typed });
  const content = parseWebhookForm(typed, { ...webhooks, rendered });
  if ('problem' in content) return refused(content.problem);
  if (webhooks.limits(key, 'change') > 0) return refused({ kind: 'limited', action: 'change' });
  const made = await webhooks.service.create(key, content);
  if (made === 'too many') return refused({ kind: 'too many' });
  return shown({ secret: { id: made.webhook.id, secret: made.secret, isFirst: true } });
}

/** Changes the address, filter and kinds of a webhook, or says what is wrong with the form. */
async function changeWebhook(
  webhooks: AccountWebhooks,
  { key, webhook: { id } }: Target,
  fields: Fields,
  rendered: RenderedSnapshot,
): Promise<WebhookActionResult> {
  const typed = typedWebhook(fields);
  const content = parseWebhookForm(typed, { ...webhooks, rendered });
  if ('problem' in content) return shown({ problem: content.problem, typed, editing: id });
  return done(await webhooks.service.change(key, id, content), 'changed');
}

async function replay(
  webhooks: AccountWebhooks,
  { key, webhook }: Target,
  fields: Fields,
): Promise<WebhookActionResult> {
  const { service, feed, cursorSince, clock } = webhooks;
  const sent = fields.do === 'replay' ? (fields.cursor ?? '').trim() : cursorSince(clock() - DAY_MS);
  const start = sent === null ? undefined : parseStart(sent);
  if (sent === null) return shown({ problem: { kind: 'no feed' } });
  if (start === undefined || start === null) return shown({ problem: { kind: 'cursor' } });
  const place = feed.placeOf(start);
  if ('problem' in place) return shown({ problem: { kind: place.problem.status === 410 ? 'cursor gone' : 'no feed' } });
  return done(await service.replay(key, webhook.id, place), 'replayed');
}

const shown = (view: Partial<Pick<WebhooksView, ShownOnce>>): WebhookActionResult => ({ kind: 'shown', view });

function done(result: unknown, notice: WebhookNotice): WebhookActionResult {
  return result === null ? NOTHING : { kind: 'done', notice };
}
