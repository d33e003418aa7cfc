import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { aCollectOrder, at, setUpCollector, storedState } from '../../../test/support/collection/collector-fixture.ts';
import { releaseLease, takeLease } from '../../store/connection/leases.ts';
import { lastRunTimes, listRuns } from '../../store/prices/runs.ts';
import { COLLECT_LEASE, collect } from './collect.ts';
import { LeaseLost, LeaseTaken } from './lease-errors.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();

const EIGHT = '2026-11-20T08:00:00.000Z';

describe('the lease of a collection', { timeout: 120_000 }, () => {
  const nothingStored = async () => {
    const { version, observations } = await storedState(database);
    assert.deepEqual([version, observations.length, (await listRuns(database.kysely, 9)).length], [0, 0, 0]);
  };
  const expire = () => sql`update leases set expires_at = clock_timestamp()`.execute(database.kysely);

  test('when lost during the sweep, leaves nothing stored, not even a run', async () => {
    fakeSource.answer = async () => {
      await expire();
      assert.ok(await takeLease(database.kysely, COLLECT_LEASE, 'another', 60_000));
      return { stations: { R1: { petrol: 7_000 } } };
    };
    await assert.rejects(bench.run(EIGHT), LeaseLost);
    await nothingStored();
  });

  test('when expired under a stalled holder, stores no price but a failed run: the source waits its turn', async () => {
    fakeSource.answer = async () => {
      await expire();
      return { stations: { R1: { petrol: 7_000 } } };
    };
    await assert.rejects(bench.run(EIGHT, { scheduled: true }), LeaseLost);
    const { version, observations } = await storedState(database);
    assert.deepEqual([version, observations], [0, []]);
    const runs = await listRuns(database.kysely, 9);
    assert.deepEqual(
      runs.map(({ source, outcome, requests, reason }) => [source, outcome, requests, reason]),
      [['register', 'failed', 1, new LeaseLost().message]],
    );
    assert.equal((await lastRunTimes(database.kysely)).get('register'), at(EIGHT));
    assert.ok(await takeLease(database.kysely, COLLECT_LEASE, 'another', 1_000));
  });

  test('when another process had it meanwhile, even if that is done, leaves nothing stored', async () => {
    fakeSource.answer = async () => {
      await expire();
      const other = await takeLease(database.kysely, COLLECT_LEASE, 'another', 60_000);
      await releaseLease(database.kysely, other ?? assert.fail());
      return { stations: { R1: { petrol: 7_000 } } };
    };
    await assert.rejects(bench.run(EIGHT), LeaseLost);
    await nothingStored();
  });

  test('is renewed while a source takes longer than the lease lasts', async () => {
    const { promise: long, resolve: answer } = Promise.withResolvers<void>();
    fakeSource.answer = () => long.then(() => ({ stations: { R1: { petrol: 7_000 } } }));
    const short = { ...bench, collector: { ...bench.collector, leaseMs: 300 } };
    bench.clock.now = at(EIGHT);
    const running = collect(short.collector, aCollectOrder());
    const taken = async () =>
      (await sql<{ t: number }>`select expires_at as t from leases`.execute(database.kysely)).rows[0]?.t;
    const first = await until(taken);
    await until(async () => ((await taken()) as number) > first + 400);
    answer();
    assert.equal((await running).version, 1);
  });

  test('when taken by another process, stops the sweep before the source is done', async () => {
    const { promise: abortReason, resolve: stopped } = Promise.withResolvers<unknown>();
    fakeSource.answer = async (signal) => {
      signal.addEventListener('abort', () => stopped(signal.reason));
      await sql`update leases set fence = fence + 1`.execute(database.kysely);
      await abortReason;
      return { stations: {} };
    };
    bench.clock.now = at(EIGHT);
    // Renewed every half second; a shorter one could expire before the sweep begins.
    await assert.rejects(collect({ ...bench.collector, leaseMs: 1_500 }, aCollectOrder()), LeaseLost);
    assert.ok((await abortReason) instanceof LeaseLost);
    await nothingStored();
  });

  test('lets one of two processes collect at a time; the other waits or gives up', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: inside, resolve: entered } = Promise.withResolvers<void>();
    fakeSource.answer = async () => {
      entered();
      await gate;
      return { stations: { R1: { petrol: 7_000 } } };
    };
    const first = bench.run(EIGHT);
    await inside;
    await assert.rejects(bench.run(EIGHT, { waitMs: 0 }), LeaseTaken);
    const second = bench.run(EIGHT, { waitMs: 10_000 });
    open();
    assert.deepEqual([(await first).version, (await second).version], [1, 2]);
  });

  test('is released at the deadline when a source hangs, and the run fails', async () => {
    fakeSource.answer = () => new Promise(() => undefined);
    bench.clock.now = at(EIGHT);
    const { runs, version } = await collect({ ...bench.collector, deadlineMs: 50 }, aCollectOrder());
    assert.equal(version, null);
    assert.deepEqual(
      runs.map(({ outcome, reason }) => [outcome, reason]),
      [['failed', 'the collection did not end within 1 minutes']],
    );
    assert.equal(fakeSource.closed, 1);
    assert.ok(await takeLease(database.kysely, COLLECT_LEASE, 'another', 1_000));
  });

  test('is released by a collection that is stopped, which stores nothing', async () => {
    const stop = new AbortController();
    fakeSource.answer = () => {
      stop.abort(new Error('the process is being stopped'));
      return new Promise(() => undefined);
    };
    await assert.rejects(bench.run(EIGHT, { signal: stop.signal }), /the process is being stopped/);
    await nothingStored();
    assert.deepEqual(await readdir(path.join(dataDir, 'archive', 'register')), []);
    assert.ok(await takeLease(database.kysely, COLLECT_LEASE, 'another', 1_000));
  });
});

/** Polls until there is a value. */
async function until<T>(read: () => Promise<T>): Promise<NonNullable<T>> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (performance.now() > deadline) throw new Error('no value within 10 s');
    await new Promise((resume) => setTimeout(resume, 20));
  }
}
