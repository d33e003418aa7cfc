/** All processes recognise each other's signatures, also while the key is replaced. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { ADDRESS_KEY_HOURS, CAPTCHA_TOKEN_HOURS } from '../../domain/access/retention.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import { AddressHash } from './address-hash.ts';
import { ChallengeSigner } from './challenge-signer.ts';

const CHALLENGE = 'a'.repeat(64);
const HOUR_MS = 3_600_000;
const KEY_HOURS = ADDRESS_KEY_HOURS['captcha challenges'];

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => database.pool.query('truncate address_keys cascade'));

/** A process, with a clock set by hand; `reads` counts how often it read the keys. */
async function startProcess() {
  const process = { now: 0, reads: 0 };
  const hashes = new AddressHash();
  await hashes.readKeys(database);
  const hasher = hashes.for('captcha challenges');
  const counting = {
    ...hasher,
    refresh: () => {
      process.reads += 1;
      return hasher.refresh();
    },
  };
  const signer = new ChallengeSigner({ hasher: counting, clock: () => process.now });
  return Object.assign(process, { signer });
}

/** Lets time pass for the keys. */
const pass = (hours: number) =>
  database.pool.query(
    `update address_keys set created_at = created_at - make_interval(hours => $1),
       superseded_at = superseded_at - make_interval(hours => $1)`,
    [hours],
  );

describe('a signature', () => {
  test('is recognised by every process, and only for its challenge', async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    const signature = await one.signer.sign(CHALLENGE);
    assert.match(signature, /^[0-9a-f]{32}$/);
    for (const { signer } of [one, other]) {
      assert.equal(await signer.isSigned(CHALLENGE, signature), true);
      assert.equal(await signer.isSigned('b'.repeat(64), signature), false);
      for (const wrong of ['', signature.slice(2), `${signature}00`, '0'.repeat(32)])
        assert.equal(await signer.isSigned(CHALLENGE, wrong), false, wrong);
    }
  });

  test('is not that of an address under the key of another purpose', async () => {
    const { signer } = await startProcess();
    const hashes = new AddressHash();
    await hashes.readKeys(database);
    for (const purpose of ['reviews', 'minute windows'] as const) {
      const hash = hashes.for(purpose).hash(CHALLENGE).current.toString('hex');
      assert.equal(await signer.isSigned(CHALLENGE, hash), false);
    }
  });

  test('of the next key is recognised by a process that has not read it, and of the earlier one by all', async () => {
    const stale = await startProcess();
    const early = await stale.signer.sign(CHALLENGE);
    stale.now += 10_000;
    await pass(KEY_HOURS.currentHours);
    const fresh = await startProcess();
    const late = await fresh.signer.sign(CHALLENGE);
    assert.notEqual(late, early);
    assert.equal(await stale.signer.isSigned(CHALLENGE, late), true);
    assert.equal(await fresh.signer.isSigned(CHALLENGE, early), true);
    assert.equal(await stale.signer.isSigned(CHALLENGE, early), true);
  });

  test('ends with its key, before its use would be forgotten', async () => {
    const process = await startProcess();
    const signature = await process.signer.sign(CHALLENGE);
    await pass(KEY_HOURS.currentHours);
    process.now += HOUR_MS;
    assert.notEqual(await process.signer.sign(CHALLENGE), signature);
    await pass(KEY_HOURS.supersededHours);
    process.now += HOUR_MS;
    await process.signer.sign(CHALLENGE);
    assert.equal(await process.signer.isSigned(CHALLENGE, signature), false);
    assert.ok(KEY_HOURS.currentHours + KEY_HOURS.supersededHours + 1 < CAPTCHA_TOKEN_HOURS);
  });
});

describe('the keys', () => {
  test('are read once an hour, and at most every five seconds because of unknown signatures', async () => {
    const process = await startProcess();
    for (let n = 0; n < 100; n += 1) await process.signer.sign(CHALLENGE);
    assert.equal(process.reads, 1);
    for (let n = 0; n < 100; n += 1) await process.signer.isSigned(CHALLENGE, '0'.repeat(32));
    assert.equal(process.reads, 1);
    process.now += 5_000;
    for (let n = 0; n < 100; n += 1) await process.signer.isSigned(CHALLENGE, '0'.repeat(32));
    assert.equal(process.reads, 2);
    process.now += HOUR_MS;
    for (let n = 0; n < 100; n += 1) await process.signer.sign(CHALLENGE);
    assert.equal(process.reads, 3);
  });

  test('read last stay in use while the database is away; without any, nothing is signed', async () => {
    const hashes = new AddressHash();
    const hasher = hashes.for('captcha challenges');
    const away = () => Promise.reject(new DatabaseUnavailable('away'));
    const signer = new ChallengeSigner({ hasher: { ...hasher, refresh: away } });
    await assert.rejects(signer.sign(CHALLENGE), DatabaseUnavailable);
    await hashes.readKeys(database);
    assert.equal(await signer.isSigned(CHALLENGE, await signer.sign(CHALLENGE)), true);
  });

  test('of a database that hangs delay a request by a second at most', async () => {
    const hashes = new AddressHash();
    await hashes.readKeys(database);
    const refresh = () => new Promise<void>(() => undefined);
    const signer = new ChallengeSigner({ hasher: { ...hashes.for('captcha challenges'), refresh } });
    const startedAt = performance.now();
    await signer.sign(CHALLENGE);
    assert.ok(performance.now() - startedAt < 5_000);
  });
});
