import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  aCity,
  aNetwork,
  aSnapshot,
  aStation,
  doubtful,
  expired,
  prices,
  recordsOf,
  TODAY,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, awaitPage, readPage, SITE_URL } from '../../../../test/support/service/site-builders.ts';

const SNAPSHOT = aSnapshot({
  cities: [
    aCity({ prices: prices({ petrol: 9_590 }) }),
    aCity({ name: 'Turda', county: 'CJ', lat: 46.57, lng: 23.78, prices: prices({ petrol: 9_700 }) }),
  ],
  records: [
    ...recordsOf(aStation({ id: '00000000000a', address: 'Strada Scumpă 1' }), {
      petrol: trusted(9_710),
      diesel: trusted(10_400),
    }),
    ...recordsOf(aStation({ id: '00000000000b', address: 'Strada Ieftină 2', network: aNetwork('Rompetrol') }), {
      petrol: trusted(9_590, { observed: { day: '2026-11-20', at: null, text: null } }),
    }),
    ...recordsOf(aStation({ id: '00000000000c', address: 'Strada Blocată 3' }), {
      petrol: doubtful(8_000, 'stuck', '2026-10-01'),
    }),
    ...recordsOf(aStation({ id: '00000000000d', address: 'Strada Tăcută 4' }), {
      petrol: expired('2026-11-18T12:05:00Z'),
    }),
  ],
});
const given = { snapshot: SNAPSHOT };
const FUEL_PAGE = '/preturi-carburanti/cluj-napoca/benzina';

describe('the page of a fuel in a city', () => {
  const text = readPage(FUEL_PAGE, given);

  it('ranks stations by trusted prices, with the difference to the cheapest in bani', () => {
    const [ranked = ''] = text.split('<h3>');
    assert.deepEqual(
      [...ranked.matchAll(/<span>(Strada [^<]+)<\/span>/g)].map(([, address]) => address),
      ['Strada Ieftină 2', 'Strada Scumpă 1'],
    );
    assert.match(ranked, /<strong>9,59<\/strong><span>cel mai mic<\/span>/);
    assert.match(ranked, /<strong>9,71<\/strong><span>\+12 bani<\/span>/);
  });

  it('shows prices that do not count below, each with its reason', () => {
    const [, unranked = ''] = text.split('<h3>');
    assert.match(unranked, /Strada Blocată 3[\s\S]*neschimbat din 1 octombrie 2026[\s\S]*8,00/);
    assert.match(
      unranked,
      /Strada Tăcută 4[\s\S]*preț expirat: confirmat ultima dată pe 18 noiembrie 2026 la 14:05[\s\S]*–/,
    );
  });

  it('says how old every price is, and who reported it', () => {
    assert.match(text, /azi · Monitorul Prețurilor/);
    assert.match(text, /ieri · Monitorul Prețurilor/);
  });

  it('has the lowest price of the API, the mean and the cost of a full tank', () => {
    assert.match(text, /<title>Preț benzină Cluj-Napoca azi: de la 9,59 lei, 2 benzinării \| Pompa<\/title>/);
    assert.match(text, /Media în Cluj-Napoca<\/dt><dd><strong>9,65 /);
    assert.match(text, /La un plin de 50 de litri<\/dt><dd><strong>6,00 /);
  });

  it('names one of several cheapest stations, and says how many others have its price', () => {
    const records = ['a', 'b', 'c'].flatMap((id) =>
      recordsOf(aStation({ id: id.padStart(12, '0') }), { petrol: trusted(9_590) }),
    );
    const same = { snapshot: aSnapshot({ cities: [aCity({ prices: prices({ petrol: 9_590 }) })], records }) };
    for (const path of [FUEL_PAGE, '/preturi-carburanti/cluj-napoca'])
      assert.match(readPage(path, same), /, și alte 2 la același preț/);
    assert.doesNotMatch(text, /la același preț/);
  });

  it('leads search engines to the page of the city where few stations sell the fuel', () => {
    assert.match(text, /<link rel="canonical" href="[^"]+\/preturi-carburanti\/cluj-napoca">/);
  });

  it('leads to cities nearby with their lowest price', () => {
    assert.match(text, /<a href="\/preturi-carburanti\/turda\/benzina">Turda<\/a> <strong>9,70<\/strong>/);
  });

  it('says so where no price counts, and does not exist for a word that is no fuel in its language', () => {
    assert.match(
      readPage('/preturi-carburanti/cluj-napoca/gpl', given),
      /Nicio benzinărie de aici nu are acum un preț/,
    );
    for (const path of ['/preturi-carburanti/cluj-napoca/petrol', '/preturi-carburanti/nicaieri/benzina'])
      assert.equal(aSite(given)(path).status, 404, path);
  });

  it('is the same in English', () => {
    const english = readPage('/en/fuel-prices/cluj-napoca/petrol', given);
    assert.match(english, /<h1>Petrol price in Cluj-Napoca today<\/h1>/);
    assert.match(english, /<strong>9\.71<\/strong><span>\+12 bani<\/span>/);
    assert.match(english, /today · the national price monitor/);
    assert.match(english, /expired: last confirmed on 18 November 2026 at 14:05/);
  });
});

describe('the page of a city', () => {
  const text = readPage('/preturi-carburanti/cluj-napoca', given);

  it('has the tables that programs read: fuels, stations, networks', () => {
    const tables = [...text.matchAll(/<thead>(.*?)<\/thead>/g)].map(([, head = '']) =>
      [...head.matchAll(/<th[^>]*>([^<]*)/g)].map(([, name]) => name),
    );
    assert.deepEqual(tables, [
      ['Carburant', 'Preț (lei/l)', 'Benzinărie', 'Adresă', 'Vechime și sursă'],
      [
        ...['Loc', 'Benzinărie', 'Adresă', 'Benzină', 'Motorină', 'GPL'],
        ...['Benzină premium', 'Motorină premium', 'Vechime și sursă'],
      ],
      ['Rețea', 'Benzinării', 'Benzină', 'Motorină', 'GPL'],
    ]);
    assert.match(text, /<title>Preț carburanți Cluj-Napoca azi: 4 benzinării, de la 9,59 lei<\/title>/);
  });

  it('describes its prices as a dataset first, then the ranking and its place', () => {
    const blocks = structuredData(text);
    assert.deepEqual(
      blocks.map((block) => block['@type']),
      ['Dataset', 'ItemList', 'BreadcrumbList'],
    );
    assert.deepEqual(blocks[0].variableMeasured, [
      { '@type': 'PropertyValue', name: 'Benzină 95', value: 9.59, unitText: 'RON/l' },
    ]);
    assert.equal(blocks[0].temporalCoverage, '2026-11-20');
    assert.deepEqual(
      blocks[0].distribution.map(({ encodingFormat, contentUrl }: Record<string, string>) => [
        encodingFormat,
        contentUrl,
      ]),
      [
        ['text/csv', `${SITE_URL}/preturi-carburanti/cluj-napoca.csv`],
        ['application/json', `${SITE_URL}/api/v1/preturi?judet=Cluj`],
      ],
    );
  });

  it('lists its stations for search engines as it ranks them, 20 at most, without those whose price does not count', () => {
    for (const path of ['/preturi-carburanti/cluj-napoca', FUEL_PAGE])
      assert.deepEqual(listedStations(readPage(path, given)), [
        ['1 Rompetrol, Strada Ieftină 2', `${SITE_URL}/statie/rompetrol-cluj-napoca-00000000000b`],
        ['2 Petrom, Strada Scumpă 1', `${SITE_URL}/statie/petrom-cluj-napoca-00000000000a`],
      ]);
    const many = Array.from({ length: 21 }, (_, index) =>
      recordsOf(aStation({ id: index.toString(16).padStart(12, '0') }), { petrol: trusted(7_000 + index) }),
    );
    const listed = listedStations(readPage(FUEL_PAGE, { snapshot: aSnapshot({ records: many.flat() }) }));
    assert.equal(listed.length, 20);
    assert.doesNotMatch(readPage('/preturi-carburanti/cluj-napoca/gpl', given), /ItemList"/);
  });

  it('says how old every price is and who reported it, once where all are alike', () => {
    const mixed = recordsOf(aStation({ address: 'Strada Mixtă 5' }), {
      petrol: trusted(9_600),
      diesel: trusted(10_000),
      diesel_premium: trusted(10_900, { observed: { day: '2026-11-17', at: null, text: null } }),
      lpg: trusted(4_500, { source: 'prices:petrom' }),
    });
    const others = stationRows(
      readPage('/preturi-carburanti/cluj-napoca', { snapshot: aSnapshot({ records: mixed }) }),
    );
    assert.deepEqual(stationRows(text)[1]?.slice(-1), ['ieri · Monitorul Prețurilor']);
    assert.deepEqual(others[0]?.slice(3), [
      ...['9,60', '10,00', '4,50', '–', '10,90'],
      'benzină, motorină: ieri · Monitorul Prețurilor' +
        'motorină premium: acum 3 zile · Monitorul Prețurilor' +
        'GPL: ieri · lista rețelei',
    ]);
  });

  it('says of the lowest prices how old they are and who reported them', () => {
    const [, lowest = ''] = /<table class="prices lowest">(.*?)<\/table>/s.exec(text) ?? [];
    assert.match(lowest, /9,59[\s\S]*?<td class="origin">ieri · Monitorul Prețurilor<\/td>/);
  });

  it('ranks only stations with a trusted price of petrol, and gives the reason of every other', () => {
    assert.deepEqual(
      stationRows(text).map(([rank, , address]) => [rank, address]),
      [
        ['1', 'Strada Ieftină 2'],
        ['2', 'Strada Scumpă 1'],
        ['', 'Strada Blocată 3'],
        ['', 'Strada Tăcută 4'],
      ],
    );
    const [, , stuck, silent] = stationRows(text);
    assert.match(text, /<span class="soft">8,00<\/span>/);
    assert.match(stuck?.at(-1) ?? '', /^ieri · Monitorul Prețurilor · neschimbat din 1 octombrie 2026/);
    assert.equal(silent?.at(-1), 'preț expirat: confirmat ultima dată pe 18 noiembrie 2026 la 14:05');
  });

  it('promises of cities without a trusted price only what it shows', () => {
    const records = recordsOf(aStation(), { petrol: expired('2026-11-18T12:05:00Z') });
    const silent = readPage('/preturi-carburanti/cluj-napoca', {
      snapshot: aSnapshot({ records, cities: [aCity({ prices: prices() })] }),
    });
    assert.match(silent, /Adresa ei și motivul pentru care fiecare preț nu contează\./);
    assert.match(stationRows(silent)[0]?.at(-1) ?? '', /preț expirat/);
  });

  it('has a map of its stations, and the price of petrol over 90 days', () => {
    const past = [8, 9].map((price, index) => ({
      ...{ day: TODAY - 2 + index, stations: 3, mean: price * 1_000 },
      ...{ min: 7_900, p10: 7_950, median: 8_000, p90: 9_100, max: 9_200 },
    }));
    const statistics = (scope: string, fuel: string) => (scope === 'city:cluj-napoca' && fuel === 'petrol' ? past : []);
    const page = readPage('/preturi-carburanti/cluj-napoca', { snapshot: { ...SNAPSHOT, statistics } });
    assert.match(page, /<h2>Benzina pe hartă<\/h2>[\s\S]*aria-label="Harta prețurilor din Cluj-Napoca"/);
    assert.match(page, /<h2>Prețul benzinei în ultimele 90 de zile<\/h2>\s*<figure/);
    assert.match(page, /8 din 10 benzinării din Cluj-Napoca/);
    assert.doesNotMatch(text, /în ultimele 90 de zile/);
  });
});

describe('the prices of a city as CSV', () => {
  let csv: string;
  before(async () => {
    csv = await awaitPage('/preturi-carburanti/cluj-napoca.csv', given);
  });

  it('has the stations that the lists of a city leave out, as the page says', () => {
    const records = Array.from({ length: 62 }, (_, index) =>
      recordsOf(aStation({ id: index.toString(16).padStart(12, '0') }), { petrol: trusted(7_000 + index) }),
    ).flat();
    const many = { snapshot: aSnapshot({ records }) };
    for (const [path, left, listed] of [
      ['/preturi-carburanti/cluj-napoca', '22 de benzinării', '7,039'],
      ['/preturi-carburanti/cluj-napoca/benzina', '2 benzinării', '7,059'],
    ] as const) {
      const [main = ''] = readPage(path, many).split('<footer');
      assert.ok(main.includes(`Nu sunt în listă: ${left}. Fișierul CSV le are pe toate. <a href="`), path);
      const prices = [...main.matchAll(/>(7,0\d\d)</g)].map(([, price = '']) => price);
      assert.equal(prices.sort().at(-1), listed, path);
    }
    assert.doesNotMatch(readPage('/preturi-carburanti/cluj-napoca', given), /Nu sunt în listă/);
  });

  it('is linked from the page of the city', () => {
    const link = /<a href="\/preturi-carburanti\/cluj-napoca\.csv" download>/;
    assert.match(readPage('/preturi-carburanti/cluj-napoca', given), link);
  });

  it('have a row for each station and fuel, with the state of the price', () => {
    const [header, ...rows] = csv.trimEnd().split('\r\n');
    assert.equal(header, 'ziua,statie_id,retea,adresa,lat,lng,carburant,pret_lei_l,stare,observat');
    assert.equal(rows.length, 5);
    assert.ok(
      rows.includes(
        '2026-11-20,00000000000b,Rompetrol,Strada Ieftină 2,46.75,23.59,Benzină standard,9.59,sigur,2026-11-20',
      ),
    );
    assert.ok(rows.some((row) => row.endsWith(',8.00,nesigur,2026-11-19')));
    assert.ok(rows.some((row) => row.endsWith('Strada Tăcută 4,46.75,23.59,Benzină standard,,expirat,')));
  });

  it('quote what would break a row or run as a formula', async () => {
    const records = recordsOf(aStation({ address: '=1+1, "x"' }), { petrol: trusted(9_590) });
    const text = await awaitPage('/preturi-carburanti/cluj-napoca.csv', { snapshot: aSnapshot({ records }) });
    assert.ok(text.includes(`,"'=1+1, ""x""",`), text);
  });

  it('do not exist without a station', () => {
    assert.equal(aSite(given)('/preturi-carburanti/abrud.csv').status, 404);
  });
});

function structuredData(page: string) {
  return [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  );
}

/** The texts of the cells of the table of all stations. */
function stationRows(page: string): string[][] {
  const [, body = ''] = /class="all-stations">[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(page) ?? [];
  return [...body.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<(t[dh])[^>]*>(.*?)<\/\1>/g)].map(([, , cell = '']) => cell.replaceAll(/<[^>]+>/g, '')),
  );
}

function listedStations(page: string): string[][] {
  const list = structuredData(page).find((block) => block['@type'] === 'ItemList');
  return list.itemListElement.map(({ position, name, url }: Record<string, string>) => [`${position} ${name}`, url]);
}
