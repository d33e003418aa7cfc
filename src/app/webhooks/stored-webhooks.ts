/** What the API and the account page do with webhooks: the store, and a sender for tests. */
import type { AccountWebhooks } from '../../api/billing/webhook-actions.ts';
import { ChangeFeed } from '../../api/changes/change-feed.ts';
import type { ChangeLog } from '../../api/changes/change-log.ts';
import { pingBody } from '../../api/webhooks/webhook-bodies.ts';
import type { WebhookDependencies } from '../../api/webhooks/webhook-dependencies.ts';
import { createWebhookLimits } from '../../api/webhooks/webhook-limits.ts';
import type { WebhookService } from '../../api/webhooks/webhook-service.ts';
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from '../../clients/webhook-sender.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import { beginPing, recordPing } from '../../store/webhooks/webhook-outbox.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  renewWebhookSecret,
  replayWebhook,
  tryNow,
} from '../../store/webhooks/webhooks.ts';

/** The webhooks of a running service; `close` frees the connections of tests under way. */
export function createWebhooks(
  { allowedOrigins, userAgent }: Pick<WebhookSenderOptions, 'allowedOrigins' | 'userAgent'>,
  database: Pick<DatabaseConnection, 'transaction'>,
): WebhookDependencies & { close(): Promise<void> } {
  const sender = createWebhookSender({ allowedOrigins, userAgent, clock: Date.now });
  const service = createWebhookService(database, sender, Date.now);
  return { service, limits: createWebhookLimits(), allowedOrigins, close: sender.close };
}

/** The same for the page of an account. */
export function accountWebhooks(webhooks: WebhookDependencies, changes: ChangeLog): AccountWebhooks {
  return {
    ...{ ...webhooks, feed: new ChangeFeed(changes), places: loadGazetteer(), clock: Date.now },
    cursorSince: (moment) => changes.cursorSince(moment),
  };
}

const LIMIT = { withinMs: 2_000 };

/** Rejects with `DatabaseUnavailable` while the database is away. */
export function createWebhookService(
  database: Pick<DatabaseConnection, 'transaction'>,
  sender: Pick<WebhookSender, 'send'>,
  clock: () => number,
): WebhookService {
  const run: <T>(work: Parameters<typeof database.transaction<T>>[0]) => Promise<T> = (work) =>
    database.transaction(work, LIMIT);
  return {
    list: (key) => run((tx) => listWebhooks(tx, key)),
    find: (key, id) => run((tx) => findWebhook(tx, key, id)),
    create: (key, content) => run((tx) => createWebhook(tx, key, content, clock())),
    change: (key, id, changes) => run((tx) => changeWebhook(tx, key, id, changes, clock())),
    delete: (key, id) => run((tx) => deleteWebhook(tx, key, id)),
    tryNow: (key, id) => run((tx) => tryNow(tx, key, id, clock())),
    deliveries: (key, id) => run((tx) => listDeliveries(tx, key, id)),
    replay: (key, id, after) => run((tx) => replayWebhook(tx, key, id, after)),
    renewSecret: (key, id) => run((tx) => renewWebhookSecret(tx, key, id, clock())),
    async ping(key, id) {
      const target = await run((tx) => beginPing(tx, key, id, clock()));
      if (target === null) return null;
      const outcome = await sender.send({ ...target, body: pingBody(target.webhook, clock()) });
      const failure = outcome.kind === 'failed' ? outcome.failure : outcome.kind === 'gone' ? 'status' : null;
      const { httpStatus } = outcome;
      return run(async (tx) => {
        const delivery = await recordPing(tx, target, { httpStatus, failure, now: clock() });
        const webhook = await findWebhook(tx, key, id);
        return delivery && webhook && { webhook, delivery };
      });
    },
  };
}
