/** However Stripe delivers its events, whoever orders gets one key, and what they do to their subscription is known. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DELIVERY_MODES } from '../../src/simulation/stripe/event-delivery.ts';
import { SellingSite } from '../support/service/selling-site.ts';
import { found, SiteVisitor } from '../support/service/site-visitor.ts';

let site: SellingSite;
before(async () => {
  site = await SellingSite.start();
});
after(() => site.close());

const modes = DELIVERY_MODES.filter((mode) => mode !== 'never');

for (const [number, mode] of modes.entries())
  test(`events of the kind "${mode}" make one key, and their changes are known`, async () => {
    const email = `client${number}@exemplu.ro`;
    const { stripe } = site;
    stripe.delivery.mode = mode;
    const visitor = new SiteVisitor(site.address);
    const { location } = await visitor.ask('/comanda', { plan: 'pro', email, terms: 'yes', start: 'yes' });
    stripe.world.completeCheckout(found(/cs_\w+/, location), false);
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
