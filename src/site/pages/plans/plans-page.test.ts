import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OFFER } from '../../../../test/support/builders/selling-fixture.ts';
import { readPage } from '../../../../test/support/service/site-builders.ts';

it('the page of the plans names whom to ask for the one without a price', () => {
  const plans = (contact: string | null) => readPage('/planuri', { contact });
  assert.match(plans('ops@example.org'), /planul Dedicat[^<]* <a href="mailto:ops@example\.org">/);
  assert.match(plans(null), /planul Dedicat[\s\S]*setarea <code>CONTACT<\/code>/);
  const sold = readPage('/planuri', { selling: OFFER, contact: null });
  assert.match(sold, /<a href="mailto:vanzari@pompa\.example">/);
  for (const path of ['/termeni', '/confidentialitate'])
    assert.match(
      readPage(path, { selling: OFFER, contact: null }),
      /id="contact"[\s\S]{0,80}răspunde la <a href="mailto:vanzari@pompa\.example">/,
    );
  assert.doesNotMatch(sold, /CONTACT/);
});

it('the page of the plans leads to an order of each plan with a price, where they are sold', () => {
  const text = readPage('/planuri', { selling: OFFER });
  for (const plan of ['starter', 'pro', 'business']) assert.ok(text.includes(`href="/comanda?plan=${plan}"`), plan);
  assert.doesNotMatch(text, /comanda\?plan=dedicat/);
  assert.match(text, /Prețurile includ TVA/);
  assert.match(text, /<a href="\/cheie-gratuita">cheie gratuită<\/a> cu 1\.000 de cereri pe lună/);
  assert.match(readPage('/en/plans', { selling: OFFER }), /href="\/en\/order\?plan=pro"[\s\S]*href="\/en\/free-key"/);
});

it('the page of the plans sells nothing where nothing is sold, and gives no key where none is given', () => {
  assert.doesNotMatch(readPage('/planuri'), /comanda|cheie-gratuita|TVA/);
  assert.doesNotMatch(readPage('/planuri', { selling: { ...OFFER, freeKeyQuota: null } }), /cheie-gratuita/);
  const given = readPage('/planuri', { selling: { ...OFFER, seller: null } });
  assert.match(given, /cheie-gratuita/);
  assert.doesNotMatch(given, /comanda\?plan/);
});
