/** Buying a plan: from the plans over the order and the checkout to a key that works. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SellingSite } from '../../support/service/selling-site.ts';
import { useChromium } from '../support/chromium.ts';
import { Customer, type Language } from '../support/customer.ts';
import { defectsByHtmlValidate, defectsByNuChecker, type SentPage } from '../support/markup-defects.ts';
import { PHONE } from '../support/page-defects.ts';
import { mailedKey, order } from '../support/selling-steps.ts';

// Before the service: it closes only once its visitors have left.
useChromium();

let site: SellingSite;
const pages: SentPage[] = [];
const MAIL_WITH_KEY = /cheia API|your API key/;
before(async () => {
  site = await SellingSite.start();
});
after(() => site.close());

describe('an order', () => {
  after(async () => {
    assert.deepEqual(await defectsByHtmlValidate(pages), []);
    assert.deepEqual(defectsByNuChecker(pages), []);
  });

  for (const language of ['ro', 'en'] as const)
    for (const hasCode of [true, false])
      test(`brings a key that works, in ${language}, ${hasCode ? 'with' : 'without'} JavaScript`, () =>
        buy(language, hasCode));

  test('waits on the checkout page while a card is refused, and until the bank agrees', async () => {
    const customer = await Customer.start(site, '/comanda?plan=starter');
    await order(customer);
    await customer.press('Plătește cu un card refuzat');
    await customer.page.getByRole('alert').getByText('Cardul a fost refuzat.').waitFor();
    await customer.press('Plătește cu un card care cere 3-D Secure');
    await customer.press('Banca refuză (3-D Secure)');
    await customer.page.getByRole('alert').getByText('Banca nu a aprobat plata.').waitFor();
    assert.deepEqual(await site.mailsTo(customer.email), []);
    await customer.press('Plătește cu un card care cere 3-D Secure');
    await customer.press('Banca aprobă (3-D Secure)');
    await customer.see('Comanda este confirmată');
    assert.ok(await mailedKey(site, customer));
    await customer.leave();
  });

  test('can be made again after the way back from the checkout', async () => {
    const customer = await Customer.start(site, '/comanda?plan=pro');
    const abandoned = await openCheckout(customer);
    await customer.page.goBack();
    await customer.see('Comandă planul Pro');
    await openCheckout(customer);
    await customer.page.getByRole('link', { name: 'Renunță și întoarce-te' }).click();
    await customer.see('Comandă planul Pro');
    assert.equal(new URL(customer.page.url()).search, '?plan=pro');
    const current = await openCheckout(customer);
    await customer.page.goto(abandoned);
    await customer.page.getByRole('heading', { name: 'Plata s-a încheiat' }).waitFor();
    await customer.page.goto(current);
    await customer.press('Plătește cu un card bun');
    await customer.see('Comanda este confirmată');
    assert.equal(subscriptionsOf(customer).length, 1);
    await customer.leave();
  });

  test('from two tabs is one subscription', async () => {
    const customer = await Customer.start(site, '/comanda?plan=pro');
    const tab = await customer.openTab('/comanda?plan=business');
    await order(customer);
    await tab.getByLabel('Adresa de e-mail').fill(customer.email);
    for (const box of await tab.getByRole('checkbox').all()) await box.check();
    await tab.getByRole('button', { name: 'Comandă cu obligație de plată' }).click();
    await tab.getByRole('button', { name: 'Plătește cu un card bun' }).click();
    await tab.getByRole('heading', { name: 'Comanda este confirmată' }).waitFor();
    await customer.press('Plătește cu un card bun');
    await customer.page.getByRole('heading', { name: 'Plata s-a încheiat' }).waitFor();
    assert.equal(subscriptionsOf(customer).length, 1);
    const mails = await site.mailsTo(customer.email);
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Pompa: cheia API, planul Business'],
    );
    await customer.leave();
  });
});

async function buy(language: Language, hasCode: boolean): Promise<void> {
  const customer = await Customer.start(site, language === 'ro' ? '/planuri' : '/en/plans', { language, hasCode });
  await customer.see('Planuri', 'Plans');
  const link = customer.page.getByRole('link', { name: customer.say('Comandă Pro', 'Order Pro') });
  const { x = 0, width = 0 } = (await link.boundingBox()) ?? {};
  assert.ok(width > 0 && x + width <= PHONE.width, 'within the screen of a phone');
  await link.click();
  await customer.see('Comandă planul Pro', 'Order the Pro plan');
  await order(customer, `${customer.email},x@y.ro`);
  await customer.page.getByRole('alert').waitFor();
  assert.equal(await emailField(customer).inputValue(), `${customer.email},x@y.ro`);
  for (const box of await customer.page.getByRole('checkbox').all()) assert.equal(await box.isChecked(), true);
  await customer.look();
  await order(customer);
  await customer.press('Plătește cu un card bun');
  await customer.see('Comanda este confirmată', 'Your order is confirmed');
  assert.match(await customer.text(), new RegExp(`${customer.email}[\\s\\S]*contact@exemplu\\.ro`));
  assert.doesNotMatch(await customer.text(), /pompa_live_\w/);
  const key = await mailedKey(site, customer);
  if (hasCode) await customer.lookAtMail((await site.mailTo(customer.email, MAIL_WITH_KEY)).html);
  await customer.follow('Verifică din nou', 'Check again');
  await customer.see('Cheia a fost trimisă', 'The key was sent');
  await customer.assertNoCookies();
  await assertWorks(key);
  pages.push(...customer.pages);
  await customer.leave();
}

const emailField = ({ page }: Customer) => page.getByRole('main').getByRole('textbox');

/** Fills in the form, and returns the address of the checkout. */
async function openCheckout(customer: Customer): Promise<string> {
  await order(customer);
  await customer.page.getByRole('heading', { name: 'Plată' }).waitFor();
  return customer.page.url();
}

/** The whole country, of which nobody without a key gets more than a part. */
async function assertWorks(key: string): Promise<void> {
  const [mine, anonymous] = await Promise.all([site.ask('/api/v1/statii', key), site.ask('/api/v1/statii')]);
  const all = mine.json.statii as unknown[];
  assert.equal(mine.status, 200);
  assert.ok(all.length > (anonymous.json.statii as unknown[]).length, `${all.length} records`);
  const { json } = await site.ask('/api/v1/cheie', key);
  assert.deepEqual([json.abonament, json.plan, json.plan_nume, json.limita_lunara], [true, 'pro', 'Pro', 100_000]);
}

const subscriptionsOf = ({ email }: Customer) => {
  const { customers, subscriptions } = site.stripe.world.state;
  return Object.values(subscriptions).filter(({ customer }) => customers[customer]?.email === email);
};
