import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database-errors.ts';
import { connectionShare } from './connection-share.ts';
import type { Queryable } from './database-connection.ts';

/** A database whose statements end when the test says so. */
function manualDatabase() {
  const underWay: PromiseWithResolvers<never[]>[] = [];
  const database: Queryable = {
    state: 'ready',
    query: () => {
      const statement = Promise.withResolvers<never[]>();
      underWay.push(statement);
      return statement.promise;
    },
  };
  return { database, underWay };
}

const STATEMENT = { text: 'select' };

test('a share runs as many statements at once as it may, and the others in turn', async () => {
  const { database, underWay } = manualDatabase();
  const share = connectionShare(database, 3);
  const all = Array.from({ length: 8 }, () => share.query(STATEMENT, { withinMs: 60_000 }));
  for (const expected of [3, 4, 5, 6, 7, 8, 8]) {
    await setImmediate();
    assert.equal(underWay.length, expected);
    underWay[expected - 3]?.resolve([]);
  }
  for (const statement of underWay) statement.resolve([]);
  await Promise.all(all);
});

test('a statement that finds no free connection in time is rejected, and never runs', async () => {
  const { database, underWay } = manualDatabase();
  const share = connectionShare(database, 1);
  const first = share.query(STATEMENT, { withinMs: 60_000 });
  await assert.rejects(share.query(STATEMENT, { withinMs: 20 }), DatabaseUnavailable);
  underWay[0]?.resolve([]);
  await first;
  await setImmediate();
  assert.equal(underWay.length, 1);
});

test('of very many statements the newest are refused at once', async () => {
  const { database } = manualDatabase();
  const share = connectionShare(database, 1);
  for (let sent = 0; sent < 201; sent += 1) share.query(STATEMENT, { withinMs: 60_000 }).catch(() => undefined);
  await assert.rejects(share.query(STATEMENT, { withinMs: 60_000 }), DatabaseUnavailable);
});
