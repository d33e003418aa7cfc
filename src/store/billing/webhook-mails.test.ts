import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { aWebhook } from '../../../test/support/webhooks/a-webhook.ts';
import { createKey } from '../keys/keys.ts';
import { isStillNews } from './mail-relevance.ts';
import { takeDueMail } from './mails.ts';
import { queueWebhookMails } from './webhook-mails.ts';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => Date.now() - hours * HOUR_MS;

let database: TestDatabase;
let key: number;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate webhooks, api_keys, accounts, mails, orders cascade`.execute(database.kysely);
  key = (await aSubscribedKey(database, 'sub_1', aFetch(Date.now()))).id;
  await sql`delete from mails`.execute(database.kysely);
});

/** The mails that are queued after looking twice. */
async function queued() {
  for (const _ of [1, 2]) await queueWebhookMails(database.kysely);
  const { rows } = await sql<{ kind: string; parameters: Record<string, unknown> }>`
    select kind, parameters from mails order by id`.execute(database.kysely);
  return rows;
}
const set = (columns: Readonly<Record<string, unknown>>) =>
  database.kysely.updateTable('webhooks').set(columns).execute();

describe('the holder of a key', () => {
  test('is told once, by the host alone, that nothing has arrived for three hours', async () => {
    const id = await aWebhook(database, key, { now: ago(2.9), tries: 3, url: 'https://exemplu.ro/?token=geheim' });
    assert.deepEqual(await queued(), []);
    await sql`update webhook_deliveries set created_at = ${new Date(ago(3.1))}`.execute(database.kysely);
    const [only, ...more] = await queued();
    assert.deepEqual(more, []);
    assert.equal(only?.kind, 'webhook_failing');
    const { delivery, since, ...parameters } = only?.parameters ?? {};
    assert.deepEqual(parameters, { webhook: String(id), host: 'exemplu.ro', failure: 'status', httpStatus: 500 });
    assert.ok(typeof delivery === 'number' && typeof since === 'number');
    const mail = await takeDueMail(database.kysely);
    assert.ok(mail !== null && (await isStillNews(database.kysely, mail)));
    await sql`update webhook_deliveries set state = 'delivered', due_at = null`.execute(database.kysely);
    assert.equal(await isStillNews(database.kysely, mail), false);
  });

  test('is not told which names a private network has', async () => {
    await aWebhook(database, key, { now: ago(4), tries: 3 });
    await sql`update webhook_deliveries set failure = 'private address'`.execute(database.kysely);
    assert.equal((await queued())[0]?.parameters.failure, 'unknown host');
  });

  test('is told of the next failure a day later at the earliest', async () => {
    await aWebhook(database, key, { now: ago(4), tries: 3 });
    assert.equal((await queued()).length, 1);
    await sql`delete from webhook_deliveries`.execute(database.kysely);
    await sql`insert into webhook_deliveries (webhook_id, event, after_seq, end_seq, state, tries, created_at, due_at)
      select id, 'changes', 1, 2, 'waiting', 2, ${new Date(ago(4))}, now() from webhooks`.execute(database.kysely);
    assert.equal((await queued()).length, 1);
    await sql`update mails set created_at = ${new Date(ago(25))}`.execute(database.kysely);
    assert.equal((await queued()).length, 2);
  });

  test('is told nothing of what was never tried, arrives, is paused, or belongs to a key that is closed', async () => {
    await aWebhook(database, key, { now: ago(10) });
    await aWebhook(database, key, { now: ago(10), tries: 2 });
    await set({ paused_at: new Date() });
    assert.deepEqual(await queued(), []);
    await set({ paused_at: null });
    await database.kysely.updateTable('billing_subscriptions').set({ disputed_at: new Date() }).execute();
    assert.deepEqual(await queued(), []);
    await database.kysely.updateTable('billing_subscriptions').set({ disputed_at: null }).execute();
    assert.equal((await queued()).length, 1);
  });

  test('is told once that we stopped a webhook, and why; again when it is stopped again', async () => {
    const id = await aWebhook(database, key, { now: ago(76), tries: 9 });
    const stop = (hours: number) => set({ stopped_at: new Date(ago(hours)), stop_reason: 'failing' });
    await stop(1);
    const [first] = await queued();
    assert.equal(first?.kind, 'webhook_stopped');
    assert.deepEqual([first?.parameters.reason, first?.parameters.webhook], ['failing', String(id)]);
    const mail = await takeDueMail(database.kysely);
    assert.ok(mail !== null && (await isStillNews(database.kysely, mail)));
    await set({ stopped_at: null, stop_reason: null });
    assert.equal(await isStillNews(database.kysely, mail), false);
    await stop(0);
    assert.equal((await queued()).filter(({ kind }) => kind === 'webhook_stopped').length, 2);
    await sql`delete from mails`.execute(database.kysely);
    await stop(24 * 8);
    assert.deepEqual(
      (await queued()).map(({ kind }) => kind),
      [],
      'of a stop of long ago, whose mail is forgotten',
    );
  });

  test('without an account is told nothing', async () => {
    const wanted = { plan: 'business', quota: null, email: null, subscription: null } as const;
    const { id } = await createKey(database, wanted);
    await aWebhook(database, id, { now: ago(10), tries: 2 });
    assert.deepEqual(await queued(), []);
  });
});
