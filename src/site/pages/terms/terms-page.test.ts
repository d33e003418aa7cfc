import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OFFER } from '../../../../test/support/builders/selling-fixture.ts';
import { readPage } from '../../../../test/support/service/site-builders.ts';
import { LICENCE } from '../../../domain/service-identity.ts';

describe('the terms of use', () => {
  for (const path of ['/termeni', '/en/terms']) {
    it(`${path} name the licence, the limits of reviews, and the contact`, () => {
      const text = readPage(path, { contact: 'ops@example.org' });
      assert.ok(text.includes(`href="${LICENCE.url}"`));
      assert.match(text, /500 (de caractere|characters)/);
      assert.match(text, /(cel mult|at most) 3 (pe zi|a day)/);
      assert.match(text, /<a href="mailto:ops@example\.org">/);
    });
  }

  it('have the same sections in both languages', () => {
    const ids = (path: string) =>
      [...readPage(path).matchAll(/<h2 id="(\w+)">(\d)\./g)].map(([, id, at]) => `${at} ${id}`);
    assert.deepEqual(ids('/termeni'), ids('/en/terms'));
    assert.ok(ids('/termeni').includes('8 contact'));
  });

  it('say so where the operator gives no contact', () => {
    assert.match(readPage('/en/terms'), /has given no contact address/);
  });

  it('say who sells, and how to withdraw, where plans are sold', () => {
    for (const [path, withdrawal] of [
      ['/termeni', '/retragere'],
      ['/en/terms', '/en/withdrawal'],
    ] as const) {
      const text = readPage(path, { selling: OFFER });
      for (const part of Object.values(OFFER.seller ?? {})) assert.ok(part === null || text.includes(part), path);
      assert.ok(text.includes(`href="${withdrawal}"`));
      assert.match(text, /Starter 19 EUR, Pro 49 EUR, Business 149 EUR/);
      const numbers = [...text.matchAll(/<h2 id="[\w-]+">(\d+)\./g)].map(([, number]) => Number(number));
      assert.deepEqual(
        numbers,
        [...numbers.keys()].map((at) => at + 1),
      );
    }
    assert.doesNotMatch(readPage('/termeni'), /retragere|Vânzătorul|cheie gratuită/);
    const given = readPage('/termeni', { selling: { ...OFFER, seller: null } });
    assert.match(given, /id="chei-gratuite"/);
    assert.doesNotMatch(given, /Vânzătorul/);
  });
});
