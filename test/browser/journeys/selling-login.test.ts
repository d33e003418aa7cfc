/** Logging in without a password: by the mailed code, or by the mailed link. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SellingSite } from '../../support/service/selling-site.ts';
import { testWithAndWithoutCode, useChromium } from '../support/chromium.ts';
import { Customer } from '../support/customer.ts';
import { defectsByHtmlValidate, defectsByNuChecker, type SentPage } from '../support/markup-defects.ts';
import { askToLogIn, buyPro, mailedProof } from '../support/selling-steps.ts';

// Before the service: it closes once its visitors have left.
useChromium();

let site: SellingSite;
const pages: SentPage[] = [];
before(async () => {
  site = await SellingSite.start();
});
after(() => site.close());

/** What is checked of all pages that were looked at. */
async function leave(...customers: readonly Customer[]): Promise<void> {
  for (const each of customers) {
    pages.push(...each.pages);
    await each.leave();
  }
}

describe('an account', () => {
  after(async () => {
    assert.deepEqual(await defectsByHtmlValidate(pages), []);
    assert.deepEqual(defectsByNuChecker(pages), []);
  });

  testWithAndWithoutCode(
    'is entered by the mailed code, after mistakes, and sets no cookie before',
    async (hasCode) => {
      const customer = await Customer.start(site, 'about:blank', { hasCode, language: hasCode ? 'ro' : 'en' });
      await buyPro(site, customer);
      await customer.page.goto(customer.say('/cont', '/en/account'));
      await customer.see('Contul meu', 'My account');
      await customer.assertNoCookies();
      await askToLogIn(customer, 'ana@');
      await customer.page.getByRole('alert').waitFor();
      assert.equal(await field(customer).inputValue(), 'ana@');
      await customer.look();
      await customer.assertNoCookies();
      await askToLogIn(customer);
      await customer.see('Verificați e-mailul', 'Check your e-mail');
      const { code } = await mailedProof(site, customer);
      await field(customer).fill(code === '000000' ? '000001' : '000000');
      await customer.press('Intră în cont', 'Log in');
      await customer.page.getByRole('alert').waitFor();
      await customer.look();
      await field(customer).fill(` ${code.slice(0, 3)} ${code.slice(3)}`);
      await customer.press('Intră în cont', 'Log in');
      await customer.page.getByText(customer.email).waitFor();
      await customer.look();
      const cookies = await customer.page.context().cookies();
      assert.deepEqual(
        cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]),
        [['pompa-session', true, 'Lax']],
      );
      await leave(customer);
    },
  );

  testWithAndWithoutCode('is entered by the mailed link once, by its button', async (hasCode) => {
    const customer = await Customer.start(site, 'about:blank', { hasCode });
    await buyPro(site, customer);
    await askToLogIn(customer);
    const { link } = await mailedProof(site, customer);
    await customer.page.goto(link);
    await customer.see('Intrați în cont');
    await customer.page.reload();
    await customer.press('Intră în cont');
    await customer.page.getByText(`Sunteți în contul ${customer.email}`).waitFor();
    assert.equal(new URL(customer.page.url()).search, '', 'the token is gone from the address');
    await customer.press('Ieși din cont');
    await customer.page.goto(link);
    await customer.press('Intră în cont');
    await customer.page.getByRole('alert').getByText('a fost folosit').waitFor();
    await leave(customer);
  });

  test('is entered in another browser only by link and code', async () => {
    const customer = await Customer.start(site, 'about:blank');
    await buyPro(site, customer);
    await askToLogIn(customer);
    const { link, code } = await mailedProof(site, customer);
    const other = await Customer.start(site, link, { email: customer.email });
    await other.press('Intră în cont');
    await other.page.getByText('a fost cerut din alt browser').waitFor();
    assert.doesNotMatch(await other.text(), new RegExp(customer.email));
    await other.look();
    await field(other).fill(code === '111111' ? '111112' : '111111');
    await other.press('Intră în cont');
    await other.page.getByRole('alert').waitFor();
    await field(other).fill(code);
    await other.press('Intră în cont');
    await other.page.getByText(`Sunteți în contul ${customer.email}`).waitFor();
    await customer.page.goto('/cont');
    await customer.page.getByRole('button', { name: 'Trimite linkul și codul' }).waitFor();
    await leave(customer, other);
  });
});

const field = ({ page }: Customer) => page.getByRole('main').getByRole('textbox');
