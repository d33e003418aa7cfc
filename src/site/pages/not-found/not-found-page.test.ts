import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSite } from '../../../../test/support/service/site-builders.ts';

describe('the page of an address without one', () => {
  it('offers what a search for the address finds', () => {
    const { status, body } = aSite()('/preturi/cluj-napoca');
    assert.equal(status, 404);
    assert.match(
      body.toString(),
      /<h2>Poate ați căutat<\/h2>\s*<ul>\s*<li><a href="\/preturi-carburanti\/cluj-napoca">/,
    );
    assert.match(body.toString(), /<form class="search"/);
  });

  it('marks no link of the navigation as the page that is shown', () => {
    assert.match(aSite()('/').body.toString(), /<a href="\/" aria-current="page">/);
    assert.doesNotMatch(aSite()('/nimic').body.toString(), /aria-current/);
  });
});
