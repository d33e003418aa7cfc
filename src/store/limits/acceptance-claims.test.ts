import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WEEKLY_CAP_MS } from '../../domain/access/request-limits.ts';
import { ClaimTable } from './acceptance-claims.ts';
import { AddressHash } from './address-hash.ts';
import { WeeklyCap } from './weekly-cap.ts';

const NO_DATABASE = {
  state: 'unavailable' as const,
  whenReady: () => Promise.resolve(false),
  query: () => Promise.reject(new Error('there is none')),
};
const REQUEST = { client: '192.0.2.1', endpoint: '/x' };

function processWith(claims: ClaimTable): WeeklyCap {
  return new WeeklyCap(NO_DATABASE, { hasher: new AddressHash().for('weekly caps'), clock: () => 1_000, claims });
}

test('without the database one of several processes accepts a capped request', async () => {
  const claims = new ClaimTable();
  const [one, other] = [processWith(claims), processWith(claims)];
  const decisions = await Promise.all([one, other, one, other].map((each) => each.tryTake(REQUEST)));
  assert.deepEqual(decisions.filter(({ accepted }) => accepted).length, 1);
  assert.ok(decisions.every(({ acceptedAt }) => acceptedAt === 1_000));
  assert.equal((await other.tryTake({ ...REQUEST, client: '192.0.2.2' })).accepted, true, 'of another client');
});

test('what one process gives back, another may accept', async () => {
  const claims = new ClaimTable();
  const [one, other] = [processWith(claims), processWith(claims)];
  const { acceptedAt } = await one.tryTake(REQUEST);
  await one.refund(REQUEST, acceptedAt);
  assert.equal((await other.tryTake(REQUEST)).accepted, true);
});

test('a claim holds for a week, and a full table refuses new ones for an hour', () => {
  const claims = new ClaimTable(1);
  assert.equal(claims.claim('a', 5), null);
  assert.equal(claims.claim('a', 4 + WEEKLY_CAP_MS), 5);
  assert.equal(claims.claim('b', 6), 6 - WEEKLY_CAP_MS + 3_600_000);
  assert.equal(claims.claim('b', 5 + WEEKLY_CAP_MS), null);
  claims.release('b', 0);
  assert.equal(claims.claim('b', 6 + WEEKLY_CAP_MS), 5 + WEEKLY_CAP_MS, 'only its own time takes a claim back');
});
