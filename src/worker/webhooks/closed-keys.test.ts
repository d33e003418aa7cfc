/** Which keys' webhooks are sent to: those whose requests are served, and no others. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { tell } from '../../../test/support/webhooks/stored-feed.ts';
import { type ClosedReason, standing } from '../../domain/billing/standing.ts';
import { subscriptionsOf } from '../../store/billing/billing-subscriptions.ts';
import { createWebhook } from '../../store/webhooks/webhooks.ts';
import { deliverToWebhooks } from './deliver-webhooks.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 22, 15);
const FILTER = { fuel: null, county: null, city: null, network: null, stations: null };

/** What closes a key of an active subscription: the columns that say so, and days that pass. */
const CLOSING: Readonly<Record<ClosedReason, { readonly set: Readonly<Record<string, unknown>>; days?: number }>> = {
  withdrawn: { set: { withdrawn_at: new Date(NOW) } },
  disputed: { set: { disputed_at: new Date(NOW) } },
  ended: { set: { status: 'canceled' } },
  overdue: { set: { status: 'past_due', past_due_since: new Date(NOW) }, days: 60 },
  paused: { set: { status: 'paused' } },
  incomplete: { set: { status: 'incomplete' } },
  unconfirmed: { set: { period_end: new Date(NOW) }, days: 4 },
};

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() =>
  sql`truncate webhooks, served_changes, served_states, served_prices, api_keys, accounts cascade`.execute(
    database.kysely,
  ),
);

/** A verified webhook of a subscription, with one change to send; `sentAt` says how many deliveries arrive. */
async function aWaitingChange(now = NOW) {
  const active = { status: 'active', trialEnd: null, periodEnd: NOW + 30 * DAY_MS } as const;
  const { id: key } = await aSubscribedKey(database, 'sub_1', aFetch(NOW, active));
  await tell(database, [], { epoch: 'epoch_01' });
  const content = { url: 'https://exemplu.ro/', filter: FILTER, kinds: ['price'] as const };
  await database.kysely.transaction().execute((tx) => createWebhook(tx, key, content, NOW));
  await sql`update webhooks set verified_at = created_at`.execute(database.kysely);
  await tell(database, [{}]);
  const sentAt = (at = now) =>
    deliverToWebhooks(
      {
        ...{ db: database.kysely, holder: 'test', leaseMs: 30_000, clock: () => at, random: () => 0.5 },
        ...{ write: () => '{}', send: () => Promise.resolve({ kind: 'delivered', httpStatus: 204 } as const) },
        log: { info: () => undefined, warn: () => undefined },
      },
      new AbortController().signal,
    );
  return sentAt;
}

const change = (columns: Readonly<Record<string, unknown>>) =>
  database.kysely.updateTable('billing_subscriptions').set(columns).execute();

/** The verdict on the only subscription. */
async function verdictAt(at: number) {
  const { id } = await database.kysely.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const [subscription] = await subscriptionsOf(database.kysely, id);
  assert.ok(subscription !== undefined);
  return standing(subscription.facts, at);
}

describe('nothing is sent for a key', () => {
  for (const [reason, { set, days = 0 }] of Object.entries(CLOSING))
    test(`that is closed: ${reason}; what waits is sent once it is open again`, async () => {
      const sentAt = await aWaitingChange();
      const at = NOW + days * DAY_MS;
      await change(set);
      assert.deepEqual(await verdictAt(at), { isOpen: false, reason });
      assert.equal(await sentAt(at), 0);
      const open = { status: 'active', withdrawn_at: null, disputed_at: null, past_due_since: null } as const;
      await change({ ...open, period_end: new Date(at + DAY_MS), fetched_at: new Date(at) });
      assert.equal(await sentAt(at), 1);
    });

  test('that is closed while a delivery waits for its next try', async () => {
    const sentAt = await aWaitingChange();
    await sql`insert into webhook_deliveries (webhook_id, event, epoch, after_seq, end_seq, state, created_at, due_at)
      select id, 'changes', epoch, 0, 1, 'waiting', created_at, created_at from webhooks`.execute(database.kysely);
    await change({ disputed_at: new Date(NOW) });
    assert.equal(await sentAt(), 0);
    await change({ disputed_at: null });
    assert.equal(await sentAt(), 1);
  });
});

describe('changes are sent for a key', () => {
  test('on trial, or with a payment that failed within the last 7 days', async () => {
    const sentAt = await aWaitingChange();
    await change({ status: 'past_due', past_due_since: new Date(NOW) });
    assert.equal(await sentAt(NOW + 6 * DAY_MS), 1);
    await tell(database, [{}]);
    await change({ status: 'trialing', past_due_since: null, trial_end: new Date(NOW + 9 * DAY_MS) });
    assert.equal(await sentAt(NOW + 8 * DAY_MS), 1);
  });
});
