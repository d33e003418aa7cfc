import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPage, SITE_URL } from '../../../../test/support/service/site-builders.ts';
import { GERMANY } from '../../../domain/german-station.ts';
import { GERMAN_SOURCE } from '../../../domain/service-identity.ts';
import { GERMAN_CITIES } from './germany-texts.ts';

describe('the page of the German channel', () => {
  for (const path of ['/germania', '/en/germany']) {
    const text = readPage(path);

    it(`${path} has a request that works as pasted, and a form within the bounds of the contract`, () => {
      assert.ok(text.includes(`curl &#39;${SITE_URL}/api/v1/de-statii?lat=52.52&amp;lng=13.41&amp;rad=5&#39;`), text);
      assert.match(text, /<form class="fields" action="\/api\/v1\/de-statii" method="get">/);
      assert.match(text, /name="lat" type="number" step="any" min="47" max="55\.2"/);
      assert.match(text, /name="rad" type="number" min="1" max="25" value="15"/);
    });

    it(`${path} credits the source, and has no price and no Romanian figure`, () => {
      assert.ok(text.includes(`<a href="${GERMAN_SOURCE.url}" rel="license">${GERMAN_SOURCE.credit}</a>`));
      assert.doesNotMatch(text, /7[.,]45|7[.,]89|lei\/l/);
    });
  }

  it('has only coordinates that the channel accepts', () => {
    const { lat, lng } = GERMANY;
    for (const city of GERMAN_CITIES) {
      assert.ok(city.lat >= lat.min && city.lat <= lat.max, city.name.en);
      assert.ok(city.lng >= lng.min && city.lng <= lng.max, city.name.en);
    }
  });
});
