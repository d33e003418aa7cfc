import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSite, readPage } from '../../../../test/support/builders/site-builders.ts';
import { aCity, aCounty, aSnapshot, prices } from '../../../../test/support/builders/snapshot-builders.ts';

describe('the page of a county', () => {
  const counties = [
    aCounty({ code: 'CJ', prices: prices({ petrol: 9_600 }) }),
    aCounty({ code: 'AB', prices: prices({ petrol: 9_700 }) }),
  ];
  const snapshot = aSnapshot({ counties, cities: [aCity({ prices: prices({ petrol: 9_600 }) })] });

  it('has the mean of the API beside the mean of all counties, and its places', () => {
    const text = readPage('/judet/cluj', { snapshot });
    assert.match(text, /<h1>Prețuri carburanți în județul Cluj<\/h1>/);
    assert.match(
      text,
      /Benzină<\/th><td class="num mean">9,60<\/td><td class="num">9,65<\/td><td class="num">−5 bani</,
    );
    assert.match(text, /<a href="\/preturi-carburanti\/cluj-napoca">Cluj-Napoca<\/a>/);
  });

  it('exists for a county without a station, and search engines do not list it', () => {
    const text = readPage('/en/county/vrancea', { snapshot });
    assert.match(text, /<h1>Fuel prices in Vrancea county<\/h1>/);
    assert.match(text, /<meta name="robots" content="noindex">/);
  });

  it('does not exist for a word that is no county', () => {
    assert.equal(aSite({ snapshot })('/judet/nicaieri').status, 404);
  });
});
