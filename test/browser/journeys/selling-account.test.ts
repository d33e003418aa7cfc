/** Living with a plan: what the page of an account shows and does. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
import { SellingSite } from '../../support/service/selling-site.ts';
import { testWithAndWithoutCode, useChromium } from '../support/chromium.ts';
import { Customer } from '../support/customer.ts';
import { defectsByHtmlValidate, defectsByNuChecker, type SentPage } from '../support/markup-defects.ts';
import { assertAnswered, buyPro, keyIn, logIn, mailedProof } from '../support/selling-steps.ts';

// Before the service: it closes once its visitors have left.
useChromium();

let site: SellingSite;
const pages: SentPage[] = [];
before(async () => {
  site = await SellingSite.start();
});
after(() => site.close());

/** What is checked of all pages that were looked at. */
async function leave(customer: Customer): Promise<void> {
  pages.push(...customer.pages);
  await customer.leave();
}

describe('an account', () => {
  after(async () => {
    assert.deepEqual(await defectsByHtmlValidate(pages), []);
    assert.deepEqual(defectsByNuChecker(pages), []);
  });

  testWithAndWithoutCode(
    'shows a new key once, has room for a second one, and for a limit of its own',
    async (hasCode) => {
      const { customer, key } = await aLoggedInCustomer(hasCode);
      assert.match(await customer.text(), /Probă până \S+ .+; apoi 49 EUR pe lună\./);
      assert.match(await customer.text(), new RegExp(`pompa_live_…${key.slice(-4)}\n`));
      await customer.press('Cheie nouă');
      const renewed = keyIn(await customer.page.getByRole('region', { name: 'Cheia nouă' }).innerText());
      await customer.look();
      await Promise.all([key, renewed].map((each) => assertAnswered(site, each, 200)));
      await customer.page.goto('/cont');
      assert.doesNotMatch(await customer.text(), /pompa_live_\w/);
      assert.match(await customer.text(), /funcționează până/);
      assert.match((await site.mailTo(customer.email, /o cheie API nouă/)).text, /mai funcționează până pe/);
      await customer.press('Oprește acum cheia veche');
      await customer.page.getByText('Cheia veche nu mai funcționează.').waitFor();
      await assertAnswered(site, key, 401);
      await assertAnswered(site, renewed, 200);
      await customer.press('A doua cheie');
      const second = keyIn(await customer.page.getByRole('region', { name: 'Cheia nouă' }).innerText());
      await assertAnswered(site, second, 200);
      await customer.page.getByLabel('Limita mea').fill('multe');
      await customer.press('Salvează limita');
      await customer.page.getByRole('alert').waitFor();
      assert.equal(await customer.page.getByLabel('Limita mea').inputValue(), 'multe');
      await customer.look();
      await customer.page.getByLabel('Limita mea').fill('50.000');
      await customer.press('Salvează limita');
      await customer.page.getByText('Limita este salvată.').waitFor();
      assert.match(await customer.text(), /din 50\.000 de cereri/);
      await customer.press('Oprește a doua cheie');
      await customer.page.getByText('A doua cheie nu mai funcționează.').waitFor();
      await assertAnswered(site, second, 401);
      assert.equal((await site.ask('/api/v1/cheie', renewed)).json.limita_lunara, 50_000);
      await leave(customer);
    },
  );

  testWithAndWithoutCode('changes its plan both ways, is cancelled, taken back, and left', async (hasCode) => {
    const { customer, key } = await aLoggedInCustomer(hasCode, hasCode ? 'en' : 'ro');
    for (const [plan, name, price] of [
      ['business', 'Business', 149],
      ['starter', 'Starter', 19],
    ] as const) {
      await customer.press('Card, facturi, schimbarea planului', 'Card, invoices, change plan');
      await customer.page.getByLabel('Plan').selectOption(plan);
      await customer.press('Schimbă planul');
      await site.work();
      await customer.page.getByRole('link', { name: 'Înapoi' }).click();
      await customer.page
        .getByRole('heading', { name: customer.say(`Planul ${name}`, `${name} plan`), exact: true })
        .waitFor();
      assert.match(await customer.text(), new RegExp(`apoi ${price} EUR pe lună|then EUR ${price} a month`));
      assert.equal((await site.ask('/api/v1/cheie', key)).json.plan, plan);
    }
    await customer.press('Anulează abonamentul', 'Cancel the subscription');
    await customer.page.getByText(customer.say('Abonamentul este anulat.', 'The subscription is cancelled.')).waitFor();
    assert.match(
      await customer.text(),
      /cheia funcționează până .+ și nu se mai plătește nimic|the key works until .+, and/,
    );
    await customer.look();
    await site.mailTo(customer.email, /abonamentul a fost anulat|your subscription is cancelled/);
    await customer.press('Renunță la anulare', 'Undo the cancellation');
    await customer.page.getByText(customer.say('Abonamentul continuă.', 'The subscription goes on.')).waitFor();
    await assertAnswered(site, key, 200);
    await customer.press('Ieși din cont', 'Log out');
    await customer.page
      .getByRole('button', { name: customer.say('Trimite linkul și codul', 'Send the link and the code') })
      .waitFor();
    await customer.assertNoCookies();
    await customer.page.goBack();
    assert.doesNotMatch(await customer.text(), new RegExp(customer.email), 'no browser keeps the page');
    await leave(customer);
  });

  testWithAndWithoutCode('moves to another address and back, gives its data away, and is deleted', async (hasCode) => {
    const { customer, key } = await aLoggedInCustomer(hasCode);
    const { page, email } = customer;
    const newEmail = `nou.${email}`;
    await customer.follow('Schimbă adresa de e-mail');
    await customer.see('Schimbarea adresei');
    await field(customer).fill('ana@');
    await customer.press('Trimite confirmarea');
    await page.getByRole('alert').waitFor();
    assert.equal(await field(customer).inputValue(), 'ana@');
    await field(customer).fill(newEmail);
    await customer.press('Trimite confirmarea');
    await page.getByLabel('Codul din șase cifre').fill((await mailedProof(site, { email: newEmail })).code);
    await customer.look();
    await customer.press('Schimbă adresa');
    await page.getByText(`Sunteți în contul ${newEmail}`).waitFor();
    const { text } = await site.mailTo(email, /adresa contului a fost schimbată/);
    await page.goto(/http\S+\?token=\S+/.exec(text)?.[0] ?? '');
    await customer.see('Anularea schimbării');
    await customer.press('Anulează schimbarea');
    await customer.see('Schimbarea a fost anulată');
    assert.match(await customer.text(), new RegExp(`din nou adresa ${email}`));
    await logIn(site, customer);
    const download = page.waitForEvent('download');
    await customer.follow('Descarcă datele (JSON)');
    assert.match(await readFile(await (await download).path(), 'utf8'), new RegExp(`"${email}"`));
    await customer.follow('Șterge contul');
    await customer.see('Ștergerea contului');
    await field(customer).fill(newEmail);
    await customer.press('Șterge contul');
    await page.getByRole('alert').waitFor();
    await assertAnswered(site, key, 200);
    await field(customer).fill(email);
    await customer.press('Șterge contul');
    await customer.see('Contul este șters');
    assert.match((await site.mailTo(email, /contul a fost șters/)).text, /Cheile nu mai funcționează/);
    await customer.assertNoCookies();
    await assertAnswered(site, key, 401);
    await leave(customer);
  });
});

const field = ({ page }: Customer) => page.getByRole('main').getByRole('textbox');

async function aLoggedInCustomer(hasCode: boolean, language: 'ro' | 'en' = 'ro') {
  const customer = await Customer.start(site, 'about:blank', { hasCode, language });
  const key = await buyPro(site, customer);
  await logIn(site, customer);
  return { customer, key };
}
