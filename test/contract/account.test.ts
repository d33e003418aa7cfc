/** An account: logging in by a mailed link or code, and what its page shows and does. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { accountRoutes } from '../../src/api/billing/customer-account.ts';
import { loginRoutes } from '../../src/api/billing/log-in.ts';
import { withdraw } from '../../src/store/billing/withdrawals.ts';
import { isLiveKey } from '../../src/store/keys/key-queries.ts';
import { aFetch, aSubscribedKey } from '../support/builders/billing-fixture.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import {
  askForLogin,
  BROWSER,
  cookieOf,
  cookies,
  formTokenOf,
  latestSecrets,
  logInAs,
  SESSION,
} from '../support/service/account-browser.ts';
import { SellingService } from '../support/service/selling-service.ts';
import type { Reply } from '../support/service/test-service.ts';

let selling: SellingService;
before(async () => {
  selling = await SellingService.start((parts) => [...loginRoutes(parts), ...accountRoutes(parts)]);
});
after(() => selling.close());
beforeEach(async () => {
  const { database, stripe } = selling;
  await sql`truncate accounts, orders, mails, logins, login_sessions, api_keys restart identity cascade`.execute(
    database.kysely,
  );
  stripe.reset();
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
});

const EMAIL = 'sub_1@exemplu.ro';
const askFor = (email: string) => askForLogin(selling, email);
const secrets = () => latestSecrets(selling);
const logIn = () => logInAs(selling, EMAIL);
const account = (session: string | undefined, path = '/cont') =>
  selling.service.ask(path, { headers: cookies({ [SESSION]: session }) });
/** An action on the account's first key, unless the fields name another. */
const changeKey = (session: string, form: string, fields: Readonly<Record<string, string>>) =>
  selling.post('/cont/chei', { form, key: '1', ...fields }, cookies({ [SESSION]: session }));
const mails = async () =>
  (await selling.database.kysely.selectFrom('mails').select('kind').where('kind', '=', 'login').execute()).length;

describe('logging in', () => {
  test('begins with a form, which sets no cookie', async () => {
    for (const [path, words] of [
      ['/cont', 'Adresa de e-mail'],
      ['/en/account', 'E-mail address'],
    ] as const) {
      const reply = await account(undefined, path);
      assert.equal(reply.status, 200);
      assert.match(reply.text, new RegExp(words));
      assert.equal(reply.headers['set-cookie'], undefined);
      assert.match(String(reply.headers['cache-control']), /no-store/);
    }
  });

  test('answers alike whether the address has an account or not; and queues a mail, which finds nobody later', async () => {
    const [known, unknown] = [await askFor(EMAIL), await askFor('nobody@exemplu.ro')];
    const shape = ({ status, headers, raw }: Reply) => [status, headers.location, raw.length, headers['cache-control']];
    assert.deepEqual(shape(known), shape(unknown));
    assert.equal(cookieOf(known, BROWSER)?.length, cookieOf(unknown, BROWSER)?.length);
    assert.equal(await mails(), 2);
  });

  test('takes the code in the browser that asked, and starts a session', async () => {
    const session = await logIn();
    const page = await account(session);
    assert.equal(cookieOf(page, SESSION), session, 'a visit lengthens the session in the browser, too');
    assert.match(page.text, /Sunteți în contul sub_1@exemplu\.ro/);
    assert.match(page.text, /Probă până .*; apoi 49 EUR pe lună/);
    assert.match(page.text, /<code>pompa_live_…\w{4}<\/code>/);
    assert.doesNotMatch(page.text, /pompa_live_\w{8}/);
  });

  test('takes the link with a button in that browser; opening it does nothing', async () => {
    const browser = cookieOf(await askFor(EMAIL), BROWSER);
    const { token } = await secrets();
    const path = `/cont/confirmare?token=${token}`;
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await selling.service.ask(path, { method, headers: cookies({ [BROWSER]: browser }) });
      assert.deepEqual([status, headers['set-cookie'], headers['referrer-policy']], [200, undefined, 'same-origin']);
    }
    const reply = await selling.post('/cont/confirmare', { token }, cookies({ [BROWSER]: browser }));
    assert.deepEqual([reply.status, reply.headers.location], [303, '/cont']);
    assert.ok((cookieOf(reply, SESSION) ?? '').length > 20);
    assert.match(String(reply.headers['set-cookie']), /HttpOnly; SameSite=Lax; Secure/);
    const again = await selling.post('/cont/confirmare', { token }, cookies({ [BROWSER]: browser }));
    assert.deepEqual([again.status, cookieOf(again, SESSION)], [400, undefined]);
  });

  test('asks another browser for the code as well, so that a link sent to somebody logs nobody in', async () => {
    await askFor(EMAIL);
    const { token, code } = await secrets();
    const other = await selling.post('/cont/confirmare', { token });
    assert.equal(cookieOf(other, SESSION), undefined);
    assert.match(other.text, /Acest link este pentru contul s…@exemplu\.ro/);
    const mistyped = await selling.post('/cont/confirmare', { token, code: code === '000000' ? '1' : '000000' });
    assert.match(mistyped.text, new RegExp(`name="token" value="${token}"`), 'the link is not lost');
    const both = await selling.post('/cont/confirmare', { token, code });
    assert.ok(cookieOf(both, SESSION));
  });

  test('lets nobody in without the link or the code, also in the browser that asked', async () => {
    const asking = cookies({ [BROWSER]: cookieOf(await askFor(EMAIL), BROWSER) });
    for (const path of ['/cont/confirmare', '/en/account/confirm']) {
      const reply = await selling.post(path, {}, asking);
      assert.deepEqual([reply.status, cookieOf(reply, SESSION)], [400, undefined]);
    }
  });

  test('replaces a session that was set before', async () => {
    const planted = await logIn();
    const browser = cookieOf(await askFor(EMAIL), BROWSER);
    const { code } = await secrets();
    const given = cookies({ [BROWSER]: browser, [SESSION]: planted });
    const own = cookieOf(await selling.post('/cont/confirmare', { code }, given), SESSION);
    assert.ok(own && own !== planted);
    assert.match((await account(planted)).text, /Adresa de e-mail/);
  });

  test('refuses what could add recipients or headers, and stops after three mails to an address', async () => {
    for (const email of ['a@b.ro\r\nBcc: x@y.ro', 'a@b.ro,c@d.ro', '']) assert.equal((await askFor(email)).status, 400);
    for (let times = 0; times < 3; times += 1) assert.equal((await askFor(EMAIL)).status, 303);
    const { status, headers } = await askFor(EMAIL);
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal(await mails(), 3);
  });

  test('stops a client that guesses codes', async () => {
    const from = newAddress();
    const tries = Array.from({ length: 61 }, (_, n) =>
      selling.post('/cont/confirmare', { code: String(n).padStart(6, '0') }, { 'X-Forwarded-For': from }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.ok(statuses.includes(429) && !statuses.includes(303));
  });
});

describe('the page of an account', () => {
  test('says to whoever posts a form of an ended session that it has ended', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    await selling.post('/cont/iesire', {}, cookies({ [SESSION]: session }));
    const reply = await selling.post('/cont/mesaje', { form, mails: 'off' }, cookies({ [SESSION]: session }));
    assert.equal(reply.status, 400);
    assert.match(reply.text, /sesiunea s-a încheiat; intrați din nou/);
  });

  test('cancels a subscription at its end, and takes that back', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    const change = (cancel: string) =>
      selling.post('/cont/anulare', { form, subscription: 'sub_1', cancel }, cookies({ [SESSION]: session }));
    selling.stripe.subscribe('sub_1');
    assert.equal((await change('yes')).headers.location, '/cont?done=cancelled');
    assert.match((await account(session)).text, /Anulat: cheia funcționează până[\s\S]*Renunță la anulare/);
    assert.equal((await change('no')).headers.location, '/cont?done=resumed');
    assert.match(
      (await account(session, '/cont?done=resumed')).text,
      /Abonamentul continuă\.[\s\S]*Anulează abonamentul/,
    );
    await withdraw(selling.database, 'sub_1', { name: 'Ana', email: EMAIL, language: 'ro' });
    assert.equal((await change('no')).headers.location, '/cont', 'it cannot go on');
  });

  test('leads to the billing portal, for the subscriptions of this account only', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    const open = (subscription: string) =>
      selling.post('/cont/plata', { form, subscription }, cookies({ [SESSION]: session }));
    assert.match(
      String((await open('sub_1')).headers.location),
      /^https:\/\/checkout\.stripe\.com\/portal\/cus sub_1$/,
    );
    await aSubscribedKey(selling.database, 'sub_2', aFetch(Date.now()));
    assert.equal((await open('sub_2')).headers.location, '/cont');
  });

  test('makes a new key, shows it once, leaves the old one an overlap, and tells the owner by mail', async () => {
    const session = await logIn();
    const page = await account(session);
    const reply = await changeKey(session, formTokenOf(page), { do: 'new', overlap: '24h' });
    const [key = ''] = /pompa_live_\w{20,}/.exec(reply.text) ?? [];
    assert.deepEqual([reply.status, await isLiveKey(selling.database, key)], [200, true]);
    assert.match(String(reply.headers['cache-control']), /no-store/);
    const after = await account(session);
    assert.doesNotMatch(after.text, /pompa_live_\w{20,}/);
    assert.match(after.text, /funcționează până[\s\S]*Oprește acum cheia veche/);
    const { rows } = await sql<{ kind: string }>`select kind from mails where kind = 'key_replaced'`.execute(
      selling.database.kysely,
    );
    assert.equal(rows.length, 1);
    const ended = await changeKey(session, formTokenOf(page), { do: 'end-old' });
    assert.equal(ended.headers.location, '/cont?done=old-ended');
    assert.doesNotMatch((await account(session)).text, /Oprește acum cheia veche/);
    assert.equal(await isLiveKey(selling.database, key), true);
  });

  test('has room for a second key, which ends by itself', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    const [second = ''] = /pompa_live_\w{20,}/.exec((await changeKey(session, form, { do: 'second' })).text) ?? [];
    assert.equal(await isLiveKey(selling.database, second), true);
    assert.match((await account(session)).text, /a doua cheie<\/li>[\s\S]*Oprește a doua cheie/);
    await changeKey(session, form, { do: 'end-second' });
    assert.equal(await isLiveKey(selling.database, second), false);
  });

  test('sets a lower limit, and says what is no number', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    await changeKey(session, form, { do: 'cap', cap: '50.000' });
    assert.match((await account(session)).text, /0 din 50\.000 de cereri/);
    for (const cap of ['-1', 'multe', '1e9', '99999999999', '100001']) {
      const reply = await changeKey(session, form, { do: 'cap', cap });
      assert.deepEqual([reply.status, /aria-describedby="cap-problem"/.test(reply.text)], [400, true], cap);
    }
    await changeKey(session, form, { do: 'cap', cap: '0' });
    assert.match((await account(session)).text, /Limita proprie este atinsă/);
    await changeKey(session, form, { do: 'cap', cap: '' });
    assert.match((await account(session)).text, /0 din 100\.000 de cereri/);
  });

  test('changes no key of another account', async () => {
    const other = await aSubscribedKey(selling.database, 'sub_2', aFetch(Date.now()));
    const session = await logIn();
    const form = formTokenOf(await account(session));
    const reply = await changeKey(session, form, { key: String(other.id), do: 'new', overlap: '0' });
    assert.equal(reply.headers.location, '/cont');
    assert.equal(await isLiveKey(selling.database, other.key), true);
  });

  test('switches mails about usage off and on', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    const change = (mailsWanted: string) =>
      selling.post('/cont/mesaje', { form, mails: mailsWanted }, cookies({ [SESSION]: session }));
    await change('off');
    assert.match((await account(session)).text, /Nu primiți mesaje despre cotă/);
    await change('on');
    assert.match((await account(session)).text, /la 80% și la 100% din cotă/);
  });

  test('chooses the language of mails, also of those that wait, and of no page', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    const choose = (language: string) =>
      selling.post('/cont/mesaje', { form, language }, cookies({ [SESSION]: session }));
    assert.equal((await choose('en')).headers.location, '/cont?done=language');
    const page = await account(session, '/cont?done=language');
    assert.match(page.text, /Limba mesajelor este salvată[\s\S]*<option value="en" lang="en" selected>/);
    await changeKey(session, form, { do: 'second' });
    const { rows } = await sql<{ kind: string; language: string }>`
      select kind, language from mails where kind in ('trial_ending', 'key_replaced') order by kind`.execute(
      selling.database.kysely,
    );
    assert.deepEqual(rows, [
      { kind: 'key_replaced', language: 'en' },
      { kind: 'trial_ending', language: 'en' },
    ]);
  });

  test('says that the operator has closed a key for good', async () => {
    const session = await logIn();
    await sql`update api_keys set revoked_at = now()`.execute(selling.database.kysely);
    const { text } = await account(session);
    assert.match(text, /Cheia 1, planul Pro[\s\S]*Am închis definitiv această cheie[\s\S]*vanzari@pompa\.example/);
  });

  test('does nothing for another site, without the token of the session, or without a session', async () => {
    const session = await logIn();
    const form = formTokenOf(await account(session));
    const off = (fields: Record<string, string>, headers: Record<string, string>) =>
      selling.post('/cont/mesaje', { mails: 'off', ...fields }, headers);
    const own = cookies({ [SESSION]: session });
    assert.equal((await off({ form }, { ...own, 'Sec-Fetch-Site': 'cross-site' })).status, 403);
    for (const token of ['', 'x', form.replace(/.$/, '')]) assert.equal((await off({ form: token }, own)).status, 403);
    assert.equal((await off({ form }, {})).status, 400);
    assert.match((await account(session)).text, /la 80% și la 100% din cotă/);
  });

  test('ends with the session', async () => {
    const session = await logIn();
    const reply = await selling.post('/cont/iesire', {}, cookies({ [SESSION]: session }));
    assert.deepEqual([reply.headers.location, cookieOf(reply, SESSION)], ['/cont', '']);
    assert.match((await account(session)).text, /Adresa de e-mail/);
  });

  test('tells in words why a key is closed, and when mail is refused', async () => {
    const session = await logIn();
    await sql`update billing_subscriptions set status = 'canceled'`.execute(selling.database.kysely);
    await sql`update accounts set mail_refused_at = now()`.execute(selling.database.kysely);
    const { text } = await account(session, '/en/account');
    assert.match(text, /The subscription has ended\./);
    assert.match(text, /Your mail server has refused our messages since/);
    assert.doesNotMatch(text, /New key|A second key|My own limit/);
  });
});
