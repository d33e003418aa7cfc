/** Ordering a plan: the form, what is stored, the way to Stripe's checkout and back. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { orderRoutes } from '../../src/api/billing/order.ts';
import { termsAgreedTo } from '../../src/domain/billing/terms-version.ts';
import { openOrder } from '../../src/store/billing/orders.ts';
import { neighbour, newAddress } from '../support/builders/client-addresses.ts';
import { addressHashOn } from '../support/database/named-hashes.ts';
import { SellingService } from '../support/service/selling-service.ts';

let selling: SellingService;
before(async () => {
  selling = await SellingService.start(orderRoutes);
});
after(() => selling.close());
beforeEach(async () => {
  const { database, stripe } = selling;
  await sql`truncate accounts, orders, billing_subscriptions, mails, api_keys restart identity cascade`.execute(
    database.kysely,
  );
  stripe.reset();
});

const FIELDS = { plan: 'pro', email: 'ana@exemplu.ro', terms: 'yes', start: 'yes' };
const TOO_MANY = /Comanda nu se poate face acum\. Încercați din nou peste o oră sau scrieți-ne; nu s-a plătit nimic\./;
const order = (change: Readonly<Record<string, string>> = {}, headers: Record<string, string> = {}) =>
  selling.post('/comanda', { ...FIELDS, ...change }, headers);
const orders = () => selling.database.kysely.selectFrom('orders').selectAll().orderBy('consented_at').execute();
const sessionOf = (location: unknown) => String(location).split('/').at(-1) as string;

describe('the form of an order', () => {
  for (const [path, words] of [
    ['/comanda?plan=pro', /3 zile gratuit, apoi 49 EUR pe lună, până anulați[\s\S]*Comandă cu obligație de plată/],
    ['/en/order?plan=business', /3 free days, then 149 EUR a month until you cancel[\s\S]*obligation to pay/],
  ] as const)
    test(`${path} says what is charged, to whom, and how to withdraw`, async () => {
      const { status, text, headers } = await selling.get(path);
      assert.equal(status, 200);
      assert.match(text, words);
      assert.match(text, /14 (zile|days)/);
      assert.match(text, /Pompa SRL, Str\. Lungă 1, Brașov, România, RO12345678/);
      assert.match(String(headers['content-security-policy']), /form-action 'self' https:\/\/checkout\.stripe\.com/);
      assert.match(String(headers['cache-control']), /no-store/);
      assert.equal(headers['set-cookie'], undefined);
    });

  test('leads to the plans for one that cannot be bought', async () => {
    for (const plan of ['', 'dedicat', 'gratuit', 'PRO'])
      assert.equal((await selling.get(`/en/order?plan=${plan}`)).headers.location, '/en/plans');
    assert.equal((await order({ plan: 'dedicat' })).headers.location, '/planuri');
    assert.deepEqual(await orders(), []);
  });

  test('keeps what was typed, and names each problem at its field', async () => {
    const { status, text } = await order({ email: 'ana@"<b>', start: '' });
    assert.equal(status, 400);
    assert.match(text, /value="ana@&quot;&lt;b&gt;"[^>]* aria-invalid="true" aria-describedby="email-problem"/);
    assert.match(text, /id="terms"[^>]* required checked>/);
    assert.match(text, /id="start"[^>]* required aria-invalid="true" aria-describedby="start-problem">/);
    for (const id of ['email-problem', 'start-problem']) assert.match(text, new RegExp(`<p [^>]*id="${id}"`));
    assert.deepEqual(await orders(), []);
  });

  test('refuses addresses that would add headers or recipients to a mail', async () => {
    for (const email of ['a@b.ro\r\nBcc: x@y.ro', 'a@b.ro,c@d.ro', '"a b"@c.ro', 'a@b.ro;c@d.ro'])
      assert.equal((await order({ email })).status, 400);
    assert.deepEqual(await orders(), []);
  });

  test('is not read from another site', async () => {
    assert.equal((await order({}, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
    assert.deepEqual(await orders(), []);
  });
});

describe('an order', () => {
  test('stores the consent, and leads to a checkout at the price of the plan', async () => {
    const { status, headers } = await order({ price: '1', trialDays: '365', amount: '0' });
    assert.equal(status, 303);
    assert.match(String(headers.location), /^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_\d+$/);
    const [stored] = await orders();
    const { id, mailbox, plan, trial_days, state, terms_version, session } = stored ?? {};
    assert.deepEqual(
      [mailbox, plan, trial_days, state, terms_version, session],
      ['ana@exemplu.ro', 'pro', 3, 'open', termsAgreedTo(null), sessionOf(headers.location)],
    );
    assert.deepEqual(selling.stripe.orders.at(-1), {
      ...{ id, plan: 'pro', email: 'ana@exemplu.ro', trialDays: 3, language: 'ro' },
      successUrl: 'https://pompa.example/comanda/gata?session={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://pompa.example/comanda?plan=pro',
    });
  });

  test('ends the open one of its account, also when both come at once', async () => {
    const { headers } = await order();
    await order({ plan: 'starter', email: 'ANA@exemplu.ro' });
    assert.equal(selling.stripe.expired.at(-1), sessionOf(headers.location));
    await Promise.all([order(), order()]);
    const open = (await orders()).filter(({ state }) => state === 'open');
    assert.equal(open.length, 1);
    assert.deepEqual(
      selling.stripe.openSessions.filter((session) => session !== open[0]?.session),
      [],
    );
    const { rows } = await sql<{ count: number }>`select count(*)::int from accounts`.execute(selling.database.kysely);
    assert.equal(rows[0]?.count, 1);
  });

  test('ends the one before at Stripe before it looks whether that was paid', async () => {
    const { stripe } = selling;
    await order();
    let open: readonly string[] | undefined;
    stripe.meanwhile.findCheckout = async () => {
      open = stripe.openSessions;
    };
    await order();
    assert.deepEqual(open, []);
  });

  test('ends one that came while it ended the one before', async () => {
    const { stripe } = selling;
    await order();
    let between: unknown;
    stripe.meanwhile.expireCheckout = async () => {
      between = (await order({ plan: 'starter' })).headers.location;
    };
    const { headers } = await order({ plan: 'business' });
    assert.ok(stripe.expired.includes(sessionOf(between)));
    assert.deepEqual(stripe.openSessions, [sessionOf(headers.location)]);
  });

  test('gives way to one that came while its checkout was made', async () => {
    const { stripe } = selling;
    let later: unknown;
    stripe.meanwhile.createCheckout = async () => {
      later = (await order({ plan: 'starter' })).headers.location;
    };
    assert.equal((await order()).status, 503);
    assert.deepEqual(stripe.openSessions, [sessionOf(later)]);
  });

  test('has a trial only once for a mailbox, whatever its tags', async () => {
    const before = await order();
    selling.stripe.pay();
    await selling.get(`/comanda/gata?session=${sessionOf(before.headers.location)}`);
    const again = await order({ email: 'Ana+2@exemplu.ro' });
    assert.equal(again.status, 303);
    assert.equal(selling.stripe.orders.at(-1)?.trialDays, 0);
  });

  test('has one trial of a mailbox at a time: an order with another tag ends the checkout before it', async () => {
    const { stripe } = selling;
    const first = sessionOf((await order()).headers.location);
    const second = sessionOf((await order({ email: 'ana+2@exemplu.ro' })).headers.location);
    assert.deepEqual(stripe.openSessions, [second]);
    assert.notEqual(first, second);
    assert.deepEqual(
      (await orders()).map(({ state }) => state),
      ['expired', 'open'],
    );
    stripe.pay();
    await order({ email: 'ana+3@exemplu.ro' });
    assert.equal(stripe.orders.at(-1)?.trialDays, 0);
  });

  test('has one open order, however many are placed at once under any tags', async () => {
    const { database } = selling;
    const network = (await addressHashOn(database)).for('orders').hash('192.0.2.0/24');
    const given = { plan: 'pro', language: 'ro', termsVersion: '2026-11', network } as const;
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        database.transaction((tx) => openOrder(tx, { ...given, id: `order ${n}`, email: `ana+${n}@exemplu.ro` })),
      ),
    );
    assert.equal((await orders()).filter(({ state }) => state === 'open').length, 1);
  });

  test('after a payment that no event has told yet has no second trial either', async () => {
    await order();
    selling.stripe.pay();
    await order();
    assert.equal(selling.stripe.orders.at(-1)?.trialDays, 0);
    assert.deepEqual(
      (await orders()).map(({ state }) => state),
      ['done', 'open'],
    );
  });

  test('is refused after five of a client for a mailbox within an hour, and ten in all, but to no other client', async () => {
    const stranger = { 'X-Forwarded-For': newAddress() };
    for (let times = 0; times < 5; times += 1)
      assert.equal((await order({ email: `m+${times}@exemplu.ro` }, stranger)).status, 303);
    const { status, headers, text } = await order({ email: 'm+5@exemplu.ro' }, stranger);
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 0);
    assert.match(text, TOO_MANY);
    assert.match(text, /value="m\+5@exemplu\.ro"/);
    assert.equal((await order({ email: 'm@exemplu.ro' })).status, 303, 'whose mailbox it is');
    const from = { 'X-Forwarded-For': newAddress() };
    for (let times = 0; times < 10; times += 1)
      assert.equal((await order({ email: `n${times}@exemplu.ro` }, from)).status, 303);
    assert.equal((await order({ email: 'other@exemplu.ro' }, from)).status, 429);
    assert.equal((await order({ email: 'other@exemplu.ro' })).status, 303);
  });

  test('is refused after a thousand of all within an hour', async () => {
    await sql`insert into orders (id, mailbox, plan, trial_days, language, terms_version, consented_at, state)
      select n::text, n::text, 'pro', 3, 'ro', '1', now() - interval '59 minutes', 'expired'
      from generate_series(1, 999) as n`.execute(selling.database.kysely);
    assert.equal((await order()).status, 303);
    const warned = selling.warnings.length;
    const { status, text } = await order({ email: 'dan@exemplu.ro' });
    assert.equal(status, 429);
    assert.match(text, TOO_MANY);
    assert.deepEqual(selling.warnings.slice(warned), ['nobody can order for now']);
    assert.deepEqual([selling.stripe.orders.length, (await orders()).length], [1, 1_000]);
    await sql`update orders set consented_at = consented_at - interval '1 minute' where id = '999'`.execute(
      selling.database.kysely,
    );
    assert.equal((await order({ email: 'dan@exemplu.ro' })).status, 303);
  });

  test('is refused after a hundred of a network within an hour, which takes nothing from others', async () => {
    const [network, other] = [1, 2];
    const from = (of: number, n: number) => ({ 'X-Forwarded-For': neighbour(of, n) });
    const open = sessionOf((await order()).headers.location);
    for (let n = 0; n < 10; n += 1)
      for (let times = 0; times < 10; times += 1)
        assert.equal((await order({ email: `n${n}.${times}@exemplu.ro` }, from(network, n))).status, 303);
    const warned = selling.warnings.length;
    const { status, text } = await order({}, from(network, 10));
    assert.equal(status, 429);
    assert.match(text, TOO_MANY);
    assert.ok(selling.stripe.openSessions.includes(open));
    assert.deepEqual(selling.warnings.slice(warned), []);
    assert.equal((await order({}, from(other, 0))).status, 303);
    assert.doesNotMatch(JSON.stringify(await orders()), /2001:db8/);
    await sql`update orders set consented_at = consented_at - interval '1 hour'`.execute(selling.database.kysely);
    assert.equal((await order({}, from(network, 10))).status, 303);
  });

  test('ends no checkout of its address where it is refused', async () => {
    const { kysely } = selling.database;
    const open = [sessionOf((await order()).headers.location)];
    const isRefused = async (email: string) => {
      assert.equal((await order({ email })).status, 429);
      assert.deepEqual(selling.stripe.openSessions, open);
    };
    await sql`insert into accounts (email, language, created_at, undo_email, undo_until)
      values ('dan@exemplu.ro', 'ro', now(), 'ana+old@exemplu.ro', now() + interval '1 hour')`.execute(kysely);
    await isRefused('ana+old@exemplu.ro');
    await sql`insert into orders (id, mailbox, plan, trial_days, language, terms_version, consented_at, state)
      select n::text, n::text, 'pro', 3, 'ro', '1', now(), 'expired' from generate_series(1, 999) as n`.execute(kysely);
    await isRefused('ana@exemplu.ro');
  });

  test('says so while Stripe is away, and is replaced by the next', async () => {
    selling.stripe.isAway = true;
    const { status, text } = await order();
    assert.equal(status, 503);
    assert.match(text, /Pagina de plată nu răspunde acum/);
    assert.match(text, /value="ana@exemplu\.ro"/);
    selling.stripe.isAway = false;
    assert.equal((await order()).status, 303);
  });

  test('leads nowhere but to Stripe', async () => {
    selling.stripe.origin = 'https://evil.example';
    const { status, headers } = await order();
    assert.deepEqual([status, headers.location], [503, undefined]);
  });
});

describe('the page after a checkout', () => {
  const page = async (location: unknown) => selling.get(`/comanda/gata?session=${sessionOf(location)}`);

  test('leads to the same order in the other language', async () => {
    const { headers } = await order();
    const { text } = await page(headers.location);
    assert.ok(text.includes(`href="/en/order/done?session=${sessionOf(headers.location)}"`));
  });

  test('waits, then says where the key goes, and what to do when it does not come; never the key', async () => {
    const { headers } = await order();
    const waiting = await page(headers.location);
    assert.match(waiting.text, /<a href="\/comanda\/gata\?session=cs_1">Verifică din nou/);
    assert.match(waiting.text, /Așteptăm confirmarea plății/);
    selling.stripe.pay();
    const paid = await page(headers.location);
    assert.match(paid.text, /Vă trimitem cheia pe e-mail la ana@exemplu\.ro/);
    assert.match(paid.text, /mesajele nedorite \(spam\)[^<]*greșit[^<]*<a href="mailto:vanzari@pompa\.example">/);
    assert.match(paid.text, /Verifică din nou/);
    assert.doesNotMatch(paid.text, /pompa_live_[A-Za-z0-9]/);
    await page(headers.location);
    const keys = await selling.database.kysely.selectFrom('api_keys').select('plan').execute();
    assert.deepEqual(keys, [{ plan: 'pro' }]);
    const { looks } = selling.stripe;
    await selling.database.kysely.updateTable('mails').set({ state: 'sent' }).where('kind', '=', 'key').execute();
    const sent = await page(headers.location);
    assert.match(sent.text, /Cheia a fost trimisă/);
    assert.doesNotMatch(sent.text, /Verifică din nou/);
    assert.equal(selling.stripe.looks, looks, 'an order that is done costs no call of Stripe');
  });

  test('says whether the mail with the key was refused, or was given up for a key made on the account page', async () => {
    const { headers } = await order();
    selling.stripe.pay();
    await page(headers.location);
    const textAfter = async (state: 'refused' | 'expired') => {
      await selling.database.kysely.updateTable('mails').set({ state }).where('kind', '=', 'key').execute();
      return (await page(headers.location)).text;
    };
    assert.match(await textAfter('refused'), /serverul adresei ana@exemplu\.ro a refuzat mesajul/);
    const givenUp = await textAfter('expired');
    assert.match(givenUp, /cheia nu a ajuns la ana@exemplu\.ro[^<]*intrați în cont[\s\S]*<a href="\/cont">Contul meu/);
    assert.doesNotMatch(givenUp, /refuz|spam/);
  });

  test('shows the address in full for an hour, so that a mistake is seen, and not to a later user of the browser', async () => {
    const { headers } = await order();
    selling.stripe.pay();
    assert.match((await page(headers.location)).text, /la ana@exemplu\.ro/);
    const hoursAgo = (hours: number) =>
      selling.database.kysely
        .updateTable('orders')
        .set({ ended_at: new Date(Date.now() - hours * 3_600_000) })
        .execute();
    await hoursAgo(0.9);
    assert.match((await page(headers.location)).text, /la ana@exemplu\.ro/);
    await hoursAgo(1.1);
    const { text } = await page(headers.location);
    assert.match(text, /la a…@exemplu\.ro/);
    assert.doesNotMatch(text, /ana@exemplu\.ro/);
  });

  test('knows no checkout that is not of an order, and asks Stripe about none', async () => {
    const { looks } = selling.stripe;
    for (const session of ['', 'cs_unknown', '../x', "' or 1=1"])
      assert.equal((await selling.get(`/en/order/done?session=${encodeURIComponent(session)}`)).status, 404);
    assert.equal(selling.stripe.looks, looks);
  });

  test('waits on while Stripe is away', async () => {
    const { headers } = await order();
    selling.stripe.isAway = true;
    const { status, text } = await page(headers.location);
    assert.equal(status, 200);
    assert.match(text, /Așteptăm/);
  });
});
