/** A webhook in a database, verified, with a delivery. */
import { createWebhook } from '../../../src/store/webhooks/webhooks.ts';
import type { TestDatabase } from '../database/test-database.ts';

const FILTER = { fuel: null, county: null, city: null, network: null, stations: null };

/** Returns its id. `tries` of its delivery have failed; 0 = it has arrived. */
export async function aWebhook(
  { kysely }: Pick<TestDatabase, 'kysely'>,
  key: number,
  { now = Date.now(), tries = 0, url = 'https://exemplu.ro/pompa' } = {},
): Promise<number> {
  const content = { url, filter: FILTER, kinds: ['price'] as const };
  const made = await kysely.transaction().execute((tx) => createWebhook(tx, key, content, now));
  if (made === 'too many') throw new Error(made);
  const id = Number(made.webhook.id);
  const at = new Date(now);
  await kysely.updateTable('webhooks').set({ verified_at: at }).where('id', '=', id).execute();
  await kysely
    .insertInto('webhook_deliveries')
    .values({
      ...{ webhook_id: id, event: 'changes', epoch: 'epoch_01', after_seq: 0, end_seq: 1, created_at: at, tries },
      ...(tries === 0
        ? { state: 'delivered', http_status: 204, tried_at: at }
        : { state: 'waiting', due_at: at, tried_at: at, failure: 'status', http_status: 500 }),
    })
    .execute();
  return id;
}
