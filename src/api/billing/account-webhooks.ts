/** The webhooks of an account's keys: their page and its forms. */
import { WEBHOOK_NOTICES, type WebhooksView } from '../../domain/billing/webhooks-view.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { readAccountDetails } from '../../store/billing/account-details.ts';
import { type AccountRequest, accountForm, accountPage } from './account-session.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import type { BillingReply, BillingRoute } from './billing-route.ts';
import { formTokenOf } from './form-token.ts';
import { type AccountWebhooks, actOnWebhook, makeWebhook } from './webhook-actions.ts';

/** Deliveries of each webhook that the page shows. */
const DELIVERIES_SHOWN = 10;
const PATH = BILLING_PATHS.accountWebhooks;

/** The routes; none where nothing stores webhooks. */
export function webhookRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const { webhooks } = dependencies;
  if (webhooks === undefined) return [];
  return [
    accountPage(dependencies, PATH, async (request) => {
      const notice = WEBHOOK_NOTICES.find((each) => each === request.query.get('done')) ?? null;
      const editing = request.query.get('edit');
      return { view: await webhooksViewOf(dependencies, webhooks, request, { notice, editing }) };
    }),
    accountForm(dependencies, PATH, (request) => changeWebhooks(dependencies, webhooks, request)),
  ];
}

/** A secret and the outcome of a test are shown in the answer itself: nothing keeps them for a later page. */
async function changeWebhooks(
  dependencies: BillingDependencies,
  webhooks: AccountWebhooks,
  request: AccountRequest,
): Promise<BillingReply> {
  const { language, fields, rendered } = request;
  const before = await webhooksViewOf(dependencies, webhooks, request);
  const key = before.keys.find(({ id }) => String(id) === fields.key)?.id;
  const known = before.webhooks.find(({ webhook }) => webhook.id === fields.webhook);
  const page = { redirectTo: PATH[language] };
  const isNew = fields.do === 'create';
  if (isNew ? key === undefined : known === undefined) return page;
  const result = isNew
    ? await makeWebhook(webhooks, key as number, fields, rendered)
    : await actOnWebhook(webhooks, known as NonNullable<typeof known>, fields, rendered);
  if (result.kind === 'nothing') return page;
  if (result.kind === 'done') return { redirectTo: `${PATH[language]}?done=${result.notice}` };
  return { view: await webhooksViewOf(dependencies, webhooks, request, result.view) };
}

/** The webhooks as they are now. */
async function webhooksViewOf(
  { database, clock }: BillingDependencies,
  { service }: AccountWebhooks,
  { language, holder, session }: AccountRequest,
  shown: Partial<WebhooksView> = {},
): Promise<WebhooksView> {
  const details = await database.transaction(
    (tx) => readAccountDetails(tx, holder.accountId, clock()),
    BILLING_TIMEOUT,
  );
  const closedOf = (key: number) => {
    const verdict = details.subscriptions.find(({ keyId }) => keyId === key)?.standing;
    return verdict === undefined || verdict.isOpen ? null : verdict.reason;
  };
  const keys = details.keys.map(({ id, plan }) => ({ id, plan, closed: closedOf(id) }));
  const owned = await Promise.all(
    keys.map(async ({ id: key }) => (await service.list(key)).map((webhook) => ({ key, webhook }))),
  );
  const webhooks = await Promise.all(
    owned.flat().map(async ({ key, webhook }) => {
      const deliveries = (await service.deliveries(key, webhook.id)) ?? [];
      return { key, webhook, deliveries: deliveries.slice(0, DELIVERIES_SHOWN) };
    }),
  );
  return {
    ...{ page: 'webhooks', language, formToken: formTokenOf(session), notice: null, keys, webhooks },
    ...{ secret: null, tested: null, editing: null, asksToDelete: null, problem: null, typed: null },
    ...shown,
  };
}
