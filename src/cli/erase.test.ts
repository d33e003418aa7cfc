import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aFetch, aSubscribedKey } from '../../test/support/builders/billing-fixture.ts';
import { addressHashOn } from '../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database/test-database.ts';
import { assertRefused, runCommand } from '../../test/support/run-command.ts';
import { UsageError } from '../app/command.ts';
import { ADDRESS_KEY_HOURS, type HashPurpose } from '../domain/access/retention.ts';
import { saveSubscriptions } from '../store/alerts/subscriptions.ts';
import { DRIVER_REPORT_SUBMISSIONS, type NewDriverReport } from '../store/driver-reports/submit-driver-reports.ts';
import { GermanStore } from '../store/germany/german-store.ts';
import { createKey } from '../store/keys/keys.ts';
import { rotateAddressKeys } from '../store/limits/address-keys.ts';
import { grantMinuteSlots } from '../store/limits/minute-window-queries.ts';
import { takeWeeklyCaps } from '../store/limits/weekly-cap-queries.ts';
import { REVIEW_SUBMISSIONS } from '../store/reviews/submit-reviews.ts';
import { submit } from '../store/submissions/submissions.ts';
import { eraseCommand } from './erase.ts';

const STATEMENT_TIMEOUT_MS = 20_000;
const TABLES = [
  ...[
    'reviews',
    'driver_reports',
    'push_subscriptions',
    'weekly_caps',
    'minute_windows',
    'api_keys',
    'key_secrets',
    'key_usage',
  ],
  'captcha_tokens',
  ...['accounts', 'orders', 'billing_subscriptions', 'mails', 'logins', 'login_sessions'],
] as const;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() =>
  database.pool.query(`truncate address_keys, ${TABLES.join(', ')} cascade; update german_budget
    set recent = '{}', caller_times = '{}', caller_clients = '{}', caller_networks = '{}'`),
);

const erase = (line: string) => runCommand(eraseCommand, line, { DATABASE_URL: database.url });
async function erased(line: string): Promise<Record<string, unknown>> {
  const { out } = await erase(`${line} --json`);
  return JSON.parse(out.join('\n')) as Record<string, unknown>;
}
async function rowCounts(): Promise<Record<string, number>> {
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  return (await database.pool.query(`select ${counts.join(', ')}`)).rows[0];
}

async function germanCallers(): Promise<unknown[]> {
  return (await database.pool.query('select unnest(caller_clients) from german_budget')).rows;
}

/** Leaves what a client can leave: a review, a subscription, an answer of a capped endpoint, others. */
async function visit(client: string): Promise<void> {
  const hashes = await addressHashOn(database);
  const review = { station: 's1', slug: 's1', rating: 5, nickname: 'Ana', comment: null };
  const reviewer = hashes.for('reviews').hash(client);
  const submission = { senders: [reviewer, reviewer], item: review, token: `token of ${client}` };
  await submit(REVIEW_SUBMISSIONS, database, [submission], STATEMENT_TIMEOUT_MS);
  const report = { ...REPORT, station: 's1', slug: 's1' };
  const reporter = hashes.for('driver reports').hash(client);
  await submit(
    DRIVER_REPORT_SUBMISSIONS,
    database,
    [{ senders: [reporter, reporter], item: report, token: null }],
    STATEMENT_TIMEOUT_MS,
  );
  const endpoint = `https://push.example.com/${client}`;
  const subscription = { endpoint, p256dh: Buffer.alloc(65), auth: Buffer.alloc(16), city: null, fuel: null };
  const subscriber = hashes.for('push').hash(client);
  await saveSubscriptions(database, [{ subscription, client: subscriber, network: subscriber }], STATEMENT_TIMEOUT_MS);
  await takeWeeklyCaps(database, [{ client, endpoint: '/x' }], hashes.for('weekly caps'), STATEMENT_TIMEOUT_MS);
  const demand = { client, name: 'crawlers', maxRequests: 60, slots: 1 };
  await grantMinuteSlots(database, [demand], hashes.for('minute windows'), STATEMENT_TIMEOUT_MS);
  await new GermanStore(database, 12, hashes.for('german shares')).takeCall(
    { client, network: client },
    STATEMENT_TIMEOUT_MS,
  );
}

const REPORT: Omit<NewDriverReport, 'station' | 'slug'> = {
  ...{ kind: 'price', fuel: 'petrol', shownPrice: 7_450, seenPrice: 7_590, comment: 'Ana' },
  ...{ version: 1, shownAt: null },
};
const KEY = { plan: 'pro', quota: null, subscription: 'sub_1' } as const;
const ONE_OF_EACH = {
  ...{ accounts: 0, subscriptions: 0, orders: 0, mails: 0, logins: 0 },
  reviews: 1,
  driver_reports: 1,
  push_subscriptions: 1,
  weekly_caps: 1,
  minute_windows: 1,
  german_calls: 1,
  keys: 0,
  captcha_tokens: 0,
};

describe('pompa erase', () => {
  test('deletes everything of an address, in any spelling of its /64, and nothing of others', async () => {
    for (const client of ['192.0.2.1', '192.0.2.2', '2001:db8::/64']) await visit(client);
    assert.deepEqual(await erased('192.0.2.1'), { of: 'address', ...ONE_OF_EACH });
    assert.deepEqual(await erased('2001:DB8:0::7'), { of: 'address', ...ONE_OF_EACH });
    const left = await rowCounts();
    assert.equal((await germanCallers()).length, 1);
    assert.deepEqual([left.reviews, left.push_subscriptions, left.weekly_caps, left.minute_windows], [1, 1, 1, 1]);
    const nothing = Object.fromEntries(Object.keys(ONE_OF_EACH).map((kind) => [kind, 0]));
    assert.deepEqual(await erased('192.0.2.1'), { of: 'address', ...nothing });
  });

  test('finds what was stored under the keys before the current ones', async () => {
    await visit('192.0.2.1');
    for (const [purpose, { currentHours }] of Object.entries(ADDRESS_KEY_HOURS) as [
      HashPurpose,
      { currentHours: number },
    ][]) {
      await database.pool.query(
        'update address_keys set created_at = created_at - make_interval(hours => $1) where purpose = $2',
        [currentHours, purpose],
      );
    }
    await rotateAddressKeys(database, STATEMENT_TIMEOUT_MS);
    assert.deepEqual(await erased('192.0.2.1'), { of: 'address', ...ONE_OF_EACH });
  });

  test('deletes the keys of an e-mail address, however its letters are written', async () => {
    for (const email of ['ana@example.org', 'Ana@Example.org', 'bob@example.org', null])
      await createKey(database, { ...KEY, email });
    assert.equal((await erased('ANA@example.org')).keys, 2);
    const { api_keys, key_secrets, key_usage } = await rowCounts();
    assert.deepEqual([api_keys, key_secrets, key_usage], [2, 2, 2]);
  });

  test('deletes the account of an e-mail address with all of it, and says what stays at Stripe', async () => {
    await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
    await aSubscribedKey(database, 'sub_2', aFetch(Date.now()));
    const { out, err } = await erase('SUB_1@exemplu.ro --json');
    const counts = JSON.parse(out.join('')) as Record<string, number>;
    const { accounts, subscriptions, orders, mails, keys } = counts;
    assert.deepEqual(
      { accounts, subscriptions, orders, mails, keys },
      {
        ...{ accounts: 1, subscriptions: 1, orders: 1, keys: 1 },
        // The key, and the notice before the end of the trial.
        mails: 2,
      },
    );
    assert.match(err.join('\n'), /Stripe keeps subscriptions and customers/);
    assert.equal((await rowCounts()).api_keys, 1);
    const { rows } = await database.pool.query(`select email from accounts`);
    assert.deepEqual(rows, [{ email: 'sub_2@exemplu.ro' }]);
  });

  test('deletes everything personal of everybody, and the keys of the hashes, with --all', async () => {
    await visit('192.0.2.1');
    await createKey(database, { ...KEY, email: 'ana@example.org' });
    await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
    await database.pool.query(`insert into stations values ('s1', now(), '2026-11-20', 1)`);
    assert.deepEqual(await erased('--all --yes'), {
      ...{ of: 'all', ...ONE_OF_EACH, keys: 2, captcha_tokens: 1 },
      ...{ accounts: 1, subscriptions: 1, orders: 1, mails: 2 },
    });
    assert.deepEqual(new Set(Object.values(await rowCounts())), new Set([0]));
    assert.deepEqual(await germanCallers(), []);
    const { rows } = await database.pool.query(`select (select count(*)::int from address_keys) as keys,
      (select count(*)::int from stations) as stations`);
    assert.deepEqual(rows, [{ keys: 0, stations: 1 }]);
  });

  test('prints what was deleted by kind, and that backups still contain it', async () => {
    await visit('192.0.2.1');
    const { out, err } = await erase('192.0.2.1');
    assert.ok(out.includes('reviews: 1 deleted') && out.includes('push subscriptions: 1 deleted'));
    assert.match(err.join('\n'), /backups made before still contain/);
  });

  test('refuses what is neither, without repeating it, and nothing at all', async () => {
    for (const line of ['', 'ana', '10.0.0', '10.0.0.0/8', '10.0.0.1 --all'])
      await assertRefused(erase(line), UsageError, /^erase (needs|takes)/);
  });
});

test('of a former address that may still be taken back erases the account, its key and its subscription', async () => {
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
  await database.pool.query(`update accounts set email = 'noua@exemplu.ro', undo_email = 'sub_1@exemplu.ro',
    undo_until = now() + interval '1 day'`);
  const { keys, subscriptions, accounts } = await erased('sub_1@exemplu.ro');
  assert.deepEqual([keys, subscriptions, accounts], [1, 1, 1]);
  const { api_keys, billing_subscriptions } = await rowCounts();
  assert.deepEqual([api_keys, billing_subscriptions], [0, 0]);
});
