import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aCounty,
  aNetwork,
  aSnapshot,
  aStation,
  prices,
  recordsOf,
  TODAY,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage } from '../../../../test/support/service/site-builders.ts';

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

  it('has the stations and networks of any fuel, cheapest first, at an address of its own', () => {
    const records = [
      ...recordsOf(aStation({ id: '00000000000a', network: aNetwork('MOL') }), { diesel_premium: trusted(11_000) }),
      ...recordsOf(aStation({ id: '00000000000b', network: aNetwork('OMV') }), { diesel_premium: trusted(10_800) }),
      ...recordsOf(aStation({ id: '00000000000c', network: aNetwork('OMV') }), { petrol: trusted(9_600) }),
    ];
    const given = { snapshot: aSnapshot({ records, counties, cities: [aCity()] }) };
    const text = readPage('/judet/cluj?tip=motorina-premium', given);
    assert.match(text, /Cele mai ieftine stații din județ la motorină premium/);
    const networks = [
      ...text.matchAll(
        /<a href="\/retea\/(\w+)">.*?<td class="num">1<\/td><td class="num">([\d,]+)<\/td><td class="num">(.*?)</g,
      ),
    ];
    assert.deepEqual(
      networks.map(([, name, mean, difference]) => [name, mean, difference]),
      [
        ['omv', '10,80', ''],
        ['mol', '11,00', '+20'],
      ],
    );
    assert.match(text, /<a href="\/judet\/cluj\?tip=gpl">GPL<\/a>/);
    assert.match(text, /<a href="\/judet\/cluj\?tip=motorina-premium" aria-current="page">/);
    assert.match(text, /<link rel="canonical" href="[^"]*\/judet\/cluj">/);
    assert.doesNotMatch(readPage('/judet/cluj', given), /Rețelele comparate/, 'one network has petrol');
    assert.match(readPage('/en/county/cluj?tip=premium-diesel', given), /Cheapest premium diesel in the county/);
  });

  it('has the past of the chosen fuel, with the band of its stations', () => {
    const past = [8, 9].map((price, index) => ({
      ...{ day: TODAY - 2 + index, stations: 3, mean: price * 1_000 },
      ...{ min: 7_900, p10: 7_950, median: 8_000, p90: 9_100, max: 9_200 },
    }));
    const statistics = (scope: string, fuel: string) => (scope === 'county:CJ' && fuel === 'diesel' ? past : []);
    const given = { snapshot: { ...snapshot, statistics } };
    const page = readPage('/judet/cluj?tip=motorina', given);
    assert.match(page, /<h2>Prețul motorinei în ultimele 90 de zile<\/h2>\s*<figure/);
    assert.match(page, /8 din 10 benzinării din Cluj/);
    assert.match(page, /<a href="\/statistici\/judet-cluj\.csv" download>/);
    assert.doesNotMatch(readPage('/judet/cluj', given), /în ultimele 90 de zile/);
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
