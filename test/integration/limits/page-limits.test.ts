/** The limit of pages decides from memory, and reports to the database those who read much. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PageLimits } from '../../../src/store/limits/page-limits.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { NO_DATABASE } from '../../support/database/late-database.ts';
import { namedHasher } from '../../support/database/named-hashes.ts';
import { testDatabase } from '../../support/database/test-database.ts';

const READER = { client: '192.0.2.77', name: 'pages', maxRequests: 120 };

function take(limits: PageLimits, count: number, client = READER.client): number {
  return Array.from({ length: count }, () => limits.tryTake({ ...READER, client })).filter((wait) => wait === 0).length;
}

describe('the limit of pages', () => {
  test('counts over all processes, without one that waits', async (t) => {
    const database = await testDatabase();
    const hasher = await namedHasher(database, 'minute windows');
    const processes = [0, 1, 2].map(() => new PageLimits(database, { hasher, reportIntervalMs: 5 }));
    t.after(async () => {
      await Promise.all(processes.map((each) => each.close()));
      await database.drop();
    });
    const [first, second, third] = processes as [PageLimits, PageLimits, PageLimits];
    const recorded = async () => {
      const { rows } = await database.pool.query<{ reads: number }>(
        'select cardinality(recent) as reads from minute_windows',
      );
      return rows[0]?.reads ?? 0;
    };
    assert.equal(take(first, 70), 70);
    await waitFor('the first report', 5_000, async () => (await recorded()) === 70);
    assert.equal(take(second, 60), 60, 'at once, from memory');
    await waitFor('the second report', 5_000, async () => (await recorded()) === 120);
    await waitFor('the second process to refuse', 5_000, async () => take(second, 1) === 0);
    assert.equal(take(third, 19), 19, 'a process does not report a client that reads little there');
    assert.equal(await recorded(), 120);
    await waitFor('the third process to refuse', 5_000, async () => take(third, 1) === 0);
    const wait = third.tryTake(READER);
    assert.ok(wait > 30_000 && wait <= 60_001, String(wait));
    assert.equal(take(third, 1, '192.0.2.78'), 1, 'others read on');
  });

  test('is decided by the process alone while the database is away', async () => {
    const database = { ...NO_DATABASE, state: 'ready' as const };
    const hasher = { hash: () => assert.fail('no key of hashes'), refresh: async () => undefined } as never;
    const limits = new PageLimits(database as never, { hasher, reportIntervalMs: 1 });
    assert.equal(take(limits, 200), 120);
    await new Promise((done) => setImmediate(done));
    assert.equal(take(limits, 10), 0);
    await limits.close();
  });

  test('is divided by the processes of one address while the database is away', async () => {
    const database = { ...NO_DATABASE, state: 'ready' as const };
    const hasher = { hash: () => assert.fail('no key of hashes'), refresh: async () => undefined } as never;
    const limits = new PageLimits(database as never, { hasher, processes: 3, reportIntervalMs: 1 });
    assert.equal(take(limits, 20), 20);
    await waitFor('a report that fails', 5_000, () => take(limits, 1) === 0 || undefined);
    assert.equal(take(limits, 200, '192.0.2.79'), 40);
    await limits.close();
  });

  test('forgets who has not read for longest when there are too many', async () => {
    const limits = new PageLimits(NO_DATABASE as never, { hasher: {} as never, maxEntries: 2 });
    const one = { ...READER, maxRequests: 1 };
    for (const client of ['a', 'b', 'c']) assert.equal(limits.tryTake({ ...one, client }), 0);
    assert.ok(limits.tryTake({ ...one, client: 'c' }) > 0);
    assert.equal(limits.tryTake({ ...one, client: 'a' }), 0);
    await limits.close();
  });

  test('lets a client read again a minute after its first page', async (t) => {
    let now = 1_000;
    t.mock.method(performance, 'now', () => now);
    const limits = new PageLimits(NO_DATABASE as never, { hasher: {} as never });
    assert.equal(take(limits, 121), 120);
    assert.equal(limits.tryTake(READER), 60_001);
    now += 60_001;
    assert.equal(take(limits, 121), 120);
    await limits.close();
  });
});
