import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOON } from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, aWaitingSite, readPage, SITE_URL } from '../../../../test/support/service/site-builders.ts';
import type { GermanOutcome, GermanSearch, GermanStation } from '../../../domain/german-station.ts';
import { GERMAN_SOURCE, POSTCODES_CREDIT } from '../../../domain/service-identity.ts';
import { loadGermanPlaces } from '../../../geodata/load-german-places.ts';
import type { GermanPages } from '../../frame/german-pages.ts';
import { GERMAN_CITIES } from './germany-texts.ts';

const places = loadGermanPlaces();
const aGermanStation = (parts: Partial<GermanStation> = {}): GermanStation => ({
  ...{ name: 'ARAL Tankstelle', brand: 'ARAL', address: 'Lindenallee 12', city: 'Passau', postcode: 94_032 },
  ...{ lat: 48.57, lng: 13.46, distanceKm: 2.3, e5: 1_789, e10: 1_729, diesel: 1_659, open: true },
  ...parts,
});
const found = (stations: readonly GermanStation[], minutesAgo = 3): GermanOutcome => ({
  kind: 'found',
  answer: {
    search: { lat: 48.57, lng: 13.43, radiusKm: 15 },
    stations,
    answeredAt: NOON - minutesAgo * 60_000,
  },
});

/** The channel with this outcome, and what it was asked. */
function aChannel(outcome: GermanOutcome, waitMs = 0) {
  const searches: GermanSearch[] = [];
  let requests = 0;
  const germany: GermanPages = {
    places,
    takeRequest: () => {
      requests += 1;
      return waitMs;
    },
    find: (search) => {
      searches.push(search);
      return outcome;
    },
  };
  return { germany, searches, requests: () => requests };
}

describe('the page of the German channel', () => {
  for (const path of ['/germania', '/en/germany']) {
    const { germany, requests } = aChannel({ kind: 'failed' });
    const text = readPage(path, { germany });

    it(`${path} asks for a town or postcode, and searches nothing by itself`, () => {
      assert.match(text, new RegExp(`<form class="fields" action="${path}" method="get">`));
      assert.match(text, /name="loc"[^>]* required/);
      assert.equal(requests(), 0);
    });

    it(`${path} leads to towns by links that programs shall not follow, and to the API`, () => {
      assert.match(text, new RegExp(`<a href="${path}\\?loc=Passau" rel="nofollow">Passau</a>`));
      assert.ok(text.includes(`curl &#39;${SITE_URL}/api/v1/de-statii?lat=52.52&amp;lng=13.41&amp;rad=5&#39;`), text);
    });

    it(`${path} credits the sources, and has no price and no Romanian figure`, () => {
      assert.ok(text.includes(`<a href="${GERMAN_SOURCE.url}" rel="license">${GERMAN_SOURCE.credit}</a>`));
      assert.ok(text.includes(`<a href="${POSTCODES_CREDIT.url}">${POSTCODES_CREDIT.credit}</a>`));
      assert.doesNotMatch(text, /7[.,]45|7[.,]89|lei\/l/);
    });
  }

  it('links only towns that the search knows', () => {
    for (const { town } of GERMAN_CITIES) assert.ok(places.findPlace(town), town);
  });

  it('has no form where the operator has no key of the source, and says so', () => {
    const site = aSite({ germany: null });
    const { status, body } = site('/germania');
    assert.equal(status, 200);
    assert.doesNotMatch(body.toString(), /<form class="fields"/);
    assert.match(body.toString(), /nu are acces la sursa prețurilor din Germania/);
    assert.equal(site('/germania?loc=Passau').status, 503);
  });
});

describe('a search around a German town', () => {
  const stations = [
    aGermanStation({ brand: 'Shell', address: 'Nah 1', distanceKm: 0.4, e5: 1_799 }),
    aGermanStation({
      brand: '',
      name: 'Freie <Tankstelle>',
      address: 'Weit 3',
      distanceKm: 9,
      e5: 1_659,
      diesel: null,
    }),
    aGermanStation({ brand: 'JET', address: 'Zu 2', postcode: 1_067, city: 'Dresden', e5: 1_649, open: false }),
    aGermanStation({ brand: 'HEM', address: 'Ohne 4', e5: null, e10: null }),
  ];

  it('lists the stations with a price of the fuel, cheapest first, with address, distance and opening', () => {
    const { germany, searches } = aChannel(found(stations));
    const text = readPage('/germania?loc=94032', { germany });
    assert.deepEqual(searches, [{ lat: 48.5665, lng: 13.4312, radiusKm: 15 }]);
    const order = ['Zu 2, 01067 Dresden', 'Weit 3, 94032 Passau', 'Nah 1, 94032 Passau'];
    const at = order.map((address) => text.indexOf(`<span>${address}</span>`));
    assert.ok(
      at.every((each, index) => each > (at[index - 1] ?? 0)),
      String(at),
    );
    assert.match(text, /<li class="unranked"><span class="who"><b>JET<\/b>.*2,3 km · închisă · benzină E10 1,729/);
    assert.match(text, /<b>Freie &lt;Tankstelle&gt;<\/b>/);
    assert.match(text, /3 benzinării cu preț pentru benzină E5 la cel mult 15 km de centrul localității 94032 Passau/);
  });

  it('leaves no station out: the dearer ones and those without a price follow in short', () => {
    const many = Array.from({ length: 60 }, (_, at) => aGermanStation({ address: `Straße ${at}`, e5: 1_700 + at }));
    const text = readPage('/germania?loc=Passau', { germany: aChannel(found([...many, ...stations])).germany });
    assert.match(text, /<summary>Încă 24 de benzinării/);
    for (const { address } of [...many, ...stations]) assert.ok(text.includes(address), address);
    assert.match(text, /Ohne 4, 94032 Passau · 2,3 km · deschisă<\/span><\/span><span class="price">–<\/span>/);
  });

  it('names the cheapest open station, not a closed one, and how old the prices are', () => {
    const text = readPage('/germania?loc=Passau', { germany: aChannel(found(stations, 34)).germany });
    assert.match(text, /Cea mai ieftină deschisă<\/dt><dd><strong>1,659 .*Freie &lt;Tankstelle&gt;, Weit 3/);
    assert.match(text, /<strong>1,659<\/strong><span>\+1 cent<\/span>/);
    assert.match(text, /Prețuri de la sursă de acum 34 de minute\./);
    assert.ok(text.includes(GERMAN_SOURCE.credit));
    assert.match(text, /<a href="#cautare">Altă localitate sau altă rază<\/a>[\s\S]*<h2 id="cautare">/);
  });

  it('is of the fuel and radius of its address, in the words of either language', () => {
    const { germany, searches } = aChannel(found(stations));
    for (const target of ['/en/germany?loc=Passau&tip=diesel&raza=5', '/en/germany?loc=Passau&tip=motorina&raza=5'])
      assert.match(readPage(target, { germany }), /3 stations with a price for diesel up to 5 km/);
    assert.equal(searches[0]?.radiusKm, 5);
    const text = readPage('/germania?loc=Passau&tip=altceva&raza=7', { germany });
    assert.match(text, /benzină E5 la cel mult 15 km/);
    assert.match(text, /href="\/en\/germany\?loc=Passau"/);
  });

  it('is not for search engines', () => {
    const text = readPage('/germania?loc=Passau', { germany: aChannel(found(stations)).germany });
    assert.match(text, /<meta name="robots" content="noindex/);
    assert.match(text, /<title>Preț carburanți Passau, Germania: benzină E5 de la 1,649 € \| Pompa<\/title>/);
  });

  it('says where no station has a price, and offers a wider search', () => {
    const text = readPage('/germania?loc=Passau&raza=5', { germany: aChannel(found([])).germany });
    assert.match(text, /Nicio benzinărie cu preț/);
    assert.match(text, /<a href="\/germania\?loc=Passau&amp;raza=10" rel="nofollow">/);
  });

  it('offers the likely towns and postcodes for one that is unknown, and asks the source nothing', () => {
    const { germany, searches, requests } = aChannel(found(stations));
    for (const [typed, likely] of [
      ['Pasau', 'Passau'],
      ['94031', '94032 Passau'],
    ] as const) {
      const { status, body } = aSite({ germany })(`/germania?loc=${typed}&tip=motorina`);
      assert.equal(status, 400);
      assert.match(body.toString(), new RegExp(`„${typed}”.*rel="nofollow">${likely}</a>`));
    }
    assert.deepEqual(searches, []);
    assert.equal(requests(), 2, 'each counts under the limit');
  });

  it('says in words what the channel cannot do, and when to come back', () => {
    for (const [outcome, status, words, wait] of [
      [{ kind: 'failed' }, 503, /nu a răspuns/, undefined],
      [{ kind: 'unavailable' }, 503, /nu sunt disponibile în acest moment/, undefined],
      [{ kind: 'over budget', waitMs: 719_500 }, 503, /numai de câteva ori pe oră.*peste 12 minute/, '720'],
      [{ kind: 'over budget', waitMs: 41_000, isOwnShare: true }, 429, /partea acestei.*peste 41 de secunde/, '41'],
    ] as const) {
      const response = aSite({ germany: aChannel(outcome).germany })('/germania?loc=Passau');
      assert.deepEqual([response.status, response.headers['Retry-After']], [status, wait]);
      assert.match(response.body.toString(), words);
      assert.match(response.body.toString(), /name="loc" value="Passau"/);
    }
  });

  it('asks neither the gazetteer nor the source beyond the limit per minute', async () => {
    const { germany, searches } = aChannel(found(stations), 20_000);
    const site = aWaitingSite({ germany: { ...germany, takeRequest: async () => 20_000 } });
    const { status, headers, body } = await site('/germania?loc=Passau');
    assert.deepEqual([status, headers['Retry-After']], [429, '20']);
    assert.match(body.toString(), /Reveniți peste 20 de secunde/);
    assert.deepEqual(searches, []);
  });
});
