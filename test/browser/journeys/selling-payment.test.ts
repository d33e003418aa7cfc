/** When money fails, when a customer withdraws, and a key without money. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { announceKeyChange, lockKeyChanges } from '../../../src/store/keys/keys.ts';
import { SellingSite } from '../../support/service/selling-site.ts';
import { testWithAndWithoutCode, useChromium } from '../support/chromium.ts';
import { Customer } from '../support/customer.ts';
import { defectsByHtmlValidate, defectsByNuChecker, type SentPage } from '../support/markup-defects.ts';
import { assertAnswered, buyPro, logIn, mailedKey, mailedProof } from '../support/selling-steps.ts';

// Before the service: it closes once its visitors have left.
useChromium();

let site: SellingSite;
const pages: SentPage[] = [];
before(async () => {
  site = await SellingSite.start();
});
after(() => site.close());

async function leave(customer: Customer): Promise<void> {
  pages.push(...customer.pages);
  await customer.leave();
}

describe('a customer', () => {
  after(async () => {
    assert.deepEqual(await defectsByHtmlValidate(pages), []);
    assert.deepEqual(defectsByNuChecker(pages), []);
  });

  test('whose card is refused at the end of the trial keeps the same key once the card is mended', async () => {
    const customer = await Customer.start(site, 'about:blank');
    const key = await buyPro(site, customer, 'un card care va fi refuzat la sfârșitul probei');
    await logIn(site, customer);
    await atStripe(customer, 'Sfârșitul probei');
    await atStripe(customer, '+1 oră');
    await customer.page.goto('/cont');
    assert.match(
      await customer.text(),
      /Plata nu a reușit\. Cheia funcționează până .+; schimbați cardul până atunci\./,
    );
    await customer.look();
    assert.match((await site.mailTo(customer.email, /plata a eșuat/)).text, /Schimbați cardul din cont/);
    await assertAnswered(site, key, 200);
    await letGraceEnd();
    await assertAnswered(site, key, 401);
    await customer.page.goto('/cont');
    assert.match(await customer.text(), /Schimbați cardul și aceeași cheie funcționează din nou\./);
    await customer.look();
    await customer.press('Card, facturi, schimbarea planului');
    await customer.press('Înlocuiește cardul cu unul bun');
    await site.work();
    await customer.page.getByRole('link', { name: 'Înapoi' }).click();
    await customer.page.getByText(/^Activ\. Următoarea plată: 49 EUR, /).waitFor();
    await assertAnswered(site, key, 200);
    await leave(customer);
  });

  test('who disputes a charge at the bank reads why the key is closed, and has it back if we win', async () => {
    const customer = await Customer.start(site, 'about:blank');
    const key = await buyPro(site, customer);
    await logIn(site, customer);
    await atStripe(customer, 'Sfârșitul probei');
    await atStripe(customer, '+1 oră');
    const assertClosed = async () => {
      await assertAnswered(site, key, 401);
      await customer.page.goto('/cont');
      assert.match(await customer.text(), /O plată a fost contestată la bancă; cheia este închisă\./);
    };
    await atStripe(customer, 'Dispută');
    await assertClosed();
    await customer.look();
    await atStripe(customer, 'Dispută câștigată');
    await assertAnswered(site, key, 200);
    await customer.page.goto('/cont');
    assert.match(await customer.text(), /Activ\. Următoarea plată: 49 EUR, /);
    await atStripe(customer, 'Dispută');
    await assertClosed();
    await atStripe(customer, 'Dispută pierdută');
    await assertClosed();
    await leave(customer);
  });

  testWithAndWithoutCode('withdraws in two steps, and gets a mail at once', async (hasCode) => {
    const language = hasCode ? 'ro' : 'en';
    const customer = await Customer.start(site, 'about:blank', { hasCode, language });
    const { page, say } = customer;
    const key = await buyPro(site, customer);
    const orderId = await page.getByRole('main').locator('code').innerText();
    await page.goto(say('/retragere', '/en/withdrawal'));
    await customer.see('Retragere din contract', 'Withdraw from the contract');
    const fields = { name: 'Ana Pop', email: customer.email, order: '0123456789abcdef' };
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
    await customer.press('Continuă', 'Continue');
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await valuesOf(customer), fields);
    await customer.look();
    await page.locator('[name="order"]').fill(orderId);
    await customer.press('Continuă', 'Continue');
    await customer.see('Confirmați retragerea', 'Confirm the withdrawal');
    assert.match(await customer.text(), new RegExp(`Ana Pop.+Pro.+${orderId}`));
    await assertAnswered(site, key, 200);
    await customer.press('Confirmă retragerea', 'Confirm withdrawal');
    await customer.see('Retragerea a fost înregistrată', 'Your withdrawal is registered');
    await customer.assertNoCookies();
    await assertAnswered(site, key, 401);
    const { text, html } = await site.mailTo(customer.email, /retragerea din contract|your withdrawal/);
    assert.match(text, new RegExp(`Ana Pop.+${orderId}`));
    if (hasCode) await customer.lookAtMail(html);
    const { customers, subscriptions } = site.stripe.world.state;
    const mine = Object.values(subscriptions).filter((each) => customers[each.customer]?.email === customer.email);
    assert.deepEqual(
      mine.map(({ status }) => status),
      ['canceled'],
    );
    await leave(customer);
  });

  testWithAndWithoutCode('gets a free key for a proved address', async (hasCode) => {
    const language = hasCode ? 'ro' : 'en';
    const customer = await Customer.start(site, language === 'ro' ? '/planuri' : '/en/plans', { hasCode, language });
    const { page, say } = customer;
    await page
      .locator(`main a[href="${say('/cheie-gratuita', '/en/free-key')}"]`)
      .first()
      .click();
    await customer.see('Cheie API gratuită', 'Free API key');
    await page.getByRole('main').getByRole('textbox').fill('ana@');
    await customer.press('Trimite confirmarea', 'Send the confirmation');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('main').getByRole('textbox').inputValue(), 'ana@');
    await customer.assertNoCookies();
    await page.getByRole('main').getByRole('textbox').fill(customer.email);
    await customer.press('Trimite confirmarea', 'Send the confirmation');
    await customer.see('Verificați e-mailul', 'Check your e-mail');
    const { link } = await mailedProof(site, customer);
    await page.goto(link);
    await customer.see('Confirmați adresa', 'Confirm your address');
    await customer.press('Confirmă adresa', 'Confirm the address');
    await customer.see('Vă trimitem cheia pe e-mail', 'The key is on its way');
    const { status, json } = await site.ask('/api/v1/cheie', await mailedKey(site, customer));
    assert.deepEqual([status, json.plan, json.abonament, json.limita_lunara], [200, 'gratuit', false, 1_000]);
    await leave(customer);
  });
});

/** What was due is overdue for longer than a key stays open. */
async function letGraceEnd(): Promise<void> {
  await site.database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const { rows } = await sql<{ key_id: number }>`
      update billing_subscriptions set past_due_since = past_due_since - interval '8 days'
      where past_due_since is not null returning key_id`.execute(tx);
    for (const { key_id } of rows) await announceKeyChange(tx, key_id);
  });
}

/** Presses a button of the simulated Stripe; then the service has looked again. */
async function atStripe(customer: Customer, button: string): Promise<void> {
  await customer.page.goto(site.stripe.url.href);
  await customer.page.getByRole('button', { name: button, exact: true }).first().click();
  await customer.page.waitForURL(site.stripe.url.href);
  await site.work();
}

async function valuesOf({ page }: Customer): Promise<Record<string, string>> {
  const names = ['name', 'email', 'order'];
  const values = await Promise.all(names.map((name) => page.locator(`[name="${name}"]`).inputValue()));
  return Object.fromEntries(names.map((name, index) => [name, values[index] as string]));
}
