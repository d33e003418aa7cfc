import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { aWebhook } from '../../../test/support/webhooks/a-webhook.ts';
import { tell } from '../../../test/support/webhooks/stored-feed.ts';
import { createKey } from '../../store/keys/keys.ts';
import { readWebhookStatus } from '../../store/webhooks/webhook-status.ts';
import { webhooksFinding } from './feed-checks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WANTED = { plan: 'business', quota: null, email: null, subscription: null } as const;
const ago = (ms: number) => Date.now() - ms;

let database: TestDatabase;
let key: number;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate webhooks, served_changes, served_states, served_prices, api_keys cascade`.execute(database.kysely);
  await sql`update change_feed set epoch = null, seq = 0, states = 0, version = 0, told_at = null, until = null`.execute(
    database.kysely,
  );
  await sql`update publication set version = 0, published_at = null`.execute(database.kysely);
  key = (await createKey(database, WANTED)).id;
});

const finding = async () => {
  const { ok, detail } = webhooksFinding(await readWebhookStatus(database.kysely));
  return { ok, detail };
};

describe('doctor', () => {
  test('says that there are no webhooks', async () => {
    assert.deepEqual(await finding(), { ok: true, detail: 'none' });
  });

  test('counts webhooks by state, and those that fail', async () => {
    await tell(database, [{}], { epoch: 'epoch_01' });
    await aWebhook(database, key, { now: ago(5 * HOUR_MS), tries: 3 });
    const [paused, stopped, unverified] = [
      await aWebhook(database, key),
      await aWebhook(database, key),
      await aWebhook(database, key),
    ];
    const now = new Date();
    const set = (id: number, columns: object) =>
      database.kysely.updateTable('webhooks').set(columns).where('id', '=', id).execute();
    await set(paused, { paused_at: now });
    await set(stopped, { stopped_at: now, stop_reason: 'gone' });
    await set(unverified, { verified_at: null });
    assert.deepEqual(await finding(), {
      ok: true,
      detail:
        '1 sending, 1 of them failing, the oldest for 5 hours; 1 stopped, 1 paused, 1 not verified; lag 0 seconds',
    });
  });

  test('warns of changes that wait for more than a minute: to be queued, or to be tried first', async () => {
    await tell(database, [], { epoch: 'epoch_01' });
    const id = await aWebhook(database, key, { now: ago(HOUR_MS) });
    await tell(database, [{}], { now: ago(30_000) });
    assert.equal((await finding()).ok, true);
    await tell(database, [{}], { now: ago(10_000) });
    await sql`update served_changes set told_at = ${new Date(ago(4 * MINUTE_MS))}`.execute(database.kysely);
    assert.deepEqual([(await finding()).ok, /wait for 4 minutes/.test((await finding()).detail)], [false, true]);
    await sql`insert into webhook_deliveries (webhook_id, event, epoch, after_seq, end_seq, state, created_at, due_at)
      values (${id}, 'changes', 'epoch_01', 0, 2, 'waiting', now(), now())`.execute(database.kysely);
    assert.equal((await finding()).ok, true);
    await sql`update webhook_deliveries set due_at = ${new Date(ago(2 * MINUTE_MS))} where state = 'waiting'`.execute(
      database.kysely,
    );
    assert.match((await finding()).detail, /wait for 2 minutes/);
    await sql`update api_keys set revoked_at = now()`.execute(database.kysely);
    assert.equal((await finding()).ok, true);
  });
});
