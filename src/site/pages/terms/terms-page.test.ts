import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
});
