import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aCounty,
  aNational,
  aNetworkPrices,
  aSnapshot,
  aStation,
  prices,
  recordsOf,
  TODAY,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { aWaitingSite, awaitPage, SITE_URL, type SiteGiven } from '../../../test/support/service/site-builders.ts';

const STATION = '/statie/petrom-cluj-napoca-0a1b2c3d4e5f';

function world(petrol = 7_450) {
  const cities = [
    aCity({ prices: prices({ petrol, diesel: 7_890 }) }),
    aCity({ name: 'Drobeta-Turnu Severin', slug: 'drobeta-turnu-severin', county: 'MH', lat: 44.63, lng: 22.66 }),
  ];
  return aSnapshot({
    cities,
    records: recordsOf(aStation(), { petrol: trusted(petrol), diesel: trusted(7_890) }),
    counties: [aCounty({ prices: prices({ petrol }) })],
    networks: [aNetworkPrices('Petrom', { petrol })],
    national: aNational({ petrol }),
    statistics: (scope, fuel) =>
      scope === 'national' && fuel === 'petrol'
        ? [TODAY - 2, TODAY - 1, TODAY].map((day) => ({ ...NO_SPREAD, day, mean: petrol, min: petrol, max: petrol }))
        : [],
  });
}

const NO_SPREAD = { p10: 7_000, median: 7_400, p90: 7_900, stations: 3 };

const metaOf = (page: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(page)?.[1];
const pictureOf = (page: string) => (metaOf(page, 'og:image') ?? '').slice(SITE_URL.length);
const fingerprintOf = (path: string) => path.split('/')[2] ?? '';

/** A site whose pictures are the SVG that they are drawn from; counts them. */
function drawing(given: SiteGiven = {}) {
  const drawn = { count: 0 };
  const site = { snapshot: world(), ...given };
  const rasterize = async (svg: string) => {
    drawn.count += 1;
    return Buffer.from(svg);
  };
  const read = aWaitingSite({ ...site, rasterize });
  return { read, drawn, page: async (path: string) => (await read(path)).body.toString() };
}

const WITH_FIGURES: Readonly<Record<string, RegExp>> = {
  '/': />România<.*>7,45</s,
  '/en': />Romania<.*>7\.45</s,
  '/preturi-carburanti/cluj-napoca': /class="map".*>Cluj-Napoca<.*>Benzină de la<.*>7,45</s,
  '/en/fuel-prices/cluj-napoca/petrol': />Petrol price<.*>Cluj-Napoca<.*>7\.45</s,
  [STATION]: />Petrom<.*>Calea Turzii 178<.*>7,45</s,
  '/judet/cluj': />Județul Cluj<.*>7,45</s,
  '/retea/petrom': />Petrom<.*>1 benzinărie<.*>7,45</s,
  '/harta': />Harta prețurilor<.*>7,45</s,
  '/azi': />20 noiembrie 2026<.*România/s,
  '/traseu/cluj-napoca/drobeta-turnu-severin': />Cluj-Napoca –<.*>Benzină în Cluj-Napoca de la<.*>7,45</s,
};
const WITHOUT = ['/docs', '/termeni', '/en/privacy', '/planuri', '/stare', '/alerte'];

describe('the link preview of a page', () => {
  for (const [path, shows] of Object.entries(WITH_FIGURES))
    it(`has its subject and its figures, and is where the page says: ${path}`, async () => {
      const { read, page } = drawing();
      const text = await page(path);
      const picture = pictureOf(text);
      assert.match(metaOf(text, 'og:image') ?? '', /^https:\/\/pompa\.example\/og\/[0-9a-f]{12}\/.+\.png$/);
      assert.equal(metaOf(text, 'og:image:width'), '1200');
      assert.equal(metaOf(text, 'og:image:height'), '630');
      assert.equal(metaOf(text, 'twitter:card'), 'summary_large_image');
      assert.ok((metaOf(text, 'og:image:alt') ?? '').length > 10);
      const { status, contentType, body, headers } = await read(picture);
      assert.deepEqual([status, contentType], [200, 'image/png']);
      assert.equal(headers['Cache-Control'], 'public, max-age=31536000, immutable');
      assert.match(body.toString(), shows);
    });

  it('stands in a frame whose colour fits both colour schemes', async () => {
    const { page } = drawing();
    const schemes = (await page('/')).match(
      /(?<=<meta name="theme-color" content="#[0-9a-f]{6}" media="\(prefers-color-scheme: )\w+/g,
    );
    assert.deepEqual(schemes, ['light', 'dark']);
  });

  it('is a general one without figures where the page has none, the same whatever the prices are', async () => {
    const addresses = new Set<string>();
    for (const snapshot of [world(7_450), world(7_550)])
      for (const path of WITHOUT.filter((each) => !each.startsWith('/en'))) {
        const { page } = drawing({ snapshot });
        addresses.add(pictureOf(await page(path)));
      }
    assert.equal(addresses.size, 1);
    const { read } = drawing();
    assert.match((await read([...addresses][0] ?? '')).body.toString(), />Prețurile carburanților</);
    assert.notEqual(pictureOf(await awaitPage('/en/privacy')), [...addresses][0]);
  });

  it('has another address and another content when the price changes, and only then', async () => {
    let snapshot = world(7_450);
    const { read, page, drawn } = drawing({ snapshot: () => snapshot });
    const path = '/preturi-carburanti/cluj-napoca';
    const first = pictureOf(await page(path));
    const { body } = await read(first);
    snapshot = world(7_450);
    assert.equal(pictureOf(await page(path)), first);
    assert.equal((await read(first)).body, body);
    assert.equal(drawn.count, 1);
    snapshot = world(7_390);
    const second = pictureOf(await page(path));
    assert.notEqual(fingerprintOf(second), fingerprintOf(first));
    const later = await read(second);
    assert.match(later.body.toString(), />7,39</);
    const outdated = await read(first);
    assert.equal(outdated.body, later.body, 'an old address has the current picture');
    assert.equal(outdated.headers['Cache-Control'], 'public, max-age=300');
    assert.equal(drawn.count, 2);
  });

  it('says when the data are simulated', async () => {
    const { read, page } = drawing({ simulated: true });
    assert.match((await read(pictureOf(await page('/')))).body.toString(), /date simulate/);
  });

  it('of an unknown subject, or at another address of a known one, is a 404 that draws nothing', async () => {
    const { read, drawn } = drawing();
    for (const path of [
      '/og/000000000000/preturi-carburanti/nicaieri.png',
      '/og/000000000000/preturi-carburanti/cluj-napoca/petrol.png',
      '/og/000000000000/statie/altceva-0a1b2c3d4e5f.png',
      '/og/000000000000/statie/petrom-cluj-napoca-ffffffffffff.png',
      '/og/000000000000/zi/2026-02-30.png',
      '/og/000000000000/zi/1999-01-01.png',
      '/og/000000000000/judet/CLUJ.png',
      '/og/000000000000/traseu/cluj-napoca/cluj-napoca.png',
      '/og/000000000000/docs.png',
      '/og/000000000000/constructor.png',
      '/og/000000000000.png',
      '/og/0/ro.png',
      '/og/000000000000/ro.svg',
      '/og/00000000000G/ro.png',
    ])
      assert.equal((await read(path)).status, 404, path);
    assert.equal(drawn.count, 0);
  });

  it('costs one drawing whatever fingerprints are made up', async () => {
    const { read, drawn } = drawing();
    for (let index = 0; index < 50; index += 1)
      await read(`/og/${index.toString(16).padStart(12, '0')}/preturi-carburanti/cluj-napoca.png`);
    assert.equal(drawn.count, 1);
  });

  it('is a PNG of the size that the page states', async () => {
    const read = aWaitingSite({ snapshot: world() });
    const page = (await read('/preturi-carburanti/cluj-napoca')).body.toString();
    const { body } = await read(pictureOf(page));
    assert.equal(body.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
    assert.deepEqual([body.readUInt32BE(16), body.readUInt32BE(20)], [1200, 630]);
    assert.ok(body.length > 20_000 && body.length < 300_000, `${body.length} bytes`);
  });

  it('beyond what one client may have drawn is a 503 that says when to come back', async () => {
    const { read, drawn } = drawing();
    const days = Array.from(
      { length: 100 },
      (_, index) =>
        `/og/000000000000/traseu/${TOWNS[index % 10]}/${TOWNS[((index % 10) + 1 + Math.floor(index / 10)) % 10]}.png`,
    );
    const responses = [];
    for (const path of new Set(days)) responses.push(await read(path));
    const refused = responses.filter(({ status }) => status === 503);
    assert.equal(drawn.count, 20);
    assert.equal(responses.filter(({ status }) => status === 200).length, 20);
    assert.equal(refused[0]?.headers['Retry-After'], '10');
    assert.equal(refused[0]?.headers['Cache-Control'], 'no-store');
  });
});

const TOWNS = [
  'cluj-napoca',
  'timisoara',
  'iasi',
  'craiova',
  'constanta',
  'galati',
  'oradea',
  'brasov',
  'ploiesti',
  'braila',
];
