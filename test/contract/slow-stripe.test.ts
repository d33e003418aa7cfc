/** Requests that need Stripe while it takes its time: they end, and what it does later is found. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { deletionRoutes } from '../../src/api/billing/account-deletion.ts';
import { accountRoutes } from '../../src/api/billing/customer-account.ts';
import { loginRoutes } from '../../src/api/billing/log-in.ts';
import { orderRoutes } from '../../src/api/billing/order.ts';
import { aFetch, aSubscribedKey } from '../support/builders/billing-fixture.ts';
import { cookies, formTokenOf, logInAs, SESSION } from '../support/service/account-browser.ts';
import { SellingService } from '../support/service/selling-service.ts';
import type { Reply } from '../support/service/test-service.ts';

const EMAIL = 'sub_1@exemplu.ro';
const DEADLINE_MS = 4_000;

let selling: SellingService;
before(async () => {
  selling = await SellingService.start((parts) => [
    ...[...orderRoutes(parts), ...loginRoutes(parts), ...accountRoutes(parts), ...deletionRoutes(parts)],
  ]);
});
after(() => selling.close());
beforeEach(async () => {
  const { database, stripe } = selling;
  await sql`truncate accounts, orders, billing_subscriptions, mails, logins, login_sessions, api_keys
    restart identity cascade`.execute(database.kysely);
  stripe.reset();
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
  stripe.subscribe('sub_1');
});
afterEach(() => mock.timers.reset());

/** What a request gets while Stripe does not answer its first call, and how Stripe answers in the end. */
async function whileSlow(ask: () => Promise<Reply>): Promise<{ readonly reply: Reply; answer(): void }> {
  const { asked, answer } = selling.stripe.delayNext();
  mock.timers.enable({ apis: ['setTimeout'] });
  const reply = ask();
  await asked;
  mock.timers.tick(DEADLINE_MS);
  mock.timers.reset();
  return { reply: await reply, answer };
}

const order = () => selling.post('/comanda', { plan: 'pro', email: 'ana@exemplu.ro', terms: 'yes', start: 'yes' });
const sessionOf = ({ headers }: Reply) => String(headers.location).split('/').at(-1);

describe('while Stripe does not answer', { timeout: 60_000 }, () => {
  test('an order ends without a checkout, and one that Stripe makes later gives way to the next order', async () => {
    const { stripe, warnings } = selling;
    const { reply, answer } = await whileSlow(order);
    assert.equal(reply.status, 503);
    assert.match(reply.text, /Pagina de plată nu răspunde acum[\s\S]*value="ana@exemplu\.ro"/);
    assert.equal(warnings.at(-1), 'an order got no checkout: it was not done within 4 s');
    const next = await order();
    assert.equal(next.status, 303);
    const ended = Promise.withResolvers<void>();
    stripe.meanwhile.expireCheckout = async () => ended.resolve();
    answer();
    await ended.promise;
    await setImmediate();
    assert.deepEqual(stripe.openSessions, [sessionOf(next)]);
  });

  test('the page after a checkout shows what is stored', async () => {
    const session = sessionOf(await order());
    const { reply } = await whileSlow(() => selling.get(`/comanda/gata?session=${session}`));
    assert.equal(reply.status, 200);
    assert.match(reply.text, /Așteptăm confirmarea plății/);
  });

  test('the page of an account shows what is stored, also after the portal', async () => {
    const headers = cookies({ [SESSION]: await logInAs(selling, EMAIL) });
    const { reply } = await whileSlow(() => selling.service.ask('/cont?done=portal', { headers }));
    assert.equal(reply.status, 200);
    assert.match(reply.text, /Anulează abonamentul/);
  });

  for (const [path, fields] of [
    ['/cont/anulare', { subscription: 'sub_1', cancel: 'yes' }],
    ['/cont/plata', { subscription: 'sub_1' }],
  ] as const)
    test(`${path} asks to come back`, async () => {
      const headers = cookies({ [SESSION]: await logInAs(selling, EMAIL) });
      const form = formTokenOf(await selling.service.ask('/cont', { headers }));
      const { reply } = await whileSlow(() => selling.post(path, { form, ...fields }, headers));
      assert.equal(reply.status, 503);
      assert.ok(Number(reply.headers['retry-after']) > 0);
    });

  test('an account is not deleted, also when all has ended at Stripe later', async () => {
    const { stripe } = selling;
    const headers = cookies({ [SESSION]: await logInAs(selling, EMAIL) });
    const form = formTokenOf(await selling.service.ask('/cont', { headers }));
    const { reply, answer } = await whileSlow(() => selling.post('/cont/stergere', { form, email: EMAIL }, headers));
    assert.equal(reply.status, 503);
    assert.match(reply.text, /Contul nu a fost șters/);
    answer();
    while (stripe.deletedCustomers.length === 0) await setImmediate();
    assert.match((await selling.service.ask('/cont', { headers })).text, /Anulează abonamentul/);
  });
});
