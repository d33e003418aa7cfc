import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseProxy } from '../../../test/support/database/database-proxy.ts';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { LateDatabase } from '../../../test/support/database/late-database.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { KEY_BYTES, makeApiKey } from '../../domain/access/api-key.ts';
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
  await sql`truncate api_keys, key_secrets, key_changes, key_usage restart identity`.execute(database.kysely);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A process: a ring on a pool of its own, with a clock that goes only when told, and what it logged. */
async function openKeyCache(url = database.url) {
  const own = await openDatabase<Schema>({ databaseUrl: url, dataDir: '', log: silent });
  const said: string[] = [];
  const log = { info: (message: string) => said.push(message), warn: (message: string) => said.push(message) };
  let now = 0;
  const late = new LateDatabase();
  const ring = new KeyCache(late.connection, { clock: () => now, log });
  open.push(own, late, ring);
  return {
    ring,
    said,
    own,
    late,
    async attached(to: Database<Schema> = own) {
      await late.open(to);
      return untilVerified(ring);
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** Waits until a ring can tell what is a key. */
async function untilVerified(ring: KeyCache): Promise<void> {
  await waitFor('keys to be verified', 20_000, async () => (await ring.find(unknownKey())) !== 'unavailable');
}

let dice = 0;
const unknownKey = () => makeApiKey(Buffer.alloc(KEY_BYTES, `never made ${dice++}`));

/** A change that no process hears of: as when a notification is lost. */
async function revokeSilently(id: number): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`update api_keys set revoked_at = now() where id = ${id}`.execute(tx);
    await sql`insert into key_changes (key_id) values (${id})`.execute(tx);
  });
}

/** A database whose short questions, each on a connection of its own, are told of when they begin. */
function withQueryHook(given: Database<Schema>, asked: () => void): Database<Schema> {
  return {
    ...given,
    query: (statement, limit) => {
      asked();
      return given.query(statement, limit);
    },
  };
}

/** The same, with how many there were. */
function countingQueries(given: Database<Schema>) {
  let count = 0;
  const counted = withQueryHook(given, () => {
    count += 1;
  });
  return { counted, questions: () => count };
}

describe('a process that has just started', () => {
  test('verifies a key that comes before the database', async () => {
    const { id, key } = await createKey(database, PRO);
    const { ring, own, late } = await openKeyCache();
    const early = ring.find(key);
    await late.open(own);
    assert.equal(((await early) as KnownKey).id, id);
  });

  test('knows no key that was revoked before, and no secret that expired', async () => {
    const [revoked, rotated] = [await createKey(database, PRO), await createKey(database, PRO)];
    await revokeKey(database, revoked.id);
    const { key } = (await rotateKey(database, rotated.id, HOUR_MS)) as CreatedKey;
    await sql`update key_secrets set expires_at = now() where expires_at is not null`.execute(database.kysely);
    const { ring, attached } = await openKeyCache();
    await attached();
    assert.deepEqual([await ring.find(revoked.key), await ring.find(rotated.key)], [null, null]);
    assert.equal((ring.find(key) as KnownKey).id, rotated.id);
  });

  test('can tell nothing as soon as the database is known to be away, and verifies it when it comes', async () => {
    const { id, key } = await createKey(database, PRO);
    const { ring, attached, late } = await openKeyCache();
    const early = ring.find(key);
    await late.fail();
    assert.equal(await early, 'unavailable');
    assert.equal(ring.find(key), 'unavailable');
    await attached();
    assert.equal((ring.find(key) as KnownKey).id, id);
  });

  test('lets nobody wait for longer than a second', async (context) => {
    const { key } = await createKey(database, PRO);
    const { ring } = await openKeyCache();
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const early = ring.find(key);
    context.mock.timers.tick(999);
    assert.equal(await early, 'unavailable');
  });
});

describe('what is known', () => {
  test('is the holder’s plan, effective quota, age and subscription, without waiting', async () => {
    const plain = await createKey(database, PRO);
    const dedicated = await createKey(database, { plan: 'dedicat', quota: 9, email: null, subscription: 's' });
    const { ring, attached } = await openKeyCache();
    await attached();
    const one = ring.find(plain.key) as KnownKey;
    const other = ring.find(dedicated.key) as KnownKey;
    assert.deepEqual([one.id, one.plan, one.quota, one.subscribed], [plain.id, 'pro', 100_000, false]);
    assert.deepEqual([other.id, other.plan, other.quota, other.subscribed], [dedicated.id, 'dedicat', 9, true]);
    assert.ok(Number.isInteger(one.createdAt));
  });

  test('a text that is no key is none at once, even without any database', async () => {
    const { ring, late } = await openKeyCache();
    await late.fail();
    for (const text of ['', 'x', `${unknownKey()}0`, unknownKey().toLowerCase()]) assert.equal(ring.find(text), null);
    assert.equal(ring.find(unknownKey()), 'unavailable');
  });

  test('ten thousand keys are all found, and so are the secrets of keys in overlap', async () => {
    const keys = Array.from({ length: 10_001 }, (_, index) => makeApiKey(Buffer.alloc(KEY_BYTES, `many ${index}`)));
    await sql`insert into api_keys (plan, created_at) select 'pro', now() from generate_series(1, 10001)`.execute(
      database.kysely,
    );
    await sql`
      insert into key_secrets (sha256, key_id, last4, created_at)
      select sha256(key::bytea), row_number() over (), right(key, 4), now()
      from unnest(${keys}::text[]) as key`.execute(database.kysely);
    const { key } = (await rotateKey(database, 5_000, HOUR_MS)) as CreatedKey;
    const { ring, attached } = await openKeyCache();
    await attached();
    assert.ok(keys.every((text) => (ring.find(text) as KnownKey).plan === 'pro'));
    assert.equal(ring.find(key), ring.find(keys[4_999] as string));
  });
});

describe('a change', () => {
  test('a key just made is good at once in every process', async () => {
    const processes = [await openKeyCache(), await openKeyCache()];
    await Promise.all(processes.map(({ attached }) => attached()));
    for (let count = 0; count < 3; count++) {
      const { id, key } = await createKey(database, PRO);
      const found = await Promise.all(processes.map(({ ring }) => ring.find(key)));
      assert.deepEqual(
        found.map((one) => (one as KnownKey).id),
        [id, id],
      );
    }
  });

  test('setting, rotating, revoking and deleting reach a process that asks for nothing', async () => {
    const { id, key } = await createKey(database, PRO);
    const { ring, attached } = await openKeyCache();
    await attached();
    const becomes = (holds: () => boolean) => waitFor('the change to arrive', 20_000, holds);
    await updateKey(database, id, { quota: 3 });
    await becomes(() => (ring.find(key) as KnownKey).quota === 3);
    const rotated = (await rotateKey(database, id, HOUR_MS)) as CreatedKey;
    await becomes(() => (ring.find(rotated.key) as KnownKey).id === id);
    assert.equal((ring.find(key) as KnownKey).id, id);
    await deleteKey(database, id);
    await becomes(() => ring.find(key) instanceof Promise);
    assert.deepEqual([await ring.find(key), await ring.find(rotated.key)], [null, null]);
  });

  test('a rotated secret is dead once its overlap has passed, without any word of the database', async () => {
    const { id, key } = await createKey(database, PRO);
    const { key: next } = (await rotateKey(database, id, HOUR_MS)) as CreatedKey;
    const { ring, attached, pass } = await openKeyCache();
    await attached();
    pass(HOUR_MS - 60_000);
    assert.equal(((await ring.find(key)) as KnownKey).id, id);
    pass(60_001);
    assert.equal(await ring.find(key), null);
    assert.equal(((await ring.find(next)) as KnownKey).id, id);
    assert.equal(ring.find(key), null, 'nor does it cost a look from then on');
  });

  test('without overlap the secret until now is dead in every process', async () => {
    const { id, key } = await createKey(database, PRO);
    const { ring, attached, pass } = await openKeyCache();
    await attached();
    await rotateKey(database, id, 0);
    pass(901);
    assert.equal(await ring.find(key), null);
  });

  test('a revoked key is dead within a second in every process, though no notification came', async () => {
    const { id, key } = await createKey(database, PRO);
    const rings: KeyCache[] = [];
    while (rings.length < 2) {
      const own = await openDatabase<Schema>({ databaseUrl: database.url, dataDir: '', log: silent });
      const ring = new KeyCache(own, { clock: () => performance.now(), log: silent });
      rings.push(ring);
      open.push(own, ring);
      await untilVerified(ring);
      assert.equal(((await ring.find(key)) as KnownKey).id, id);
    }
    await revokeSilently(id);
    const revokedAt = performance.now();
    await Promise.all(
      rings.map(async (ring) => {
        let acceptedAt = revokedAt;
        while (acceptedAt < revokedAt + 1_000) {
          const askedAt = performance.now();
          if ((await ring.find(key)) === null) break;
          acceptedAt = askedAt;
          await setImmediate();
        }
        assert.ok(acceptedAt - revokedAt < 1_000, `accepted ${acceptedAt - revokedAt} ms later`);
      }),
    );
  });

  test('a look says what was true when it began, however long it took', async () => {
    const { key } = await createKey(database, PRO);
    const { ring, own, attached, pass } = await openKeyCache();
    await attached(withQueryHook(own, () => pass(500)));
    const later = await waitFor('a look to end', 20_000, () => {
      if (ring.find(key) instanceof Promise) return null;
      pass(401);
      return { found: ring.find(key) };
    });
    assert.ok(later.found instanceof Promise, 'it is more than 900 ms ago that one began');
  });

  test('is looked for every 400 ms, so that nobody has to wait for a look', async (context) => {
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

  test('far behind, or before a database put back to an earlier state, all keys are read anew', async () => {
    const [one, other] = [await createKey(database, PRO), await createKey(database, PRO)];
    const { ring, attached, pass } = await openKeyCache();
    await attached();
    await sql`delete from api_keys where id = ${one.id}`.execute(database.kysely);
    await sql`insert into key_changes (version, key_id) overriding system value values (10002, 0)`.execute(
      database.kysely,
    );
    pass(901);
    assert.deepEqual([await ring.find(one.key), ((await ring.find(other.key)) as KnownKey).id], [null, other.id]);
    await sql`delete from api_keys`.execute(database.kysely);
    await sql`delete from key_changes where version > 1`.execute(database.kysely);
    pass(901);
    assert.equal(await ring.find(other.key), null);
  });

  test('none is missed among many at once from two processes', async () => {
    const { ring, attached, own, pass } = await openKeyCache();
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
    await ring.find(unknownKey());
    for (const { made, live } of keys) assert.equal((await ring.find(made.key)) !== null, live);
  });
});

describe('the cost', () => {
  test('of known keys and of what is no key is no query; a flood of unknown ones costs a few a second', async () => {
    const { key } = await createKey(database, PRO);
    const { ring, own, attached } = await openKeyCache();
    const { counted, questions } = countingQueries(own);
    await attached(counted);
    const begunAt = performance.now();
    const before = questions();
    assert.ok(before > 0);
    const answers: (KeyLookupResult | Promise<KeyLookupResult>)[] = [];
    while (performance.now() < begunAt + 700) {
      for (let count = 0; count < 10; count++) answers.push(ring.find(unknownKey()), ring.find(key), ring.find('x'));
      await setImmediate();
    }
    const seconds = (performance.now() - begunAt) / 1_000;
    const found = new Set(await Promise.all(answers));
    // So it is where this machine stood still for half a second.
    found.delete('unavailable');
    assert.deepEqual(found, new Set([null, ring.find(key)]));
    assert.ok(answers.length > 1_000);
    assert.ok(questions() - before <= 2 + seconds * 14, `${questions() - before} questions in ${seconds} s`);
  });
});

describe('with the database away', () => {
  /** A process behind a gate that holds one key. */
  async function behindGate() {
    const made = await createKey(database, PRO);
    const gate = await DatabaseProxy.inFrontOf(database.url);
    open.push(gate);
    const process = await openKeyCache(gate.url);
    await process.attached();
    return { ...process, gate, made };
  }

  for (const [how, away] of [
    ['cut off', (gate: DatabaseProxy) => gate.cut()],
    ['hanging', (gate: DatabaseProxy) => gate.hang()],
  ] as const) {
    test(`${how}, keys cannot be verified within a second, and can again without a restart`, async () => {
      const { ring, said, gate, made, pass } = await behindGate();
      away(gate);
      assert.equal((ring.find(made.key) as KnownKey).id, made.id, 'what is current stays so');
      pass(901);
      const begunAt = performance.now();
      assert.equal(await ring.find(made.key), 'unavailable');
      assert.equal(await ring.find(unknownKey()), 'unavailable');
      assert.ok(performance.now() - begunAt < 2_000);
      assert.equal(ring.find('no key'), null);
      await waitFor('it to be said', 20_000, () => said.length > 0);
      assert.equal(ring.find(made.key), 'unavailable', 'from then on at once');
      gate.open();
      await untilVerified(ring);
      assert.equal(((await ring.find(made.key)) as KnownKey).id, made.id);
      assert.equal(said.length, 2);
      assert.match(said[0] as string, /^keys cannot be verified: /);
      assert.equal(said[1], 'keys can be verified again');
    });
  }

  test('at the start, the ring is filled when it comes', async () => {
    const { key, id } = await createKey(database, PRO);
    const gate = await DatabaseProxy.inFrontOf(database.url);
    open.push(gate);
    const { ring, own, late } = await openKeyCache(gate.url);
    gate.cut();
    await late.open(own);
    assert.equal(await ring.find(key), 'unavailable');
    gate.open();
    await untilVerified(ring);
    assert.equal(((await ring.find(key)) as KnownKey).id, id);
  });

  test('its pool ended, keys cannot be verified', async () => {
    const { key } = await createKey(database, PRO);
    const { ring, attached, own, pass } = await openKeyCache();
    await attached();
    await own.pool.end();
    pass(901);
    assert.equal(await ring.find(key), 'unavailable');
  });

  test('only the listening connection lost, nothing is missed', async () => {
    const { id, key } = await createKey(database, PRO);
    const { ring, attached, said, pass } = await openKeyCache();
    await attached();
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like $1 and datname = current_database()`,
      [`listen "${KEYS_CHANNEL}"`],
    );
    await revokeSilently(id);
    pass(901);
    assert.equal(await ring.find(key), null);
    assert.deepEqual(said, []);
  });

  test('a closed ring verifies nothing', async () => {
    const { key } = await createKey(database, PRO);
    const { ring, attached } = await openKeyCache();
    await attached();
    await ring.close();
    assert.equal(ring.find(key), 'unavailable');
    assert.equal(ring.find('no key'), null);
  });
});
