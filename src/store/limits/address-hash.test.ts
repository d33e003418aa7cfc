/** Keys of hashes are replaced without opening any limit, and no hash can be computed once its time is over. */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type pg from 'pg';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { addressHashOn } from '../../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { ADDRESS_KEY_HOURS, type HashPurpose } from '../../domain/access/retention.ts';
import { startLogin } from '../accounts/logins.ts';
import { saveSubscriptions } from '../alerts/subscriptions.ts';
import { openOrder } from '../billing/orders.ts';
import type { QueryStatement } from '../connection/query-timeout.ts';
import { GermanStore } from '../germany/german-store.ts';
import { readMigrations } from '../migrations/read-migrations.ts';
import { REVIEW_SUBMISSIONS } from '../reviews/submit-reviews.ts';
import { submit } from '../submissions/submissions.ts';
import { type AddressHash, type KeyedHash, withCurrentKey } from './address-hash.ts';
import { rotateAddressKeys } from './address-keys.ts';
import { grantMinuteSlots } from './minute-window-queries.ts';
import { recordWeeklyAcceptances, refundWeeklyCaps, takeWeeklyCaps } from './weekly-cap-queries.ts';

const STATEMENT_TIMEOUT_MS = 20_000;
const CLIENT = '192.0.2.1';
const NETWORK = '192.0.2.0/24';
const CAPPED = { client: CLIENT, endpoint: '/x' };
const PURPOSES = Object.keys(ADDRESS_KEY_HOURS) as HashPurpose[];

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() =>
  database.pool.query('truncate address_keys, weekly_caps, minute_windows, reviews, push_subscriptions cascade'),
);

/** Lets time pass for the keys, as if they had been made and superseded earlier. */
const pass = (hours: number) =>
  database.pool.query(
    `update address_keys set created_at = created_at - make_interval(hours => $1),
       superseded_at = superseded_at - make_interval(hours => $1)`,
    [hours],
  );
const rotate = () => rotateAddressKeys(database, STATEMENT_TIMEOUT_MS);
const rotateAfter = async (hours: number) => {
  await pass(hours);
  await rotate();
};
const hex = ({ current, earlier }: KeyedHash) => [current.toString('hex'), earlier?.toString('hex') ?? null];
const hashOf = async (purpose: HashPurpose) => hex((await addressHashOn(database)).for(purpose).hash(CLIENT));

describe('the hash of an address', () => {
  test('is the same in every process, and another one for every purpose', async () => {
    const hashes = await Promise.all(PURPOSES.map(hashOf));
    assert.deepEqual(await Promise.all(PURPOSES.map(hashOf)), hashes);
    assert.equal(new Set(hashes.map(([current]) => current)).size, PURPOSES.length);
    for (const [current, earlier] of hashes) {
      assert.match(String(current), /^[0-9a-f]{32}$/);
      assert.equal(earlier, null);
    }
  });

  for (const purpose of PURPOSES) {
    test(`changes with the key of its purpose, which is deleted once no row needs it: ${purpose}`, async () => {
      const { currentHours, supersededHours } = ADDRESS_KEY_HOURS[purpose];
      const [first] = await hashOf(purpose);
      await pass(currentHours - 1);
      assert.deepEqual(await hashOf(purpose), [first, null]);
      await pass(1);
      const [second, earlier] = await hashOf(purpose);
      assert.notEqual(second, first);
      assert.equal(earlier, first);
      await pass(supersededHours - 1);
      assert.equal((await hashOf(purpose)).includes(String(first)), true);
      await pass(1);
      assert.equal((await hashOf(purpose)).includes(String(first)), false);
      const { rows } = await database.pool.query('select count(*)::int as keys from address_keys where purpose = $1', [
        purpose,
      ]);
      assert.ok(rows[0]?.keys <= 2);
    });
  }

  test('after a clock was set back, changes within the same time', async () => {
    const [first] = await hashOf('reviews');
    await pass(-10_000);
    await rotate();
    await rotateAfter(ADDRESS_KEY_HOURS.reviews.currentHours);
    assert.equal((await hashOf('reviews'))[1], first);
    await rotateAfter(ADDRESS_KEY_HOURS.reviews.supersededHours);
    assert.equal((await hashOf('reviews')).includes(String(first)), false);
  });
});

test('rows under the key of earlier versions still count, until that key is deleted', async () => {
  const earlier = createHash('sha256').update('the key of all purposes').digest();
  await database.pool.query(`insert into secrets values ('address-hash', $1)`, [earlier]);
  const statements = readMigrations()
    .find(({ name }) => name === '0007-address-keys')
    ?.sql.split('-- The earlier key')[1];
  await database.pool.query(`-- ${statements}`);
  const hash = createHmac('sha256', earlier).update(CLIENT).digest().subarray(0, 16);
  await database.pool.query(`insert into weekly_caps values ($1, '/x', clock_timestamp())`, [hash]);
  const take = async () =>
    (
      await takeWeeklyCaps(database, [CAPPED], (await addressHashOn(database)).for('weekly caps'), STATEMENT_TIMEOUT_MS)
    )[0];
  assert.equal((await take())?.accepted, false);
  await pass(ADDRESS_KEY_HOURS['weekly caps'].supersededHours);
  assert.equal((await take())?.accepted, true);
  const { rows } = await database.pool.query(
    'select (select count(*)::int from secrets) as secrets, (select count(*)::int from address_keys where key = $1) as kept',
    [earlier],
  );
  assert.deepEqual(rows, [{ secrets: 0, kept: 0 }]);
});

describe('a key that is replaced', () => {
  /** Processes: two have read their keys before the replacement, and `fresh` after it. */
  async function processes(purpose: HashPurpose, use: (hashes: AddressHash) => Promise<unknown>) {
    const [stale, staleToo, fresh] = await Promise.all([1, 2, 3].map(() => addressHashOn(database)));
    await use(stale as AddressHash);
    await rotateAfter(ADDRESS_KEY_HOURS[purpose].currentHours);
    await fresh?.readKeys(database);
    return { stale, staleToo, fresh } as Record<'stale' | 'staleToo' | 'fresh', AddressHash>;
  }
  const take = async (hashes: AddressHash, request = CAPPED) =>
    (await takeWeeklyCaps(database, [request], hashes.for('weekly caps'), STATEMENT_TIMEOUT_MS))[0];

  test('opens no weekly cap, in processes that know the new key and in others', async () => {
    const { stale, staleToo, fresh } = await processes('weekly caps', take);
    const other = { client: '192.0.2.2', endpoint: '/x' };
    assert.equal((await take(fresh))?.accepted, false);
    assert.equal((await take(stale, other))?.accepted, true);
    assert.equal((await take(fresh, other))?.accepted, false);
    const another = { client: '192.0.2.3', endpoint: '/x' };
    assert.equal((await take(fresh, another))?.accepted, true);
    assert.equal((await take(staleToo, another))?.accepted, false);
    await database.pool.query(`update weekly_caps set accepted_at = accepted_at - interval '168 hours'`);
    const verdicts = await Promise.all([take(fresh), take(await addressHashOn(database))]);
    assert.equal(verdicts.filter((verdict) => verdict?.accepted).length, 1);
  });

  test('keeps no client capped for longer than its week', async () => {
    const { stale } = await processes('weekly caps', take);
    await database.pool.query(`update weekly_caps set accepted_at = accepted_at - interval '168 hours'`);
    assert.equal((await take(stale))?.accepted, true);
  });

  test('opens no weekly cap while it is being replaced', async () => {
    const [one, another] = [await addressHashOn(database), await addressHashOn(database)];
    await pass(ADDRESS_KEY_HOURS['weekly caps'].currentHours);
    // A transaction of a process that accepts the client just before the replacement.
    const session = await database.pool.connect();
    try {
      await session.query('begin');
      const inTransaction = {
        state: 'ready' as const,
        query: async <Row extends pg.QueryResultRow>({ text, values }: QueryStatement) =>
          (await session.query<Row>(text, values)).rows,
      };
      await takeWeeklyCaps(inTransaction, [CAPPED], one.for('weekly caps'), STATEMENT_TIMEOUT_MS);
      const reading = another.readKeys(database);
      await waitFor('the replacement to wait for it', 10_000, async () => {
        const { rows } = await database.pool.query(`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length > 0;
      });
      await session.query('commit');
      await reading;
    } finally {
      session.release();
    }
    assert.equal((await take(another))?.accepted, false);
  });

  test('makes no client wait longer: a refund gives the week back, and a clock set back ends in a week', async () => {
    const { fresh } = await processes('weekly caps', take);
    const acceptedAt = (await take(fresh))?.acceptedAt as number;
    await refundWeeklyCaps(database, [{ ...CAPPED, acceptedAt }], fresh.for('weekly caps'), STATEMENT_TIMEOUT_MS);
    assert.equal((await take(fresh))?.accepted, true);
    await database.pool.query(`update weekly_caps set accepted_at = accepted_at + interval '30 days'`);
    const refused = await take(fresh);
    assert.deepEqual([refused?.accepted, refused?.acceptedAt], [false, refused?.now]);
  });

  test('keeps what a process accepted without the database', async () => {
    const { stale, fresh } = await processes('weekly caps', async () => undefined);
    const hasher = stale.for('weekly caps');
    const acceptances = [{ ...CAPPED, acceptedAt: Date.now() }];
    await withCurrentKey(hasher, () => recordWeeklyAcceptances(database, acceptances, hasher, STATEMENT_TIMEOUT_MS));
    assert.equal((await take(fresh))?.accepted, false);
    const { rows } = await database.pool.query('select client from weekly_caps');
    assert.deepEqual(rows, [{ client: fresh.for('weekly caps').hash(CLIENT).current }]);
  });

  test('leaves the requests of the last minute counted', async () => {
    const demand = { client: CLIENT, name: 'crawlers', maxRequests: 60, slots: 40 };
    const grant = async (hashes: AddressHash) =>
      (await grantMinuteSlots(database, [demand], hashes.for('minute windows'), STATEMENT_TIMEOUT_MS))[0]?.slots;
    const { stale, fresh } = await processes('minute windows', grant);
    assert.deepEqual([await grant(fresh), await grant(stale)], [20, 0]);
  });

  test('leaves a client’s calls of the German source counted', async () => {
    await database.pool.query(`update german_budget
      set recent = '{}', caller_times = '{}', caller_clients = '{}', caller_networks = '{}'`);
    const spend = async (hashes: AddressHash, client = CLIENT) =>
      (
        await new GermanStore(database, 12, hashes.for('german shares')).takeCall(
          { client, network: client },
          STATEMENT_TIMEOUT_MS,
        )
      ).isAllowed;
    const { stale, fresh } = await processes('german shares', spend);
    assert.deepEqual([await spend(fresh), await spend(fresh)], [true, true]);
    assert.deepEqual([await spend(stale), await spend(fresh), await spend(fresh, '192.0.2.2')], [false, false, true]);
  });

  test('leaves the reviews of the day counted', async () => {
    const review = { station: 's1', slug: 's1', rating: 5, nickname: null, comment: null };
    const send = async (hashes: AddressHash, station = 's1') => {
      const hasher = hashes.for('reviews');
      const [outcome] = await withCurrentKey(hasher, async () =>
        submit(
          REVIEW_SUBMISSIONS,
          database,
          [{ senders: [hasher.hash(CLIENT), hasher.hash(NETWORK)], item: { ...review, station }, token: null }],
          STATEMENT_TIMEOUT_MS,
        ),
      );
      return typeof outcome === 'object' && 'count' in outcome;
    };
    const { stale, fresh } = await processes('reviews', send);
    assert.equal(await send(fresh), false);
    assert.deepEqual([await send(fresh, 's2'), await send(fresh, 's3'), await send(stale, 's4')], [true, true, false]);
  });

  test('leaves the orders and the mails of a network counted', async () => {
    const order = async (hashes: AddressHash, id: string) => {
      const hasher = hashes.for('orders');
      const given = { plan: 'pro', language: 'ro', termsVersion: '1', id, email: `${id}@exemplu.ro` } as const;
      return withCurrentKey(hasher, () =>
        database.transaction((tx) => openOrder(tx, { ...given, network: hasher.hash(NETWORK) })),
      );
    };
    const ask = async (hashes: AddressHash, name: string) => {
      const hasher = hashes.for('logins');
      const given = { browser: name, purpose: 'login', language: 'ro', accountId: null } as const;
      const login = () => ({ ...given, email: `${name}@exemplu.ro`, network: hasher.hash(NETWORK) });
      return withCurrentKey(hasher, () => database.transaction((tx) => startLogin(tx, login(), 'unneeded')));
    };
    const { stale, fresh } = await processes('orders', async (hashes) => {
      for (let n = 0; n < 99; n += 1) {
        await order(hashes, `x${n}`);
        await ask(hashes, `x${n}`);
      }
    });
    assert.equal((await order(stale, 'a')).kind, 'opened');
    assert.equal(typeof (await ask(stale, 'a')), 'number');
    assert.deepEqual([(await order(fresh, 'b')).kind, await ask(fresh, 'b')], ['too many', 'too many']);
  });

  test('leaves the subscriptions of an address counted', async () => {
    const save = (hashes: AddressHash, n: number) => {
      const hasher = hashes.for('push');
      const keys = { p256dh: Buffer.alloc(65), auth: Buffer.alloc(16), city: null, fuel: null };
      const endpoint = `https://push.example.com/${n}`;
      const subscription = { endpoint, ...keys };
      return withCurrentKey(hasher, async () => {
        const client = hasher.hash(CLIENT);
        await saveSubscriptions(database, [{ subscription, client, network: client }], STATEMENT_TIMEOUT_MS);
      });
    };
    const { stale, fresh } = await processes('push', async (hashes) => {
      for (let n = 0; n < 20; n += 1) await save(hashes, n);
    });
    await save(fresh, 20);
    await save(stale, 21);
    const { rows } = await database.pool.query('select count(*)::int as count from push_subscriptions');
    assert.deepEqual(rows, [{ count: 20 }]);
  });
});
