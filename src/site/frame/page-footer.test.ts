import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OFFER } from '../../../test/support/builders/selling-fixture.ts';
import { readPage } from '../../../test/support/service/site-builders.ts';

const footOf = (text: string) => text.slice(text.indexOf('<footer'));

describe('the footer of every page', () => {
  it('names the seller, and leads to the account and the withdrawal, where plans are sold', () => {
    const pages = { '/': '/retragere', '/azi': '/retragere', '/en': '/en/withdrawal' };
    for (const [path, withdrawal] of Object.entries(pages)) {
      const foot = footOf(readPage(path, { selling: OFFER }));
      assert.match(foot, /Pompa SRL, Str\. Lungă 1, Brașov, România, RO12345678/, path);
      assert.ok(foot.includes(`href="${withdrawal}"`), path);
      assert.match(foot, /href="(\/cont|\/en\/account)"/, path);
    }
  });

  it('has the account alone where only free keys are given', () => {
    const foot = footOf(readPage('/', { selling: { ...OFFER, seller: null } }));
    assert.match(foot, /href="\/cont"/);
    assert.doesNotMatch(foot, /retragere|ANPC/);
  });

  it('tells nothing of it where nothing is sold', () => {
    assert.doesNotMatch(footOf(readPage('/')), /href="\/cont"|retragere|ANPC/);
  });

  it('says who sells where Stripe is the merchant of record', () => {
    const foot = footOf(readPage('/', { selling: { ...OFFER, salesMode: 'mor' } }));
    assert.match(foot, /sunt vândute de Stripe, ca vânzător înregistrat[^.]*; serviciul este furnizat de: /);
    const terms = readPage('/termeni', { selling: { ...OFFER, salesMode: 'mor' } });
    assert.match(terms, /Vânzătorul este Stripe, ca vânzător înregistrat[\s\S]*Stripe returnează integral/);
    assert.match(readPage('/termeni', { selling: OFFER }), /Vânzătorul este [^S][\s\S]*Returnăm integral/);
  });
});
