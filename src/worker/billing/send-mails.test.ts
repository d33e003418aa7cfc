import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { aFetch, anOrder } from '../../../test/support/builders/billing-fixture.ts';
import { addressHashOn } from '../../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { createSmtpMailer } from '../../clients/smtp.ts';
import { startRelay } from '../../simulation/mailbox/mail-relay.ts';
import { startLogin } from '../../store/accounts/logins.ts';
import { storeFetch } from '../../store/billing/billing-subscriptions.ts';
import { queueMailTo } from '../../store/billing/mails.ts';
import { isLiveKey } from '../../store/keys/key-queries.ts';
import { rotateKey } from '../../store/keys/keys.ts';
import { makeMailedKey } from '../../store/keys/mailed-keys.ts';
import { type MailJob, sendDueMails } from './send-mails.ts';

const DAY = 24 * 3_600_000;
const KEY = /pompa_live_\w+/;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate accounts, orders, billing_subscriptions, mails, logins, api_keys restart identity cascade`.execute(
    database.kysely,
  );
});

/** A relay, and the job that sends by it; `write` shows the secrets, as the real one does in its own words. */
async function jobWith(t: { after(work: () => void): void }, options: SMTPServerOptions = {}) {
  const { url, received, close } = await startRelay(options);
  const from = { name: 'Pompa', address: 'cheie@pompa.example' };
  const mailer = createSmtpMailer({ url, from, replyTo: null, allowPlain: true });
  t.after(() => {
    mailer.close();
    close();
  });
  const messages: string[] = [];
  const job: MailJob = {
    ...{ database, mailer, clock: Date.now },
    write: ({ kind }, _language, { key, login }) => ({
      ...{ subject: kind, html: '<p>-</p>', headers: {} },
      text: [kind, key, login?.code].filter(Boolean).join(' '),
    }),
    log: { info: () => undefined, warn: (message) => messages.push(message) },
  };
  return { job, received, messages, send: () => sendDueMails(job, new AbortController().signal) };
}

async function subscribe(now = Date.now()) {
  await anOrder(database, 'order-1');
  await storeFetch(database, { id: 'sub_1', customer: 'cus_1', orderId: 'order-1', fetched: aFetch(now) });
}

const makeAllDue = () =>
  sql`update mails set due_at = clock_timestamp() - interval '1 second'`.execute(database.kysely);
const states = async () =>
  (await database.kysely.selectFrom('mails').select(['kind', 'state', 'tries']).orderBy('id').execute()).map(
    ({ kind, state, tries }) => `${kind} ${state} ${tries}`,
  );
const textOf = async (mail: string | undefined) => (await PostalMime.parse(mail ?? '')).text ?? '';

describe('the mail with a key', () => {
  test('has a key that works, which is stored nowhere but as a hash', async (t) => {
    const { received, send } = await jobWith(t);
    await subscribe();
    assert.equal(await send(), 1);
    const [key = ''] = KEY.exec(await textOf(received[0])) ?? [];
    assert.equal(await isLiveKey(database, key), true);
    assert.deepEqual(await states(), ['key sent 1', 'trial_ending waiting 0']);
    const dump = await database.kysely.selectFrom('mails').selectAll().execute();
    assert.ok(!JSON.stringify(dump).includes(key.slice(11)));
    assert.equal(await send(), 0, 'it is sent once');
  });

  test('of an attempt that may have arrived leaves that key valid beside the next one', async (t) => {
    let mails = 0;
    const keys: string[] = [];
    const { send } = await jobWith(t, {
      async onData(stream, _session, done) {
        let whole = '';
        for await (const part of stream) whole += part;
        keys.push(KEY.exec(await textOf(whole))?.[0] ?? '');
        mails += 1;
        done(mails === 1 ? Object.assign(new Error('busy'), { responseCode: 451 }) : null);
      },
    });
    await subscribe();
    assert.equal(await send(), 0);
    await makeAllDue();
    assert.equal(await send(), 1 + 1, 'the warning of the end of the trial is due now, too');
    assert.equal(new Set(keys.filter(Boolean)).size, 2);
    for (const key of keys.filter(Boolean)) assert.equal(await isLiveKey(database, key), true);
  });

  test('of an attempt that may have arrived ends no key that its holder made since', async (t) => {
    const { send, received } = await jobWith(t, { onData: (_stream, session) => void session.id });
    await subscribe();
    const mailed = await makeMailedKey(database, 1, 0);
    const own = await rotateKey(database, 1, DAY);
    assert.ok(mailed !== null && typeof own !== 'string');
    assert.equal(await send(), 0);
    assert.deepEqual([received, (await states())[0]], [[], 'key expired 1']);
    for (const key of [mailed, own.key]) assert.equal(await isLiveKey(database, key), true);
  });

  test('of a key that was revoked meanwhile is not sent', async (t) => {
    const { received, send } = await jobWith(t);
    await subscribe();
    await sql`update api_keys set revoked_at = now()`.execute(database.kysely);
    assert.equal(await send(), 0);
    assert.deepEqual([received, (await states())[0]], [[], 'key expired 1']);
  });
});

describe('a mail', () => {
  test('is tried again later when the relay defers it, and given up after a day', async (t) => {
    const { job, messages, send } = await jobWith(t, {
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('greylisted'), { responseCode: 451 })),
    });
    await subscribe();
    assert.equal(await send(), 0);
    assert.equal((await states())[0], 'key waiting 1');
    await makeAllDue();
    const later = { ...job, clock: () => Date.now() + 2 * DAY };
    await sendDueMails(later, new AbortController().signal);
    assert.match((await states())[0] ?? '', /key expired 2/);
    assert.match(messages[0] ?? '', /^mail 1 \(key\) is given up: .*greylisted/);
  });

  test('that was queued for a later day is tried for a day from then on', async (t) => {
    const { job } = await jobWith(t, {
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('greylisted'), { responseCode: 451 })),
    });
    await subscribe();
    await sql`delete from mails where kind = 'key'`.execute(database.kysely);
    await makeAllDue();
    await sendDueMails({ ...job, clock: () => Date.now() + 2 * DAY + 60_000 }, new AbortController().signal);
    assert.deepEqual(await states(), ['trial_ending waiting 1']);
  });

  test('that the relay refuses for good ends, and its account learns of it', async (t) => {
    const { send, messages } = await jobWith(t, {
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no such user'), { responseCode: 550 })),
    });
    await subscribe();
    await send();
    assert.equal((await states())[0], 'key refused 1');
    const account = await database.kysely.selectFrom('accounts').select('mail_refused_at').executeTakeFirstOrThrow();
    assert.notEqual(account.mail_refused_at, null);
    assert.doesNotMatch(messages.join(), /exemplu\.ro/, 'the log names no address');
  });

  test('whose reason has gone is not sent', async (t) => {
    const now = Date.now();
    const { received, send } = await jobWith(t);
    await subscribe(now);
    await send();
    await storeFetch(database, {
      ...{ id: 'sub_1', customer: 'cus_1', orderId: null },
      fetched: aFetch(now, { cancelAt: now + 3 * DAY, fetchedAt: now + 1 }),
    });
    await makeAllDue();
    await send();
    assert.deepEqual(await states(), ['key sent 1', 'trial_ending expired 1', 'cancelled sent 1']);
    assert.equal(received.length, 2);
  });
});

describe('the mail of a login', () => {
  const ask = (email: string, browser: string) =>
    database.transaction(async (tx) => {
      const purpose = 'login';
      const network = (await addressHashOn(database)).for('logins').hash('192.0.2.0/24');
      const login = { browser, email, purpose, language: 'ro', accountId: null, network } as const;
      const loginId = await startLogin(tx, login, 'unneeded');
      assert.ok(typeof loginId === 'number');
      await queueMailTo(tx, { recipient: email, language: 'ro' }, { kind: 'login', loginId }, String(loginId));
    });

  test('goes to the address as the account has it, and to nobody where no account has it', async (t) => {
    const { received, send } = await jobWith(t);
    await anOrder(database, 'order-1', 'Ana@exemplu.ro');
    await ask('aNA@exemplu.ro', 'x');
    await ask('nobody@exemplu.ro', 'y');
    assert.equal(await send(), 1);
    const { to } = await PostalMime.parse(received[0] ?? '');
    assert.equal(to?.[0]?.address, 'Ana@exemplu.ro');
    const rows = await database.kysely.selectFrom('mails').select(['state', 'recipient']).orderBy('id').execute();
    assert.deepEqual(rows.at(-1), { state: 'expired', recipient: null });
  });
});

test('a mail that waits goes to the address that its account has when it is sent', async (t) => {
  const { received, send } = await jobWith(t);
  await subscribe();
  await sql`update accounts set email = 'noua@exemplu.ro'`.execute(database.kysely);
  await makeAllDue();
  assert.equal(await send(), 2);
  for (const mail of received) assert.equal((await PostalMime.parse(mail)).to?.[0]?.address, 'noua@exemplu.ro');
});
