/** Webhooks on the pages of an account, sent to a server that verifies them. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { SellingSite } from '../../support/service/selling-site.ts';
import { tell } from '../../support/webhooks/stored-feed.ts';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { testWithAndWithoutCode, useChromium } from '../support/chromium.ts';
import { Customer } from '../support/customer.ts';
import { defectsByHtmlValidate, defectsByNuChecker, type SentPage } from '../support/markup-defects.ts';
import { buyPro, logIn } from '../support/selling-steps.ts';

// Before the service: it closes once its visitors have left.
useChromium();

const SECRET = /whsec_[A-Za-z0-9+/=]+/;

let site: SellingSite;
let receiver: WebhookReceiver;
const ends: (() => void)[] = [];
const pages: SentPage[] = [];
before(async () => {
  receiver = await WebhookReceiver.during({ after: (close) => void ends.push(close as () => void) });
  site = await SellingSite.start(undefined, { WEBHOOK_ORIGINS: receiver.origin });
  await tell(site.database, [{}]);
});
after(async () => {
  await site.close();
  for (const end of ends) end();
});

/** A customer on the page of webhooks. */
async function onThePage(hasCode: boolean): Promise<Customer> {
  const customer = await Customer.start(site, '/planuri', { hasCode, language: hasCode ? 'ro' : 'en' });
  await buyPro(site, customer);
  await logIn(site, customer);
  await customer.follow('Vezi webhookurile', 'See the webhooks');
  await customer.see('Webhookuri', 'Webhooks');
  return customer;
}

describe('the webhooks of an account', () => {
  after(async () => {
    assert.deepEqual(await defectsByHtmlValidate(pages), []);
    assert.deepEqual(defectsByNuChecker(pages), []);
  });

  testWithAndWithoutCode(
    'are made, tested, changed, paused, replayed, given another secret, and deleted',
    async (hasCode) => {
      const customer = await onThePage(hasCode);
      const { page, say } = customer;
      const address = page.getByLabel(say('Adresa https', 'The https address'));
      const create = () => customer.press('Creează webhookul', 'Make the webhook');
      await address.fill('http://exemplu.ro/pompa');
      await create();
      await page
        .getByRole('alert')
        .getByText(/https:\/\//)
        .waitFor();
      assert.equal(await address.inputValue(), 'http://exemplu.ro/pompa');
      await customer.look();

      await address.fill(`${receiver.origin}/pompa`);
      await page.getByLabel(say('Carburant', 'Fuel')).selectOption('motorina_standard');
      await page.getByLabel(say('Județ (gol', 'County (empty')).fill('Cluj');
      await create();
      const shown = page.getByRole('region', { name: say('Secretul webhookului', 'The secret of the webhook') });
      const secret = async () => SECRET.exec(await shown.innerText())?.[0] as string;
      receiver.secret = await secret();
      await customer.look();

      const name = (await page.getByRole('heading', { level: 2, name: /^Webhook(ul)? \d+$/ }).innerText()).trim();
      const press = (ro: string, en: string) => customer.press(`${ro}: ${name}`, `${en}: ${name}`);
      receiver.answer = () => 500;
      await press('Trimite un test', 'Send a test');
      await page
        .getByRole('alert')
        .getByText(say('serverul nu a răspuns 2xx (500)', 'did not answer 2xx (500)'))
        .waitFor();
      receiver.answer = () => 204;
      await press('Trimite un test', 'Send a test');
      await page.getByText(say('Testul a reușit', 'The test succeeded')).waitFor();
      assert.equal(receiver.received.at(-1)?.payload.type, 'ping');
      assert.ok(!SECRET.test(await customer.text()));
      await customer.look();

      await customer.follow(`Schimbă: ${name}`, `Change: ${name}`);
      const county = page.getByLabel(say('Județ (gol', 'County (empty'));
      assert.equal(await county.inputValue(), 'CJ');
      await county.fill('Atlantida');
      await customer.press('Salvează', 'Save');
      await page.getByRole('alert').getByText(say('Județul nu este cunoscut.', 'The county is not known.')).waitFor();
      await customer.look();
      await county.fill('');
      await page.getByLabel(say('Oraș (gol', 'City (empty')).fill('Cluj-Napoca');
      await page.getByLabel(say('stație dispărută', 'station gone')).uncheck();
      await customer.press('Salvează', 'Save');
      await page.getByText(say('Webhookul este schimbat.', 'The webhook is changed.')).waitFor();
      await page.getByText(say(', cluj-napoca, alt preț', ', cluj-napoca, another price')).waitFor();
      await press('Retrimite ultimele 24 de ore', 'Send the last 24 hours again');
      await page.getByText(say('Modificările se retrimit.', 'The changes are sent again.')).waitFor();
      await page.getByText(say('Livrat până la cursorul', 'Delivered up to the cursor')).waitFor();

      await press('Pune în pauză', 'Pause');
      await page.getByText(say('Webhookul este în pauză.', 'The webhook is paused.')).waitFor();
      await press('Reia trimiterea', 'Resume');
      await page.getByText(say('Trimiterea continuă.', 'Sending goes on.')).waitFor();
      await press('Secret nou', 'New secret');
      receiver.secret = await secret();
      await press('Trimite un test', 'Send a test');
      await page.getByText(say('Testul a reușit', 'The test succeeded')).waitFor();
      assert.equal(receiver.received.at(-1)?.signatures, 2);

      await press('Șterge', 'Delete');
      await page.getByRole('alert').waitFor();
      await customer.look();
      await customer.follow('Nu, păstrează-l', 'No, keep it');
      await press('Șterge', 'Delete');
      await press('Da, șterge webhookul', 'Yes, delete the webhook');
      await page.getByText(say('Webhookul este șters.', 'The webhook is deleted.')).waitFor();
      await customer.follow('Înapoi în cont', 'Back to the account');
      await customer.see('Contul meu', 'My account');
      pages.push(...customer.pages);
      await customer.leave();
    },
  );
});
