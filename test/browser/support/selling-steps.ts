/** The steps that several journeys of selling take. */
import assert from 'node:assert/strict';
import { waitFor } from '../../support/database/embedded-database.ts';
import type { SellingSite } from '../../support/service/selling-site.ts';
import type { Customer } from './customer.ts';

/** A change of a key reaches the service within a second. */
const KEY_CHANGE_MS = 10_000;
const WHOLE_KEY = /pompa_live_\w{20,}/;

/** The first key in a text, whole. */
export function keyIn(text: string): string {
  const [key] = WHOLE_KEY.exec(text) ?? [];
  assert.ok(key, `no key in ${text}`);
  return key;
}

/** Fills in the form of an order, and sends it. */
export async function order({ page, press, email }: Customer, typed = email): Promise<void> {
  await page.getByRole('main').getByRole('textbox').fill(typed);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await press('Comandă cu obligație de plată', 'Order with obligation to pay');
}

/** Orders the plan Pro, and pays by a card, named as on its button; returns the mailed key. */
export async function buyPro(site: SellingSite, customer: Customer, card = 'un card bun'): Promise<string> {
  const { page, say } = customer;
  await page.goto(say('/comanda?plan=pro', '/en/order?plan=pro'));
  await order(customer);
  await page.getByRole('button', { name: `Plătește cu ${card}` }).click();
  await customer.see('Comanda este confirmată', 'Your order is confirmed');
  return mailedKey(site, customer);
}

/** The key in the mail after an order, which says the same as text and as HTML. */
export async function mailedKey(site: SellingSite, { email }: Customer): Promise<string> {
  const { text, html } = await site.mailTo(email, /cheia API|your API key|your free API key/);
  const key = keyIn(text);
  assert.equal(keyIn(html), key);
  return key;
}

/** The link and the code of the latest mail that proves an address. */
export async function mailedProof(
  site: SellingSite,
  { email }: Pick<Customer, 'email'>,
): Promise<{ link: string; code: string }> {
  const { text } = await site.mailTo(
    email,
    /intrarea în cont|log in|confirmați (noua )?adres|confirm (your|the new) address/,
  );
  const [link] = /http\S+\?token=\S+/.exec(text) ?? [];
  const [code] = /^ +\d{6}$/m.exec(text) ?? [];
  assert.ok(link && code, text);
  return { link, code: code.trim() };
}

/** Asks for a link and a code by the form of the account. */
export async function askToLogIn(customer: Customer, typed = customer.email): Promise<void> {
  await customer.page.goto(customer.say('/cont', '/en/account'));
  await customer.page.getByRole('main').getByRole('textbox').fill(typed);
  await customer.press('Trimite linkul și codul', 'Send the link and the code');
}

/** Logs in by the mailed code. */
export async function logIn(site: SellingSite, customer: Customer): Promise<void> {
  await askToLogIn(customer);
  await customer.see('Verificați e-mailul', 'Check your e-mail');
  const { code } = await mailedProof(site, customer);
  await customer.page.getByRole('main').getByRole('textbox').fill(code);
  await customer.press('Intră în cont', 'Log in');
  await customer.page.getByText(customer.email).waitFor();
}

/** Waits until requests with a key are answered so. */
export async function assertAnswered(site: SellingSite, key: string, status: number): Promise<void> {
  await waitFor(
    `status ${status}`,
    KEY_CHANGE_MS,
    async () => (await site.ask('/api/v1/cheie', key)).status === status,
  );
}
