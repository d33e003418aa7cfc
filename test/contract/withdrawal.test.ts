/** Withdrawing from the contract of an order: two steps, at once, without a login, and only by its customer. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { withdrawalRoutes } from '../../src/api/billing/withdrawal.ts';
import { startSession } from '../../src/store/accounts/login-sessions.ts';
import { storeFetch } from '../../src/store/billing/billing-subscriptions.ts';
import { deleteAccount } from '../../src/store/billing/erase-accounts.ts';
import { type DueMail, finishMail, takeDueMail } from '../../src/store/billing/mails.ts';
import { aFetch, anOrder } from '../support/builders/billing-fixture.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { cookies, SESSION } from '../support/service/account-browser.ts';
import { SellingService } from '../support/service/selling-service.ts';

const DAY = 24 * 3_600_000;
let selling: SellingService;
before(async () => {
  selling = await SellingService.start(withdrawalRoutes);
});
after(() => selling.close());
beforeEach(async () => {
  const { database } = selling;
  await sql`truncate accounts, orders, billing_subscriptions, mails, api_keys restart identity cascade`.execute(
    database.kysely,
  );
  await anOrder(database, 'a1b2');
  await storeFetch(database, { id: 'sub_1', customer: 'cus_1', orderId: 'a1b2', fetched: aFetch(Date.now()) });
});

const FIELDS = { name: 'Ana Pop', email: 'Ana@Exemplu.ro', order: ' A1B2 ' };
const post = (change: Readonly<Record<string, string>> = {}, headers: Record<string, string> = {}) =>
  selling.post('/retragere', { ...FIELDS, ...change }, headers);
const withdrawnAt = async () => {
  const row = await selling.database.kysely
    .selectFrom('billing_subscriptions')
    .select('withdrawn_at')
    .executeTakeFirstOrThrow();
  return row.withdrawn_at;
};
const mails = () =>
  selling.database.kysely
    .selectFrom('mails')
    .select(['recipient', 'parameters'])
    .where('kind', '=', 'withdrawn')
    .execute();

describe('the page of the withdrawal', () => {
  for (const path of ['/retragere', '/en/withdrawal'])
    test(`${path} has the form, with the order of its address`, async () => {
      const { status, text } = await selling.get(`${path}?order=a1b2`);
      assert.equal(status, 200);
      assert.match(text, /name="order" value="a1b2"/);
      assert.match(text, /vanzari@pompa\.example/);
    });

  test('knows the address and the only order of whoever is logged in, and leads back to the account', async () => {
    const session = await selling.database.transaction((tx) => startSession(tx, 1));
    const page = (path: string) => selling.service.ask(path, { headers: cookies({ [SESSION]: session }) });
    for (const path of ['/retragere', '/retragere?order=a1b2']) {
      const { text } = await page(path);
      assert.match(text, /name="email" value="ana@exemplu\.ro"/);
      assert.match(text, /name="order" value="a1b2"/);
      assert.match(text, /<a href="\/cont">Înapoi în cont<\/a>/);
    }
    assert.match((await page('/retragere?done=1')).text, /Înapoi în cont/);
    const strangers = (await selling.get('/retragere?order=a1b2')).text;
    assert.doesNotMatch(strangers, /ana@exemplu|Înapoi în cont/);
  });

  test('keeps what was typed, and names each problem at its field', async () => {
    const { status, text } = await post({ name: ' ', email: 'ana' });
    assert.equal(status, 400);
    for (const id of ['name', 'email'])
      assert.match(text, new RegExp(`id="${id}"[^>]* aria-invalid="true" aria-describedby="${id}-problem"`));
    assert.match(text, /value="A1B2"/);
  });

  test('asks once more before anything happens', async () => {
    const { status, text } = await post();
    assert.equal(status, 200);
    assert.match(text, /Subsemnatul\(a\) Ana Pop mă retrag din contractul pentru planul Pro, comanda A1B2/);
    assert.match(text, /<input type="hidden" name="confirm" value="yes">/);
    const back = await post({ confirm: 'no', name: 'Ana Pop' });
    assert.deepEqual(
      [back.status, /name="name" value="Ana Pop"/.test(back.text)],
      [200, true],
      'what was typed is kept',
    );
    assert.equal(await withdrawnAt(), null);
    assert.equal((await selling.get('/retragere?order=a1b2&email=ana@exemplu.ro&name=A&confirm=yes')).status, 200);
    assert.equal(await withdrawnAt(), null);
  });
});

describe('a confirmed withdrawal', () => {
  test('closes the key and acknowledges it, once, also if it comes again and at once', async () => {
    const answers = await Promise.all([post({ confirm: 'yes' }), post({ confirm: 'yes', name: 'Eva' })]);
    for (const { status, headers } of answers) assert.deepEqual([status, headers.location], [303, '/retragere?done=1']);
    const first = await withdrawnAt();
    assert.ok(first !== null);
    await post({ confirm: 'yes' });
    assert.equal(await withdrawnAt(), first);
    const [mail, ...others] = await mails();
    assert.deepEqual(others, []);
    assert.equal(mail?.recipient, 'ana@exemplu.ro');
    const { orderId, at } = mail.parameters as { orderId: string; at: number };
    assert.deepEqual([orderId, at], ['a1b2', first]);
    assert.match((await selling.get('/retragere?done=1')).text, /Retragerea a fost înregistrată/);
    const { rows } = await sql`select from key_changes where key_id = 1`.execute(selling.database.kysely);
    assert.ok(rows.length >= 2, 'every process learns that the key is closed');
  });

  test('needs the number of the order and the address that ordered', async () => {
    for (const change of [{ email: 'eva@exemplu.ro' }, { order: 'a1b3' }, { order: "' or true --" }]) {
      const { status, text } = await post({ ...change, confirm: 'yes' });
      assert.equal(status, 400);
      assert.match(text, /Nu găsim o comandă finalizată/);
    }
    assert.equal(await withdrawnAt(), null);
  });

  test('takes the address that ordered also after the account got another', async () => {
    await sql`update accounts set email = 'noua@exemplu.ro'`.execute(selling.database.kysely);
    for (const email of ['Ana+abc@exemplu.ro', 'noua@exemplu.ro']) assert.equal((await post({ email })).status, 200);
    assert.equal((await post({ confirm: 'yes' })).status, 303);
  });

  test('is possible after the account was deleted, and acknowledged to the address that ordered', async () => {
    const { database } = selling;
    const account = await database.kysely.selectFrom('accounts').select(['id', 'email']).executeTakeFirstOrThrow();
    await deleteAccount(
      database,
      { accountId: account.id, email: account.email, ended: ['sub_1'] },
      { withinMs: 3_000 },
    );
    assert.equal((await post({ email: 'eva@exemplu.ro' })).status, 400);
    for (let times = 0; times < 2; times += 1) assert.equal((await post({ confirm: 'yes' })).status, 303);
    assert.deepEqual(
      (await mails()).map(({ recipient }) => recipient),
      ['Ana@exemplu.ro'],
    );
    const order = await database.kysely.selectFrom('orders').select('withdrawn_at').executeTakeFirstOrThrow();
    assert.notEqual(order.withdrawn_at, null);
  });

  test('is acknowledged although the account is deleted before its mails are sent', async () => {
    const { database } = selling;
    const addressIs = (email: string) => sql`update accounts set email = ${email}`.execute(database.kysely);
    await addressIs('noua@exemplu.ro');
    await post({ confirm: 'yes' });
    await addressIs('Ana@exemplu.ro');
    await deleteAccount(database, { accountId: 1, email: 'Ana@exemplu.ro', ended: ['sub_1'] }, { withinMs: 3_000 });
    // One to the account, and one to the address that declared it.
    for (const kind of ['withdrawn', 'withdrawn', 'account_deleted']) {
      const mail = await takeDueMail(database.kysely);
      assert.deepEqual([mail?.content.kind, mail?.recipient], [kind, 'Ana@exemplu.ro']);
      await finishMail(database.kysely, mail as DueMail, 'expired');
    }
    const left = await database.kysely.selectFrom('mails').select('recipient').execute();
    assert.deepEqual(left, Array(3).fill({ recipient: null }), 'no other mail is kept, and no address once they end');
  });

  test('is possible for 14 days, the last one whole, and until the next working day after it', async () => {
    const endedAt = (daysAgo: number) =>
      selling.database.kysely
        .updateTable('orders')
        .set({ ended_at: new Date(Date.now() - daysAgo * DAY) })
        .execute();
    await endedAt(20.1);
    const { status, text } = await post({ confirm: 'yes' });
    assert.equal(status, 400);
    assert.match(text, /Cele 14 zile de la comandă au trecut/);
    assert.equal(await withdrawnAt(), null);
    await endedAt(19.9);
    assert.equal((await post({ confirm: 'yes' })).status, 303);
  });

  test('is guessed at no more than 20 times an hour', async () => {
    const from = { 'X-Forwarded-For': newAddress() };
    for (let times = 0; times < 20; times += 1) await post({ order: `x${times}` }, from);
    const { status, headers } = await post({ confirm: 'yes' }, from);
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal(await withdrawnAt(), null);
  });

  test('is not read from another site', async () => {
    assert.equal((await post({ confirm: 'yes' }, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
    assert.equal(await withdrawnAt(), null);
  });
});
