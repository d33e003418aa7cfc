import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { anOrder } from '../../../test/support/builders/billing-fixture.ts';
import { addressHashOn } from '../../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { KeyedHash } from '../limits/address-hash.ts';
import { makeLoginSecret } from './login-secrets.ts';
import { endSession, findSession, startSession } from './login-sessions.ts';
import { confirmLogin, type LoginProof, type NewLogin, startLogin } from './logins.ts';

let database: TestDatabase;
let accountId: number;
let network: KeyedHash;
before(async () => {
  database = await testDatabase();
  network = (await addressHashOn(database)).for('logins').hash('192.0.2.0/24');
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate accounts, orders, mails, logins, login_sessions restart identity cascade`.execute(database.kysely);
  accountId = await anOrder(database, 'order 1', 'ana@exemplu.ro');
});

const LOGIN: NewLogin = {
  ...{ browser: 'browser 1', email: 'ana@exemplu.ro', purpose: 'login', accountId: null, language: 'ro' },
};
const start = (change: Partial<NewLogin> = {}) =>
  database.transaction((tx) => startLogin(tx, { ...LOGIN, network, ...change }, 'unneeded'));
const confirm = (proof: Partial<LoginProof>) =>
  database.transaction((tx) =>
    confirmLogin(tx, { ...{ purpose: 'login', browser: 'browser 1', token: null, code: null }, ...proof }),
  );
/** The secrets of the latest login, as its mail has them. */
async function secrets() {
  const { rows } = await sql<{ id: number }>`select max(id)::int as id from logins`.execute(database.kysely);
  const made = await makeLoginSecret(database.kysely, rows[0]?.id as number);
  assert.ok(made);
  return made;
}
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a login', () => {
  test('is started three times for a mailbox, also when many ask at once', async () => {
    const started = await Promise.all(Array.from({ length: 8 }, (_, n) => start({ browser: `browser ${n}` })));
    assert.equal(started.filter((each) => typeof each === 'number').length, 3);
  });

  test('is proved by nothing but its link or its code, also in the browser that asked for it', async () => {
    for (const purpose of ['login', 'new_address', 'free_key', 'old_address'] as const) {
      await start({ purpose });
      assert.deepEqual(await confirm({ purpose }), { kind: 'wrong' });
    }
  });

  test('is started three times an hour for a mailbox, however it is written, and for others still', async () => {
    for (const email of ['ana@exemplu.ro', 'ANA@exemplu.ro', 'Ana+x@exemplu.ro'])
      assert.equal(typeof (await start({ email })), 'number');
    assert.equal(await start(), 'too many');
    assert.equal(typeof (await start({ email: 'bob@exemplu.ro' })), 'number');
    await sql`update logins set created_at = created_at - interval '61 minutes'`.execute(database.kysely);
    assert.equal(typeof (await start()), 'number');
  });

  test('is proven once, by its link in the browser that asked', async () => {
    await start();
    const { token } = await secrets();
    assert.deepEqual(await confirm({ token, browser: 'browser 2' }), {
      kind: 'another browser',
      email: 'ana@exemplu.ro',
    });
    assert.deepEqual(await confirm({ token, browser: null }), { kind: 'another browser', email: 'ana@exemplu.ro' });
    const proven = { kind: 'proved', loginId: 1, email: 'ana@exemplu.ro', accountId: null, language: 'ro' };
    assert.deepEqual(await confirm({ token }), proven);
    assert.deepEqual(await confirm({ token }), { kind: 'expired' });
  });

  test('is proven by its code in that browser, or by link and code in any', async () => {
    await start();
    const { code } = await secrets();
    assert.equal((await confirm({ code, browser: 'browser 2' })).kind, 'wrong', 'a code is bound to its browser');
    assert.equal((await confirm({ code })).kind, 'proved');
    await start();
    const again = await secrets();
    assert.equal((await confirm({ ...again, browser: null })).kind, 'proved');
  });

  test('ends after five wrong codes, in parallel too, and after fifteen minutes', async () => {
    await start();
    const { code, token } = await secrets();
    const tries = await Promise.all(Array.from({ length: 8 }, () => confirm({ code: wrong(code) })));
    assert.equal(tries.filter(({ kind }) => kind === 'wrong').length, 5);
    assert.equal((await confirm({ code })).kind, 'expired');
    assert.equal((await confirm({ token })).kind, 'expired');
    await start();
    const late = await secrets();
    await sql`update logins set expires_at = clock_timestamp()`.execute(database.kysely);
    assert.equal((await confirm({ token: late.token })).kind, 'expired');
  });

  test('serves its own purpose only, and a link of a free key any browser', async () => {
    await start({ purpose: 'free_key' });
    const { token, code } = await secrets();
    assert.equal((await confirm({ token })).kind, 'expired');
    assert.equal((await confirm({ code })).kind, 'wrong');
    assert.equal((await confirm({ token, purpose: 'free_key', browser: null })).kind, 'proved');
  });

  test('is not proven by made-up secrets', async () => {
    await start();
    for (const proof of [
      { token: 'x' },
      { token: '' },
      { code: '' },
      { code: '%' },
      { browser: 'browser 9', code: '1' },
    ])
      assert.notEqual((await confirm(proof)).kind, 'proved');
  });
});

describe('a session', () => {
  test('is found by its secret until it ends, and only its hash is stored', async () => {
    const secret = await database.transaction((tx) => startSession(tx, accountId));
    const find = (given: string) => database.transaction((tx) => findSession(tx, given));
    assert.deepEqual(await find(secret), { accountId, email: 'ana@exemplu.ro', language: 'ro', isFresh: true });
    assert.equal(await find(`${secret}x`), null);
    const { rows } = await sql<{ sha256: Buffer }>`select sha256 from login_sessions`.execute(database.kysely);
    assert.ok(!rows.some(({ sha256 }) => sha256.toString().includes(secret)));
    await database.transaction((tx) => endSession(tx, secret));
    assert.equal(await find(secret), null);
  });

  test('lasts 30 days from the last visit', async () => {
    const secret = await database.transaction((tx) => startSession(tx, accountId));
    const later = (days: number) =>
      sql`update login_sessions set seen_at = seen_at - ${days} * interval '1 day',
        expires_at = expires_at - ${days} * interval '1 day'`.execute(database.kysely);
    const find = () => database.transaction((tx) => findSession(tx, secret));
    for (let visits = 0; visits < 3; visits += 1) {
      await later(29);
      assert.notEqual(await find(), null);
    }
    await later(31);
    assert.equal(await find(), null);
  });
});
