import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { DatabaseProxy } from '../../../test/support/database/database-proxy.ts';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { LateDatabase } from '../../../test/support/database/late-database.ts';
import { countingQueries, withQueryHook, withReadingHeld } from '../../../test/support/database/query-hook.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { timed } from '../../../test/support/stopwatch.ts';
import { KEY_BYTES, makeApiKey } from '../../domain/access/api-key.ts';
import { storeFetch } from '../billing/billing-subscriptions.ts';
import { noteDispute } from '../billing/subscription-notes.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { KeyCache, type KeyLookupResult } from './key-cache.ts';
import type { KnownKey } from './key-queries.ts';
import { type CreatedKey, createKey, deleteKey, KEYS_CHANNEL, revokeKey, rotateKey, updateKey } from './keys.ts';

const HOUR_MS = 3_600_000;
const PRO = { plan: 'pro', quota: null, email: null, subscription: null } as const;
const silent = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
const open: { close(): unknown }[] = [];

before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  // In the order in which the statement of a cache locks them, which may still run on the server: no deadlock.
  await sql`truncate key_changes, api_keys, billing_subscriptions, key_secrets, key_usage, accounts, orders, mails restart identity cascade`.execute(
    database.kysely,
  );
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A process: a cache with its own pool, a clock that only the test moves, and what it logged. */
async function openKeyCache(url = database.url) {
  const own = await openDatabase<Schema>({ databaseUrl: url, dataDir: '', log: silent });
  const messages: string[] = [];
  const log = { info: (message: string) => messages.push(message), warn: (message: string) => messages.push(message) };
  let now = 0;
  const late = new LateDatabase();
  const cache = new KeyCache(late.connection, { clock: () => now, log });
  open.push(own, late, cache);
  return {
    cache,
    messages,
    own,
    late,
    async attached(to: Database<Schema> = own) {
      await late.open(to);
      await cache.whenRead;
      return untilVerified(cache);
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** Waits until a cache can verify keys. */
async function untilVerified(cache: KeyCache): Promise<void> {
  await waitFor('keys to be verified', 20_000, async () => (await cache.find(unknownKey())) !== 'unavailable');
}

let keyCount = 0;
const unknownKey = () => makeApiKey(Buffer.alloc(KEY_BYTES, `never created ${keyCount++}`));

/** Changes a key without a notification, as when one is lost. */
async function revokeSilently(id: number): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`update api_keys set revoked_at = now() where id = ${id}`.execute(tx);
    await sql`insert into key_changes (key_id) values (${id})`.execute(tx);
  });
}

describe('a process that has just started', () => {
  test('verifies a key that arrives before the database is ready', async () => {
    const { id, key } = await createKey(database, PRO);
    const { cache, own, late } = await openKeyCache();
    const early = cache.find(key);
    await late.open(own);
    assert.equal(((await early) as KnownKey).id, id);
  });

  test('verifies a key that arrives before the first refresh, if the database was ready before the process', async () => {
    const { own, late } = await openKeyCache();
    const { id, key } = await createKey(database, PRO);
    await late.open(own);
    const cache = new KeyCache(late.connection, { clock: () => 0, log: silent });
    open.push(cache);
    assert.equal(((await cache.find(key)) as KnownKey).id, id);
  });

  test('accepts no key revoked before, and no expired secret', async () => {
    const [revoked, rotated] = [await createKey(database, PRO), await createKey(database, PRO)];
    await revokeKey(database, revoked.id);
    const { key } = (await rotateKey(database, rotated.id, HOUR_MS)) as CreatedKey;
    await sql`update key_secrets set expires_at = now() where expires_at is not null`.execute(database.kysely);
    const { cache, attached } = await openKeyCache();
    await attached();
    assert.deepEqual([await cache.find(revoked.key), await cache.find(rotated.key)], [null, null]);
    assert.equal((cache.find(key) as KnownKey).id, rotated.id);
  });

  test('verifies nothing once the database is known to be unavailable, and verifies keys when it is ready', async () => {
    const { id, key } = await createKey(database, PRO);
    const { cache, attached, late } = await openKeyCache();
    const early = cache.find(key);
    await late.fail();
    assert.equal(await early, 'unavailable');
    assert.equal(cache.find(key), 'unavailable');
    await attached();
    assert.equal((cache.find(key) as KnownKey).id, id);
  });

  test('looks up together the keys that requests bring while it reads all', async () => {
    const { id, key } = await createKey(database, PRO);
    const [revoked, rotated] = [await createKey(database, PRO), await createKey(database, PRO)];
    const replaced = await createKey(database, PRO);
    await revokeKey(database, revoked.id);
    const next = (await rotateKey(database, rotated.id, HOUR_MS)) as CreatedKey;
    await rotateKey(database, replaced.id, 0);
    const disputed = await aSubscribedKey(database, 'sub', aFetch(Date.now()));
    await noteDispute(database, 'sub', 'dp', false);
    const { cache, own, late } = await openKeyCache();
    const early = cache.find(key);
    const { held, isReading, read } = withReadingHeld(own);
    open.push({ close: read });
    const { counted, questions } = countingQueries(held);
    await late.open(counted);
    await isReading;
    const before = questions();
    const found = await Promise.all([early, ...[key, rotated.key, next.key].map((sent) => cache.find(sent))]);
    assert.deepEqual(
      found.map((one) => (one as KnownKey).id),
      [id, id, rotated.id, rotated.id],
    );
    const refused = [revoked.key, replaced.key, unknownKey(), disputed.key].map((sent) => cache.find(sent));
    assert.deepEqual(await Promise.all(refused), [null, null, null, { closed: 'disputed' }]);
    assert.ok(questions() - before <= 2, 'the early one was looked up with the first');
    await revokeKey(database, id);
    assert.deepEqual([await cache.find(key), cache.known(next.key)], [null, undefined]);
    read();
    await cache.whenRead;
    assert.equal((cache.find(next.key) as KnownKey).id, rotated.id);
    assert.equal(cache.known(next.key), cache.find(next.key));
  });

  for (const hangs of [false, true])
    test(`verifies nothing while it reads all if lookups ${hangs ? 'hang' : 'fail'}, and says so`, async () => {
      const { key } = await createKey(database, PRO);
      const { cache, own, late, messages } = await openKeyCache();
      const { held, isReading, read } = withReadingHeld(own, hangs);
      open.push({ close: read });
      await late.open(held);
      await isReading;
      if (!hangs) await own.pool.end();
      assert.equal(await cache.find(key), 'unavailable');
      assert.match(messages[0] as string, /^keys cannot be verified: /);
      const closing = cache.close();
      assert.equal(cache.find(key), 'unavailable', 'once it is closed, at once');
      read();
      await closing;
    });

  test('makes no request wait longer than a second', async (context) => {
    const { key } = await createKey(database, PRO);
    const { cache } = await openKeyCache();
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const early = cache.find(key);
    context.mock.timers.tick(999);
    assert.equal(await early, 'unavailable');
  });
});

describe('a known key', () => {
  test('has its plan, effective quota, age and subscription, without waiting', async () => {
    const plain = await createKey(database, PRO);
    const dedicated = await createKey(database, { plan: 'dedicat', quota: 9, email: null, subscription: 's' });
    const { cache, attached } = await openKeyCache();
    await attached();
    const one = cache.find(plain.key) as KnownKey;
    const other = cache.find(dedicated.key) as KnownKey;
    assert.deepEqual([one.id, one.plan, one.quota, one.subscribed], [plain.id, 'pro', 100_000, false]);
    assert.deepEqual([other.id, other.plan, other.quota, other.subscribed], [dedicated.id, 'dedicat', 9, true]);
    assert.ok(Number.isInteger(one.createdAt));
  });

  test('of a subscription is served as the verdict says, now and as time passes, and is closed with the reason', async () => {
    const now = Date.now();
    const { key } = await aSubscribedKey(database, 'sub_1', aFetch(now));
    const disputed = await aSubscribedKey(database, 'sub_2', aFetch(now));
    await noteDispute(database, 'sub_2', 'dp_1', false);
    const { cache, attached, pass } = await openKeyCache();
    await attached();
    assert.deepEqual(cache.find(disputed.key), { closed: 'disputed' });
    assert.equal((cache.find(key) as KnownKey).subscribed, true);
    // Stripe confirms nothing for 72 hours after the end of the trial.
    pass((3 + 3) * 24 * HOUR_MS - 60_000);
    await untilVerified(cache);
    assert.equal((cache.find(key) as KnownKey).plan, 'pro');
    pass(120_000);
    await untilVerified(cache);
    assert.deepEqual(cache.find(key), { closed: 'unconfirmed' });
    await storeFetch(database, {
      ...{ id: 'sub_1', customer: 'cus', orderId: null },
      fetched: aFetch(now, { status: 'active', fetchedAt: now + 1, periodEnd: now + 33 * 24 * HOUR_MS }),
    });
    await waitFor('the key is open again', 5_000, () => 'id' in (cache.find(key) as object));
  });

  test('has the quota that its holder allows, where that is less', async () => {
    const { key, id } = await createKey(database, PRO);
    await sql`update api_keys set cap = 7 where id = ${id}`.execute(database.kysely);
    const { cache, attached } = await openKeyCache();
    await attached();
    assert.equal((cache.find(key) as KnownKey).quota, 7);
  });

  test('differs from a malformed text, which is refused at once, even without a database', async () => {
    const { cache, late } = await openKeyCache();
    await late.fail();
    for (const text of ['', 'x', `${unknownKey()}0`, unknownKey().toLowerCase()]) assert.equal(cache.find(text), null);
    assert.equal(cache.find(unknownKey()), 'unavailable');
  });

  test('is found among ten thousand, and by each of its secrets during an overlap', async () => {
    const keys = Array.from({ length: 10_001 }, (_, index) => makeApiKey(Buffer.alloc(KEY_BYTES, `many ${index}`)));
    await sql`insert into api_keys (plan, created_at) select 'pro', now() from generate_series(1, 10001)`.execute(
      database.kysely,
    );
    await sql`
      insert into key_secrets (sha256, key_id, last4, created_at)
      select sha256(key::bytea), row_number() over (), right(key, 4), now()
      from unnest(${keys}::text[]) as key`.execute(database.kysely);
    const { key } = (await rotateKey(database, 5_000, HOUR_MS)) as CreatedKey;
    const { cache, attached } = await openKeyCache();
    await attached();
    assert.ok(keys.every((text) => (cache.find(text) as KnownKey).plan === 'pro'));
    assert.equal(cache.find(key), cache.find(keys[4_999] as string));
  });
});

describe('a change of keys', () => {
  test('makes a new key valid at once in every process', async () => {
    const processes = [await openKeyCache(), await openKeyCache()];
    await Promise.all(processes.map(({ attached }) => attached()));
    for (let count = 0; count < 3; count++) {
      const { id, key } = await createKey(database, PRO);
      const found = await Promise.all(processes.map(({ cache }) => cache.find(key)));
      assert.deepEqual(
        found.map((one) => (one as KnownKey).id),
        [id, id],
      );
    }
  });

  test('of any kind reaches a process without requests', async () => {
    const { id, key } = await createKey(database, PRO);
    const { cache, attached } = await openKeyCache();
    await attached();
    const becomes = (holds: () => boolean) => waitFor('the change to arrive', 20_000, holds);
    await updateKey(database, id, { quota: 3 });
    await becomes(() => (cache.find(key) as KnownKey).quota === 3);
    const rotated = (await rotateKey(database, id, HOUR_MS)) as CreatedKey;
    await becomes(() => (cache.find(rotated.key) as KnownKey).id === id);
    assert.equal((cache.find(key) as KnownKey).id, id);
    await deleteKey(database, id);
    await becomes(() => cache.find(key) instanceof Promise);
    assert.deepEqual([await cache.find(key), await cache.find(rotated.key)], [null, null]);
  });

  test('ends a rotated secret after its overlap, without a query', async () => {
    const { id, key } = await createKey(database, PRO);
    const { key: next } = (await rotateKey(database, id, HOUR_MS)) as CreatedKey;
    const { cache, attached, pass } = await openKeyCache();
    await attached();
    pass(HOUR_MS - 60_000);
    assert.equal(((await cache.find(key)) as KnownKey).id, id);
    pass(60_001);
    assert.equal(await cache.find(key), null);
    assert.equal(((await cache.find(next)) as KnownKey).id, id);
    assert.equal(cache.find(key), null, 'and it needs no refresh from then on');
  });

  test('ends the old secret at once in every process if there is no overlap', async () => {
    const { id, key } = await createKey(database, PRO);
    const { cache, attached, pass } = await openKeyCache();
    await attached();
    await rotateKey(database, id, 0);
    pass(901);
    assert.equal(await cache.find(key), null);
  });

  test('revokes a key within a second in every process, even without a notification', async () => {
    const { id, key } = await createKey(database, PRO);
    const caches: KeyCache[] = [];
    while (caches.length < 2) {
      const own = await openDatabase<Schema>({ databaseUrl: database.url, dataDir: '', log: silent });
      const cache = new KeyCache(own, { clock: () => performance.now(), log: silent });
      caches.push(cache);
      open.push(own, cache);
      await untilVerified(cache);
      assert.equal(((await cache.find(key)) as KnownKey).id, id);
    }
    await revokeSilently(id);
    const revokedAt = performance.now();
    await Promise.all(
      caches.map(async (cache) => {
        let acceptedAt = revokedAt;
        while (acceptedAt < revokedAt + 1_000) {
          const askedAt = performance.now();
          if ((await cache.find(key)) === null) break;
          acceptedAt = askedAt;
          await setImmediate();
        }
        assert.ok(acceptedAt - revokedAt < 1_000, `accepted ${acceptedAt - revokedAt} ms later`);
      }),
    );
  });

  test('counts as known as of the start of a refresh, however long the refresh took', async () => {
    const { key } = await createKey(database, PRO);
    const { cache, own, attached, pass } = await openKeyCache();
    await attached(withQueryHook(own, () => pass(500)));
    const later = await waitFor('a look to end', 20_000, () => {
      if (cache.find(key) instanceof Promise) return null;
      pass(401);
      return { found: cache.find(key) };
    });
    assert.ok(later.found instanceof Promise, 'it is more than 900 ms ago that one began');
  });

  test('is polled for every 400 ms, so that no request waits for a refresh', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const { own, attached } = await openKeyCache();
    const { counted, questions } = countingQueries(own);
    await attached(counted);
    for (let look = 0; look < 3; look += 1) {
      const before = questions();
      context.mock.timers.tick(400);
      await waitFor('a look', 20_000, () => questions() > before);
    }
  });

  test('makes a process read all keys again if it is far behind, or the database was restored to an earlier state', async () => {
    const [one, other] = [await createKey(database, PRO), await createKey(database, PRO)];
    const { cache, attached, pass } = await openKeyCache();
    await attached();
    await sql`delete from api_keys where id = ${one.id}`.execute(database.kysely);
    await database.pool.query('insert into key_changes (version, key_id) overriding system value values (10002, 0)');
    pass(901);
    assert.deepEqual([await cache.find(one.key), ((await cache.find(other.key)) as KnownKey).id], [null, other.id]);
    await sql`delete from api_keys`.execute(database.kysely);
    await sql`delete from key_changes where version > 1`.execute(database.kysely);
    pass(901);
    assert.equal(await cache.find(other.key), null);
  });

  test('that makes a process read all keys again keeps no request with a new key waiting', async () => {
    const { cache, attached, own } = await openKeyCache();
    const { promise, resolve } = Promise.withResolvers<void>();
    open.push({ close: resolve });
    let reading = Promise.resolve();
    await attached(withQueryHook(own, (text) => (text.includes('limit $2') ? reading : undefined)));
    reading = promise;
    const { id, key } = await createKey(database, PRO);
    await database.pool.query('insert into key_changes (version, key_id) overriding system value values (10002, 0)');
    assert.equal(((await cache.find(key)) as KnownKey).id, id);
  });

  test('is never missed among many concurrent ones of two processes', async () => {
    const { cache, attached, own, pass } = await openKeyCache();
    await attached();
    const keys = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const [here, there] = index % 2 ? [database, own] : [own, database];
        const made = await createKey(here, PRO);
        if (index % 3 === 0) await revokeKey(there, made.id);
        return { made, live: index % 3 !== 0 };
      }),
    );
    pass(901);
    await cache.find(unknownKey());
    for (const { made, live } of keys) assert.equal((await cache.find(made.key)) !== null, live);
  });
});

describe('the number of queries', () => {
  test('is 0 for known keys and malformed texts, and a few a second for a flood of unknown keys', async () => {
    const { key } = await createKey(database, PRO);
    const { cache, own, attached } = await openKeyCache();
    const { counted, questions } = countingQueries(own);
    await attached(counted);
    const begunAt = performance.now();
    const before = questions();
    assert.ok(before > 0);
    const answers: (KeyLookupResult | Promise<KeyLookupResult>)[] = [];
    while (performance.now() < begunAt + 700) {
      for (let count = 0; count < 10; count++) answers.push(cache.find(unknownKey()), cache.find(key), cache.find('x'));
      await setImmediate();
    }
    const seconds = (performance.now() - begunAt) / 1_000;
    const found = new Set(await Promise.all(answers));
    // Unless this machine paused for half a second.
    found.delete('unavailable');
    assert.deepEqual(found, new Set([null, cache.find(key)]));
    assert.ok(answers.length > 1_000);
    assert.ok(questions() - before <= 2 + seconds * 14, `${questions() - before} questions in ${seconds} s`);
  });
});

describe('with the database unavailable', () => {
  /** A process behind a proxy, with one key. */
  async function behindProxy() {
    const made = await createKey(database, PRO);
    const proxy = await DatabaseProxy.inFrontOf(database.url);
    open.push(proxy);
    const process = await openKeyCache(proxy.url);
    await process.attached();
    return { ...process, proxy, made };
  }

  for (const [how, away] of [
    ['cut off', (proxy: DatabaseProxy) => proxy.cut()],
    ['hanging', (proxy: DatabaseProxy) => proxy.hang()],
  ] as const) {
    test(`${how}, keys cannot be verified within a second, and can again without a restart`, async () => {
      const { cache, messages, proxy, made, pass } = await behindProxy();
      away(proxy);
      assert.equal((cache.find(made.key) as KnownKey).id, made.id, 'the cache remains valid for a moment');
      pass(901);
      const { ms, result } = await timed(async () => [await cache.find(made.key), await cache.find(unknownKey())]);
      assert.deepEqual(result, ['unavailable', 'unavailable']);
      assert.ok(ms < 2_000, `${ms} ms`);
      assert.equal(cache.find('no key'), null);
      await waitFor('the message', 20_000, () => messages.length > 0);
      assert.equal(cache.find(made.key), 'unavailable', 'from then on at once');
      proxy.open();
      await untilVerified(cache);
      assert.equal(((await cache.find(made.key)) as KnownKey).id, made.id);
      assert.equal(messages.length, 2);
      assert.match(messages[0] as string, /^keys cannot be verified: /);
      assert.equal(messages[1], 'keys can be verified again');
    });
  }

  test('at the start, the cache is filled once it is ready', async () => {
    const { key, id } = await createKey(database, PRO);
    const proxy = await DatabaseProxy.inFrontOf(database.url);
    open.push(proxy);
    const { cache, own, late } = await openKeyCache(proxy.url);
    proxy.cut();
    await late.open(own);
    assert.equal(await cache.find(key), 'unavailable');
    proxy.open();
    await untilVerified(cache);
    assert.equal(((await cache.find(key)) as KnownKey).id, id);
  });

  test('and its pool ended, keys cannot be verified', async () => {
    const { key } = await createKey(database, PRO);
    const { cache, attached, own, pass } = await openKeyCache();
    await attached();
    await own.pool.end();
    pass(901);
    assert.equal(await cache.find(key), 'unavailable');
  });

  test('only for the listener, no change is missed', async () => {
    const { id, key } = await createKey(database, PRO);
    const { cache, attached, messages, pass } = await openKeyCache();
    await attached();
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like $1 and datname = current_database()`,
      [`listen "${KEYS_CHANNEL}"`],
    );
    await revokeSilently(id);
    pass(901);
    assert.equal(await cache.find(key), null);
    assert.deepEqual(messages, []);
  });

  test('after the cache is closed, it verifies nothing', async () => {
    const { key } = await createKey(database, PRO);
    const { cache, attached } = await openKeyCache();
    await attached();
    await cache.close();
    assert.equal(cache.find(key), 'unavailable');
    assert.equal(cache.find('no key'), null);
  });
});
