/** The form of a station's page: it posts under the same limits as the endpoint, and answers with a page. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { publicReviews, type ReviewEndpointDependencies } from '../../src/api/endpoints/reviews.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { solve } from '../../src/site/browser/proof-of-work.ts';
import { formatRon } from '../../src/site/html/formats.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { NO_REVIEWS } from '../support/service/fake-reviews.ts';
import { API_DESCRIPTION } from '../support/service/real-api-description.ts';
import { ReviewServices } from '../support/service/review-services.ts';
import { type Reply, TestService } from '../support/service/test-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

const snapshot = world();

function siteWith(reviews: ReviewEndpointDependencies, served = snapshot) {
  return createSite({
    publicUrl: () => 'https://pompa.example',
    simulated: false,
    snapshot: () => served,
    gazetteer: loadGazetteer(),
    journeys: createJourneyPlanner(loadGazetteer()),
    reviewsOf: (slug) => publicReviews(reviews, slug),
    api: () => API_DESCRIPTION,
  });
}

const FORM = 'application/x-www-form-urlencoded';

type Sent = { fields?: Record<string, string> | string; headers?: Record<string, string>; path?: string };

function post(service: TestService, { fields = {}, headers = {}, path = '/recenzie' }: Sent): Promise<Reply> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return service.ask(path, { method: 'POST', headers: { 'Content-Type': FORM, ...headers }, body });
}

describe('a form posted to a service with a database', () => {
  let reviewing: ReviewServices;
  let service: TestService;
  before(async () => {
    reviewing = await ReviewServices.start({
      captcha: 'altcha',
      siteOf: ({ reviews }, served) => siteWith(reviews, served),
    });
    service = reviewing.service;
  });
  after(() => reviewing.close());

  test('counts at once with stars only, and shows on the page of the station', async () => {
    const slug = reviewing.newStation();
    const { status, headers, text } = await post(service, { fields: { statie_slug: slug, rating: '4' } });
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    assert.match(text, /Mulțumim pentru notă/);
    assert.equal((await reviewing.read(slug)).json.avg_rating, 4);
    const page = await service.ask(`/statie/${slug}`);
    assert.match(page.text, /<strong>4,0<\/strong> din 5 · 1 recenzie/);
  });

  test('waits for approval with a text and a good captcha; without one it is refused', async () => {
    const fields = { statie_slug: reviewing.newStation(), rating: '4', comment: 'Curat, fără coadă.', nickname: 'Ana' };
    const bad = await post(service, { fields });
    assert.equal(bad.status, 403);
    const challenge = (await service.ask('/captcha/provocare')).json;
    const good = await post(service, {
      path: '/en/review',
      fields: { ...fields, recaptcha_token: await solve(challenge) },
    });
    assert.equal(good.status, 200);
    assert.match(good.text, /once a moderator has read it/);
    assert.equal((await reviewing.read(fields.statie_slug)).json.review_count, 0);
  });

  test('shares its limits with the endpoint: the second review of a day is a 429 with its wait', async () => {
    const slug = reviewing.newStation();
    const from = newAddress();
    assert.equal((await reviewing.post({ statie_slug: slug, rating: 5 }, { from })).status, 200);
    const again = await post(service, {
      fields: { statie_slug: slug, rating: '5' },
      headers: { 'X-Forwarded-For': from },
    });
    assert.equal(again.status, 429);
    assert.match(String(again.headers['retry-after']), /^\d+$/);
    assert.match(again.text, /Puteți reveni mâine/);
  });
});

describe('a posted form', () => {
  const slug = `petrom-cluj-napoca-${TURZII}`;
  const good = { statie_slug: slug, rating: '5' };
  let submitted = 0;
  let service: TestService;
  before(async () => {
    const reviews: ReviewEndpointDependencies = {
      ...NO_REVIEWS,
      submit: async () => {
        submitted += 1;
        return { kind: 'added', answer: { needsApproval: false, ratings: { count: 1, stars: 5 } } };
      },
    };
    service = await TestService.start({ snapshot, reviews, site: siteWith(reviews) });
  });
  after(() => service.api.close());

  test('of another site is refused, by either header that browsers send', async () => {
    const before = submitted;
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'https://pompa.example.evil.example' },
    ] as Record<string, string>[]) {
      const { status, text } = await post(service, { fields: good, headers });
      assert.equal(status, 403, JSON.stringify(headers));
      assert.match(text, /de pe alt site/);
    }
    assert.equal(submitted, before);
  });

  test('of our own pages is accepted, at the public address or the one in Host', async () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: `http://127.0.0.1:${service.port}` },
      { Origin: `http://pompa.example:81`, Host: 'pompa.example:81' },
      {},
    ] as Record<string, string>[])
      assert.equal((await post(service, { fields: good, headers })).status, 200, JSON.stringify(headers));
  });

  test('that is malformed, or about an unknown station, is a 400 in words', async () => {
    const before = submitted;
    for (const fields of [
      '',
      { ...good, rating: '' },
      { ...good, rating: '6' },
      { ...good, rating: '4.5' },
      { ...good, statie_slug: 'petrom-cluj-napoca-ffffffffffff' },
      { ...good, comment: 'x'.repeat(501) },
      `statie_slug=${slug}&rating=5&rating=1`,
      `statie_slug=${slug}&rating=5&comment=%ff`,
      '__proto__=1',
    ]) {
      const { status, text } = await post(service, { fields });
      assert.equal(status, 400, JSON.stringify(fields));
      assert.match(text, /Recenzia nu este completă/);
    }
    for (const headers of [{ 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }])
      assert.equal((await post(service, { fields: '{"rating":5}', headers })).status, 400);
    assert.equal((await post(service, { fields: 'x'.repeat(20_000) })).status, 400);
    assert.equal(submitted, before);
  });

  test('tells in words when the database does not answer', async (t) => {
    const away = await TestService.during(t, { snapshot, reviews: NO_REVIEWS, site: siteWith(NO_REVIEWS) });
    const { status, text } = await post(away, { path: '/en/review', fields: good });
    assert.equal(status, 503);
    assert.match(text, /could not be saved/);
    const page = await away.ask(`/statie/${slug}`);
    assert.equal(page.status, 200);
    assert.match(page.text, /Recenziile nu pot fi citite acum/);
  });

  test('is not accepted by GET, nor on a site without reviews', async (t) => {
    assert.equal((await service.ask('/recenzie')).status, 404);
    const plain = await TestService.during(t, { snapshot });
    assert.equal((await post(plain, { fields: good })).status, 404);
  });
});

describe('the page of a station', () => {
  test('shows the prices that the API gives, and offers machines the trusted ones', async (t) => {
    const service = await TestService.during(t, { snapshot, site: siteWith(NO_REVIEWS) });
    const { json } = await service.ask('/api/v1/statii?oras=cluj-napoca');
    const { text } = await service.ask(`/statie/petrom-cluj-napoca-${TURZII}`);
    const own = json.statii.filter(({ id }: { id: string }) => id === TURZII);
    assert.ok(own.length > 0);
    const trusted = own.filter(
      ({ pret, nesigur }: { pret: number | null; nesigur?: true }) => pret !== null && !nesigur,
    );
    const [station] = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map((match) =>
      JSON.parse(match[1] as string),
    );
    assert.deepEqual(
      station.makesOffer.map(({ price }: { price: number }) => price),
      trusted.map(({ pret }: { pret: number }) => pret),
    );
    for (const { pret } of own)
      if (pret !== null) assert.ok(text.includes(`>${formatRon(Math.round(pret * 1000), 'ro')}<`), String(pret));
  });
});
