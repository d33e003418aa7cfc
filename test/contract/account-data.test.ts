/** What customers do with their account as a whole: take their data, change the address, decline mails, delete it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { deletionRoutes } from '../../src/api/billing/account-deletion.ts';
import { addressRoutes } from '../../src/api/billing/change-address.ts';
import { accountRoutes } from '../../src/api/billing/customer-account.ts';
import { freeKeyRoutes } from '../../src/api/billing/free-key.ts';
import { loginRoutes } from '../../src/api/billing/log-in.ts';
import { orderRoutes } from '../../src/api/billing/order.ts';
import { unsubscriptionRoutes } from '../../src/api/billing/unsubscription.ts';
import { deleteAccount } from '../../src/store/billing/erase-accounts.ts';
import { createFreeKey, deleteSpentFreeKeys } from '../../src/store/billing/free-keys.ts';
import { type DueMail, finishMail, takeDueMail } from '../../src/store/billing/mails.ts';
import { correctAddress } from '../../src/store/billing/support.ts';
import { DatabaseUnavailable } from '../../src/store/database-errors.ts';
import { isLiveKey } from '../../src/store/keys/key-queries.ts';
import { rotateKey } from '../../src/store/keys/keys.ts';
import { beginPing } from '../../src/store/webhooks/webhook-outbox.ts';
import { createWebhook, type NewSecret } from '../../src/store/webhooks/webhooks.ts';
import { aFetch, anOrder, aSubscribedKey } from '../support/builders/billing-fixture.ts';
import {
  BROWSER,
  cookieOf,
  cookies,
  formTokenOf,
  latestSecrets,
  logInAs,
  SESSION,
} from '../support/service/account-browser.ts';
import { SellingService } from '../support/service/selling-service.ts';

const EMAIL = 'sub_1@exemplu.ro';
const NEW = 'noua@exemplu.ro';
const OTHER = 'alta@exemplu.ro';

let selling: SellingService;
let key: string;
before(async () => {
  selling = await SellingService.start((parts) => [
    ...[...loginRoutes(parts), ...accountRoutes(parts), ...addressRoutes(parts), ...deletionRoutes(parts)],
    ...[...unsubscriptionRoutes(parts), ...freeKeyRoutes(parts), ...orderRoutes(parts)],
  ]);
});
after(() => selling.close());
beforeEach(async () => {
  const { database, stripe } = selling;
  await sql`truncate accounts, orders, mails, logins, login_sessions, api_keys restart identity cascade`.execute(
    database.kysely,
  );
  stripe.reset();
  ({ key } = await aSubscribedKey(database, 'sub_1', aFetch(Date.now())));
});

const page = (path: string, session: string | undefined) =>
  selling.service.ask(path, { headers: cookies({ [SESSION]: session }) });
async function rowsOf<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(selling.database.kysely)).rows;
}
const addresses = async () =>
  (await rowsOf(sql<{ email: string }>`select email from accounts order by id`)).map(({ email }) => email);
/** A form of an account's own page, posted as it is. */
async function post(path: string, session: string, fields: Readonly<Record<string, string>>) {
  const form = formTokenOf(await page(path, session));
  return selling.post(path, { form, ...fields }, cookies({ [SESSION]: session }));
}

/** A webhook of the account's key, which a ping was sent to. */
function aTestedWebhook(): Promise<NewSecret> {
  const filter = { fuel: null, county: 'CJ', city: null, network: null, stations: null };
  const content = { url: 'https://exemplu.ro/pompa', filter, kinds: ['price'] as const };
  return selling.database.transaction(async (tx) => {
    const made = await createWebhook(tx, 1, content, Date.now());
    assert.ok(made !== 'too many');
    await beginPing(tx, 1, made.webhook.id, Date.now());
    return made;
  });
}

describe('the data of an account', () => {
  test('are a file with everything that is stored, and no secret', async () => {
    const session = await logInAs(selling, EMAIL);
    const { secret } = await aTestedWebhook();
    const reply = await page('/cont/date', session);
    assert.match(String(reply.headers['content-disposition']), /^attachment; filename="pompa-account\.json"$/);
    assert.match(String(reply.headers['cache-control']), /no-store/);
    const data = JSON.parse(reply.text);
    assert.equal(data.account.email, EMAIL);
    assert.match(data.account.created_at, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(
      [data.orders.length, data.subscriptions[0].id, data.keys[0].secrets[0].last4, data.sessions.length],
      [1, 'sub_1', key.slice(-4), 1],
    );
    assert.equal(data.keys[0].usage.days.length, 30);
    assert.deepEqual(
      data.mails.map(({ kind }: { kind: string }) => kind),
      ['key', 'trial_ending', 'login'],
    );
    assert.match(data.mails[0].parameters.term.until, /^\d{4}-\d\d-\d\dT/);
    assert.equal(data.logins[0].purpose, 'login');
    const [webhook] = data.keys[0].webhooks;
    assert.deepEqual([webhook.url, webhook.county, webhook.deliveries.length], ['https://exemplu.ro/pompa', 'CJ', 1]);
    assert.match(webhook.deliveries[0].created_at, /^\d{4}-\d\d-\d\dT/);
    assert.doesNotMatch(reply.text, /sha256|pompa_live_|unsubscribe|secret"/);
    assert.ok(!reply.text.includes(secret.slice('whsec_'.length)));
  });

  test('are given to nobody else', async () => {
    const { status, headers, text } = await page('/cont/date', undefined);
    assert.deepEqual([status, headers['content-disposition']], [200, undefined]);
    assert.match(text, /Adresa de e-mail/);
  });
});

describe('the deletion of an account', () => {
  const order = () => selling.post('/comanda', { plan: 'pro', terms: 'yes', start: 'yes', email: EMAIL });
  const remove = (session: string, email: string) => post('/cont/stergere', session, { email });

  test('asks for its address, and keeps what was typed', async () => {
    const session = await logInAs(selling, EMAIL);
    const form = await page('/cont/stergere', session);
    assert.match(form.text, /Abonamentul se încheie imediat[\s\S]*Rămân comenzile, timp de 3 ani/);
    const reply = await remove(session, 'alta@exemplu.ro');
    assert.equal(reply.status, 400);
    assert.match(reply.text, /value="alta@exemplu\.ro"[^>]* aria-invalid="true"/);
    assert.deepEqual([await addresses(), selling.stripe.cancelled], [[EMAIL], []]);
  });

  test('by a double click is told in the last mail once, and takes no mail of another account with it', async () => {
    const { database } = selling;
    const session = await logInAs(selling, EMAIL);
    const holder = { accountId: 1, email: EMAIL, ended: [] };
    await anOrder(database, 'order-2', NEW);
    await sql`update mails set account_id = 2 where kind = 'trial_ending'`.execute(database.kysely);
    const form = formTokenOf(await page('/cont/stergere', session));
    const click = () => selling.post('/cont/stergere', { form, email: EMAIL }, cookies({ [SESSION]: session }));
    await click();
    await deleteAccount(database, holder, { withinMs: 3_000 });
    const kinds = await rowsOf(sql<{ kind: string }>`select kind from mails order by id`);
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['trial_ending', 'account_deleted'],
    );
  });

  test('ends what runs at Stripe, then deletes everything but the orders', async () => {
    const { database, stripe } = selling;
    const session = await logInAs(selling, EMAIL);
    const reply = await remove(session, ` ${EMAIL.toUpperCase()} `);
    assert.deepEqual([reply.headers.location, cookieOf(reply, SESSION)], ['/cont/stergere?done=deleted', '']);
    assert.deepEqual([stripe.cancelled, stripe.deletedCustomers], [['sub_1'], ['cus sub_1']]);
    assert.equal(await isLiveKey(database, key), false);
    for (const table of ['accounts', 'billing_subscriptions', 'api_keys', 'logins', 'login_sessions'])
      assert.deepEqual(await rowsOf(sql`select * from ${sql.table(table)}`), [], table);
    const orders = await rowsOf(sql<{ account_id: number | null }>`select account_id from orders`);
    assert.deepEqual(orders, [{ account_id: null }]);
    assert.match((await page('/cont/stergere?done=deleted', undefined)).text, /Contul este șters/);
    assert.match((await page('/cont', session)).text, /Adresa de e-mail/);
  });

  test('is confirmed by a last mail in the language of the account, after which its address is forgotten', async () => {
    const { database } = selling;
    const session = await logInAs(selling, EMAIL);
    await sql`update accounts set language = 'en'`.execute(database.kysely);
    await remove(session, EMAIL);
    const mail = await takeDueMail(database.kysely);
    assert.deepEqual(
      [mail?.content.kind, mail?.recipient, mail?.language, mail?.accountId],
      ['account_deleted', EMAIL, 'en', null],
    );
    assert.equal(await takeDueMail(database.kysely), null);
    await finishMail(database.kysely, mail as DueMail, 'sent');
    assert.deepEqual(await rowsOf(sql`select recipient from mails`), [{ recipient: null }]);
  });

  test('is told to the address before, too, while that could have taken the account back', async () => {
    const { database } = selling;
    const session = await logInAs(selling, EMAIL);
    await sql`update accounts set undo_email = 'veche@exemplu.ro', undo_until = now() + interval '1 hour'`.execute(
      database.kysely,
    );
    await remove(session, EMAIL);
    for (const told of [EMAIL, 'veche@exemplu.ro', undefined])
      assert.equal((await takeDueMail(database.kysely))?.recipient, told);
  });

  test('ends what was paid for a moment ago, though nothing has told us of it', async () => {
    const { database, stripe } = selling;
    const session = await logInAs(selling, EMAIL);
    await sql`delete from billing_subscriptions`.execute(database.kysely);
    await order();
    stripe.pay();
    await remove(session, EMAIL);
    assert.deepEqual(stripe.cancelled, ['sub_1']);
    assert.deepEqual(await addresses(), []);
  });

  test('waits for an order that gets its checkout meanwhile, whose payment nobody would answer', async () => {
    const { stripe } = selling;
    const session = await logInAs(selling, EMAIL);
    stripe.meanwhile.deleteCustomer = order;
    const first = await remove(session, EMAIL);
    assert.deepEqual([first.status, await addresses(), stripe.openSessions], [503, [EMAIL], ['cs_1']]);
    const second = await remove(session, EMAIL);
    assert.deepEqual([second.status, await addresses(), stripe.openSessions], [303, [], []]);
  });

  test('ends what is paid for meanwhile', async () => {
    const { stripe } = selling;
    const session = await logInAs(selling, EMAIL);
    stripe.meanwhile.deleteCustomer = async () => {
      for (let times = 0; times < 2; times += 1) await order();
      stripe.pay();
      await selling.get('/comanda/gata?session=cs_2');
    };
    const first = await remove(session, EMAIL);
    assert.deepEqual([first.status, await addresses(), stripe.cancelled], [503, [EMAIL], ['sub_1']]);
    assert.match(first.text, /Contul nu a fost șters.*un abonament să se fi încheiat deja/s);
    assert.equal(first.headers['retry-after'], '60');
    const second = await remove(session, EMAIL);
    assert.deepEqual([second.status, await addresses()], [303, []]);
    assert.deepEqual(stripe.deletedCustomers.slice(-2).sort(), ['cus sub_1', 'cus_2']);
    assert.ok(stripe.cancelled.includes('sub_2'));
  });

  test('says that it failed where the database fails after something has ended', async () => {
    const { stripe } = selling;
    const session = await logInAs(selling, EMAIL);
    stripe.meanwhile.deleteCustomer = () => Promise.reject(new DatabaseUnavailable('it is away'));
    const { status, text } = await remove(session, EMAIL);
    assert.deepEqual([status, stripe.cancelled, await addresses()], [503, ['sub_1'], [EMAIL]]);
    assert.match(text, /Contul nu a fost șters/);
  });

  test('does nothing while Stripe is away', async () => {
    const session = await logInAs(selling, EMAIL);
    selling.stripe.isAway = true;
    const reply = await remove(session, EMAIL);
    assert.equal(reply.status, 503);
    assert.match(reply.text, /Contul nu a fost șters/);
    assert.deepEqual([await addresses(), await isLiveKey(selling.database, key)], [[EMAIL], true]);
  });

  test('gives nobody a second free key in the same month', async () => {
    const { database } = selling;
    const give = (email: string) => database.transaction((tx) => createFreeKey(tx, { email, language: 'ro' }, 1_000));
    assert.equal(await give('dan+a@exemplu.ro'), 'given');
    const [{ id } = { id: 0 }] = await rowsOf(sql<{ id: number }>`select id from api_keys where plan = 'gratuit'`);
    const made = await rotateKey(database, id, 0);
    assert.ok(typeof made !== 'string');
    const session = await logInAs(selling, 'dan+a@exemplu.ro');
    await remove(session, 'dan+a@exemplu.ro');
    assert.equal(await isLiveKey(database, made.key), false);
    assert.equal(await give('dan+b@exemplu.ro'), 'had one');
    const emails = await rowsOf(sql<{ email: string }>`select email from api_keys where email is not null`);
    assert.doesNotMatch(JSON.stringify(emails), /dan|exemplu/);
    assert.equal(await deleteSpentFreeKeys(database), 0);
    await sql`update api_keys set revoked_at = revoked_at - interval '32 days'`.execute(database.kysely);
    assert.equal(await deleteSpentFreeKeys(database), 1);
    assert.equal(await give('dan+b@exemplu.ro'), 'given');
  });
});

describe('a change of the address', () => {
  async function askForChange(session: string, email = NEW) {
    const reply = await post('/cont/adresa', session, { email });
    return { reply, browser: cookieOf(reply, BROWSER) };
  }
  const mailsTo = (recipient: string) =>
    rowsOf(sql<{ kind: string }>`select kind from mails where recipient = ${recipient} and kind like '%address%'`);
  const confirm = (fields: Record<string, string>, browser: string | undefined) =>
    selling.post('/cont/adresa/confirmare', fields, cookies({ [BROWSER]: browser }));
  /** Changes the address; returns the cookie of the session after it. */
  async function changed(session: string): Promise<string> {
    const { browser } = await askForChange(session);
    return cookieOf(await confirm({ code: (await latestSecrets(selling)).code }, browser), SESSION) as string;
  }

  test('is confirmed by the new address, told to the old one, and ends all other sessions', async () => {
    const [other, session] = [await logInAs(selling, EMAIL), await logInAs(selling, EMAIL)];
    const { reply, browser } = await askForChange(session);
    assert.equal(reply.headers.location, '/cont/adresa/confirmare');
    assert.deepEqual([await mailsTo(NEW), await addresses()], [[{ kind: 'new_address' }], [EMAIL]]);
    const done = await confirm({ code: (await latestSecrets(selling)).code }, browser);
    assert.equal(done.headers.location, '/cont?done=address');
    assert.deepEqual([await addresses(), await mailsTo(EMAIL)], [[NEW], [{ kind: 'address_changed' }]]);
    assert.match((await page('/cont', cookieOf(done, SESSION))).text, /Sunteți în contul noua@exemplu\.ro/);
    for (const ended of [other, session]) assert.match((await page('/cont', ended)).text, /Scrieți adresa de e-mail/);
    assert.equal(await isLiveKey(selling.database, key), true);
  });

  test('needs a login of the last minutes, and an address', async () => {
    const session = await logInAs(selling, EMAIL);
    for (const email of ['', 'x@y.ro\r\nBcc: z@w.ro', 'fără adresă']) {
      const { reply } = await askForChange(session, email);
      assert.equal(reply.status, 400, email);
    }
    const form = formTokenOf(await page('/cont/adresa', session));
    await sql`update login_sessions set created_at = now() - interval '16 minutes'`.execute(selling.database.kysely);
    const reply = await selling.post('/cont/adresa', { form, email: NEW }, cookies({ [SESSION]: session }));
    assert.equal(reply.status, 400);
    assert.match(reply.text, /în ultimele 15 minute/);
    assert.deepEqual(await mailsTo(NEW), []);
  });

  test('asks for that login before anything is typed, and comes back by code or link', async () => {
    const old = await logInAs(selling, EMAIL);
    await sql`update login_sessions set created_at = now() - interval '16 minutes'`.execute(selling.database.kysely);
    const form = await page('/cont/adresa', old);
    assert.deepEqual([form.status, /Adresa nouă/.test(form.text)], [200, false]);
    assert.match(form.text, /value="sub_1@exemplu\.ro"[\s\S]*name="next" value="address"/);
    const asked = await selling.post('/cont/intrare', { email: EMAIL, next: 'address' });
    assert.equal(asked.headers.location, '/cont/confirmare?next=address');
    const browser = cookies({ [BROWSER]: cookieOf(asked, BROWSER), [SESSION]: old });
    const typing = await selling.service.ask('/cont/confirmare?next=address', { headers: browser });
    assert.match(typing.text, /Dacă sub_1@exemplu\.ro are un cont[\s\S]*name="next" value="address"/);
    const { code } = await latestSecrets(selling);
    const done = await selling.post('/cont/confirmare', { code, next: 'address' }, browser);
    assert.equal(done.headers.location, '/cont/adresa');
    assert.match((await page('/cont/adresa', cookieOf(done, SESSION))).text, /Adresa nouă/);
    const [mail] = await rowsOf(sql<{ parameters: object }>`select parameters from mails order by id desc limit 1`);
    assert.deepEqual(mail?.parameters, { loginId: 2, next: 'address' });
    assert.match((await selling.get('/cont/confirmare?token=x&next=address')).text, /name="next" value="address"/);
  });

  test('shows the typed address where its code is typed, to the browser that typed it only', async () => {
    const { browser } = await askForChange(await logInAs(selling, EMAIL));
    const typing = (headers: Record<string, string>) => selling.service.ask('/cont/adresa/confirmare', { headers });
    assert.match((await typing(cookies({ [BROWSER]: browser }))).text, /Trimitem un mesaj la noua@exemplu\.ro/);
    assert.match((await confirm({ code: '1' }, browser)).text, /Trimitem un mesaj la noua@exemplu\.ro/);
    for (const other of [{}, cookies({ [BROWSER]: 'x' })]) assert.doesNotMatch((await typing(other)).text, /noua@/);
  });

  test('is not stopped by whoever has used up the mails to the old address', async () => {
    const session = await logInAs(selling, EMAIL);
    for (let times = 0; times < 3; times += 1) await selling.post('/cont/intrare', { email: EMAIL });
    assert.equal((await selling.post('/cont/intrare', { email: EMAIL })).status, 429);
    assert.equal((await askForChange(session)).reply.status, 303);
  });

  test('needs the code as well in a browser that did not ask for it; opening the link does nothing', async () => {
    await askForChange(await logInAs(selling, EMAIL));
    const { token, code } = await latestSecrets(selling);
    assert.match((await selling.get(`/cont/adresa/confirmare?token=${token}`)).text, /Schimbă adresa/);
    const other = await confirm({ token }, undefined);
    assert.match(other.text, /din alt browser/);
    assert.deepEqual(await addresses(), [EMAIL]);
    assert.equal((await confirm({ token, code }, undefined)).headers.location, '/cont?done=address');
    assert.match((await confirm({ token, code }, undefined)).text, /a fost folosit ori a expirat/);
  });

  test('to the address of another account is refused to whoever reads its mails, and told to nobody else', async () => {
    await anOrder(selling.database, 'order-2', NEW);
    const session = await logInAs(selling, EMAIL);
    const { reply, browser } = await askForChange(session);
    assert.equal(reply.headers.location, '/cont/adresa/confirmare');
    const refused = await confirm({ code: (await latestSecrets(selling)).code }, browser);
    assert.match(refused.text, /adresa are deja un cont/);
    assert.deepEqual(await addresses(), [EMAIL, NEW]);
  });

  test('is undone by the link that the old address got, within a day, from any browser', async () => {
    const session = await changed(await logInAs(selling, EMAIL));
    const { token } = await latestSecrets(selling);
    assert.match((await selling.get(`/cont/adresa/inapoi?token=${token}`)).text, /Anulează schimbarea/);
    assert.deepEqual(await addresses(), [NEW]);
    const undo = () => selling.post('/cont/adresa/inapoi', { token });
    const undone = await undo();
    assert.deepEqual([undone.status, cookieOf(undone, SESSION)], [200, '']);
    assert.match(undone.text, /role="status">Contul are din nou adresa sub_1@exemplu\.ro\.[^<]*sesiunile s-au închis/);
    assert.deepEqual(await addresses(), [EMAIL]);
    assert.match((await page('/cont', session)).text, /Adresa de e-mail/);
    const again = await undo();
    assert.equal(again.status, 400);
    assert.match(again.text, /Schimbarea nu a fost anulată: linkul a fost folosit/);
  });

  test('after another is undone as well by the address that the account had first', async () => {
    const session = await changed(await logInAs(selling, EMAIL));
    const { token } = await latestSecrets(selling);
    const { browser } = await askForChange(session, OTHER);
    const { code } = await latestSecrets(selling);
    const soon = sql`now() + interval '1 minute'`;
    await sql`update accounts set undo_until = ${soon}`.execute(selling.database.kysely);
    await sql`update logins set expires_at = ${soon} where purpose = 'old_address'`.execute(selling.database.kysely);
    assert.equal((await confirm({ code }, browser)).headers.location, '/cont?done=address');
    const [left] = await rowsOf(sql<{ hours: number }>`
      select extract(epoch from least(undo_until, expires_at) - now())::float8 / 3600 as hours
      from accounts, logins where purpose = 'old_address'`);
    assert.ok((left?.hours ?? 0) > 23, 'it has a whole day from the last change on');
    assert.deepEqual(
      [await addresses(), await mailsTo(NEW)],
      [[OTHER], [{ kind: 'new_address' }, { kind: 'address_changed' }]],
    );
    const [told] = await rowsOf(
      sql<{ parameters: object }>`select parameters from mails where recipient = ${NEW} order by id desc limit 1`,
    );
    assert.match(JSON.stringify(told), /"loginId":null/, 'the first address undoes both changes');
    assert.equal((await selling.post('/cont/adresa/inapoi', { token })).status, 200);
    assert.deepEqual(await addresses(), [EMAIL]);
  });

  test('that was asked for before an undo, or an operator, cannot be finished after it', async () => {
    const session = await changed(await logInAs(selling, EMAIL));
    const { token } = await latestSecrets(selling);
    const asked = await askForChange(session, OTHER);
    const { code } = await latestSecrets(selling);
    assert.equal((await selling.post('/cont/adresa/inapoi', { token })).status, 200);
    assert.match((await confirm({ code }, asked.browser)).text, /a expirat/);
    const again = await askForChange(await logInAs(selling, EMAIL));
    const { code: second } = await latestSecrets(selling);
    await selling.database.transaction((tx) => correctAddress(tx, EMAIL, OTHER));
    assert.match((await confirm({ code: second }, again.browser)).text, /a expirat/);
    assert.deepEqual(await addresses(), [OTHER]);
  });

  test('keeps the old address for its account until it can be undone no longer', async () => {
    await changed(await logInAs(selling, EMAIL));
    const give = () => selling.database.transaction((tx) => createFreeKey(tx, { email: EMAIL, language: 'ro' }, 1_000));
    assert.equal(await give(), 'former', 'its key would be mailed to the new one');
    const order = { plan: 'pro', email: EMAIL, terms: 'yes', start: 'yes' };
    assert.equal((await selling.post('/comanda', order)).status, 429);
    assert.deepEqual(await addresses(), [NEW]);
    await sql`update accounts set undo_until = now() - interval '1 second'`.execute(selling.database.kysely);
    const { token } = await latestSecrets(selling);
    assert.equal((await selling.post('/cont/adresa/inapoi', { token })).status, 400);
    assert.deepEqual(await addresses(), [NEW]);
  });

  test('mails the new address three times an hour at most', async () => {
    const session = await logInAs(selling, EMAIL);
    for (let times = 0; times < 3; times += 1) assert.equal((await askForChange(session)).reply.status, 303);
    const { reply } = await askForChange(session);
    assert.deepEqual([reply.status, (await mailsTo(NEW)).length], [429, 3]);
  });
});

describe('mails about usage', () => {
  const tokenOf = async () =>
    (await rowsOf(sql<{ token: string }>`select unsubscribe_token as token from accounts`))[0]?.token as string;
  const areWanted = async () =>
    (await rowsOf(sql<{ wanted: boolean }>`select usage_mails as wanted from accounts`))[0]?.wanted;

  test('are declined by one click of a mail program, without a login', async () => {
    const path = `/cont/dezabonare?token=${await tokenOf()}`;
    for (const method of ['GET', 'HEAD']) assert.equal((await selling.service.ask(path, { method })).status, 200);
    assert.equal(await areWanted(), true);
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://mail.example' };
    const reply = await selling.post(path, { 'List-Unsubscribe': 'One-Click' }, headers);
    assert.deepEqual([reply.status, await areWanted()], [200, false]);
    assert.equal((await selling.post(path, { 'List-Unsubscribe': 'One-Click' }, headers)).status, 200);
  });

  test('are declined as multipart form data, too, as RFC 8058 has it', async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const path = `/en/account/unsubscribe?token=${await tokenOf()}`;
    const { status } = await selling.service.ask(path, { method: 'POST', headers, body });
    assert.deepEqual([status, await areWanted()], [200, false]);
  });

  test('are declined by the button of the page', async () => {
    const { text } = await selling.get(`/cont/dezabonare?token=${await tokenOf()}`);
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
    assert.match((await selling.post('/cont/dezabonare', { token })).text, /Nu mai primiți mesaje despre cotă/);
    assert.equal(await areWanted(), false);
  });

  test('are declined by nobody else', async () => {
    for (const token of ['', 'x', '00000000-0000-4000-8000-000000000000', "' or true --"]) {
      const reply = await selling.post('/cont/dezabonare', { token });
      assert.equal(reply.status, 400, token);
    }
    assert.equal(await areWanted(), true);
  });
});
