/** However Stripe delivers its events, whoever orders gets one key, and what they do to their subscription is known. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { DELIVERY_MODES, type DeliveryMode } from '../../src/simulation/stripe/event-delivery.ts';
import { dump } from '../../src/store/backup/dump.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { SellingSite } from '../support/service/selling-site.ts';
import { found, SiteVisitor } from '../support/service/site-visitor.ts';

let site: SellingSite;
before(async () => {
  site = await SellingSite.start();
});
after(() => site.close());

/** A change of a key reaches the service within a second. */
const KEY_CHANGE_MS = 10_000;
/** Deliveries that nobody may believe. */
const REFUSED_MODES: readonly DeliveryMode[] = ['wrong secret', 'old signature'];
const modes = DELIVERY_MODES.filter((mode) => mode !== 'never' && !REFUSED_MODES.includes(mode));

/** Somebody orders Pro and pays. */
async function bought(email: string): Promise<void> {
  const visitor = new SiteVisitor(site.address);
  const { location } = await visitor.ask('/comanda', { plan: 'pro', email, terms: 'yes', start: 'yes' });
  site.stripe.world.completeCheckout(found(/cs_\w+/, location), false);
}

for (const [number, mode] of modes.entries())
  test(`events of the kind "${mode}" make one key, and their changes are known`, async () => {
    const email = `client${number}@exemplu.ro`;
    const { stripe } = site;
    stripe.delivery.mode = mode;
    await bought(email);
    stripe.delivery.deliverLate();
    const mails = await site.mailsTo(email);
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Pompa: cheia API, planul Pro'],
    );
    const key = found(/pompa_live_\w{20,}/, mails[0]?.text ?? '');
    assert.equal((await site.ask('/api/v1/cheie', key)).json.abonament, true);
    const subscription = Object.values(stripe.world.state.subscriptions).at(-1);
    assert.ok(subscription);
    stripe.world.changePlan(subscription, 'business');
    stripe.world.setCancellation(subscription, true);
    stripe.delivery.deliverLate();
    assert.match((await site.mailTo(email, /anulat/)).text, /Planul Business/);
  });

for (const mode of REFUSED_MODES)
  test(`events with a ${mode} do nothing; the same ones do, signed rightly`, async () => {
    const email = `${mode.replace(' ', '-')}@exemplu.ro`;
    const { stripe, database } = site;
    const events = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int from webhook_events`.execute(database.kysely);
      return rows[0]?.count;
    };
    const before = await events();
    stripe.delivery.mode = mode;
    await bought(email);
    assert.deepEqual(await site.mailsTo(email), []);
    assert.equal(await events(), before);
    stripe.delivery.mode = 'once';
    stripe.delivery.retry(stripe.world.state.events);
    assert.match((await site.mailTo(email, /cheia API/)).text, /pompa_live_/);
  });

test('a whole delivery that is posted again changes nothing, and asks Stripe nothing', async (t) => {
  const email = 'replay@exemplu.ro';
  const { stripe, database } = site;
  stripe.delivery.mode = 'once';
  await bought(email);
  await site.mailTo(email, /cheia API/);
  const stored = async () => {
    let rows = '';
    for await (const part of dump(database, { program: 'test', now: 0 }))
      if ('bytes' in part) rows += `${part.table}\n${part.bytes.toString('latin1')}`;
    return rows;
  };
  const [before, mails] = [await stored(), (await site.mails()).length];
  for (const event of stripe.world.state.events) stripe.delivery.send(event);
  const { mock } = t.mock.method(stripe.api, 'answer');
  await site.work();
  assert.equal(mock.callCount(), 0);
  assert.equal(await stored(), before);
  assert.equal((await site.mails()).length, mails);
});

test('locks and keys at work at Stripe delay what it says, and lose nothing', async () => {
  const email = 'locked@exemplu.ro';
  const { stripe, database } = site;
  stripe.delivery.mode = 'once';
  stripe.api.failNext(409);
  await bought(email);
  await stripe.delivery.idle();
  stripe.api.failNext('lock timeout', 'lock timeout', 'lock timeout');
  assert.deepEqual(await site.mailsTo(email), []);
  await sql`update webhook_events set due_at = now()`.execute(database.kysely);
  const mails = await site.mailsTo(email);
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Pompa: cheia API, planul Pro'],
  );
  const { rows } = await sql`select 1 from orders where mailbox = ${email}`.execute(database.kysely);
  assert.equal(rows.length, 1);
});

test('a dispute closes the keys of its customer with its reason, one that is won opens them, and one that is lost does not', async () => {
  const email = 'dispute@exemplu.ro';
  const { world, delivery } = site.stripe;
  delivery.mode = 'once';
  await bought(email);
  await site.work();
  // A second subscription has no trial: it is charged at once, and of another customer at Stripe.
  await bought(email);
  const [first = '', second = ''] = (await site.mailsTo(email)).map(({ text }) =>
    found(/pompa_live_\w{20,}/, text ?? ''),
  );
  const charge = Object.values(world.state.charges).at(-1);
  assert.ok(charge);
  const dispute = async () => {
    world.openDispute(charge);
    await site.work();
    assert.match(
      String((await answered(second, 401)).message),
      /^Cheia este închisă: o plată a fost contestată la bancă\./,
    );
    return Object.values(world.state.disputes).at(-1) as (typeof world.state.disputes)[string];
  };
  world.closeDispute(await dispute(), true);
  await site.work();
  assert.equal((await answered(second, 200)).abonament, true);
  world.closeDispute(await dispute(), false);
  await site.work();
  await answered(second, 401);
  // Of a change that should not have come the service may not have heard yet.
  const { rows } = await sql`select 1 from billing_subscriptions where disputed_at is not null`.execute(
    site.database.kysely,
  );
  assert.equal(rows.length, 1);
  assert.equal((await site.ask('/api/v1/cheie', first)).status, 200);
});

/** What a key is answered once the service has heard of its change. */
function answered(key: string, status: number): Promise<Record<string, unknown>> {
  return waitFor(`status ${status}`, KEY_CHANGE_MS, async () => {
    const answer = await site.ask('/api/v1/cheie', key);
    return answer.status === status ? answer.json : null;
  });
}
