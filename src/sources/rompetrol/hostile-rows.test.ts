/** Rows of Rompetrol's list with something wrong in them: what is lost, what is counted, and that the others stay. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sweepOf } from '../../../test/fuzz/single-answer.ts';
import { readAndCheck } from '../../../test/fuzz/sweep-invariants.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { infoWindow } from '../../simulation/feeds/simulated-rompetrol.ts';
import { rompetrolSource } from './rompetrol.ts';

const PRICES = { 'Efix Benzina 95': '8.88 LEI/L', 'Efix Motorina 51': '8.99 LEI/L' };
const GOOD = {
  id: 7,
  name: 'Rompetrol Cluj 7',
  county: 'Cluj',
  city: 'Cluj-Napoca',
  address: 'Calea Turzii 7',
  lat: 46.74,
  lng: 23.59,
  services: ['28', '31', '7'],
  infowindow: infoWindow('Rompetrol Cluj 7', PRICES, 'Non-Stop', '0264 123 456'),
};
const shown = (prices: Readonly<Record<string, string>>) => ({ infowindow: infoWindow('x', prices) });
const petrol = (price: string) => shown({ 'Efix 95': price, 'Motorina Efix': '8.99 LEI/L' });
const PAIR = { petrol: 8880, diesel: 8990 };

type ExpectedResult = {
  /** Prices by fuel; `null` = the row is dropped. */
  readonly prices: Readonly<Record<string, number | null>> | null;
  readonly counts: Readonly<Record<string, number>>;
  /** Fields of the station that matter here. */
  readonly station?: Readonly<Record<string, unknown>>;
};
const expected = (
  prices: ExpectedResult['prices'],
  counts: ExpectedResult['counts'],
  station?: ExpectedResult['station'],
): ExpectedResult => ({
  prices,
  counts,
  ...(station && { station }),
});

const CASES: Readonly<Record<string, readonly [change: object, left: ExpectedResult]>> = {
  'no id': [{ id: undefined }, expected(null, { no_station_id: 1 })],
  'id null': [{ id: null }, expected(null, { no_station_id: 1 })],
  'id an object': [{ id: { toString: 1 } }, expected(null, { no_station_id: 1 })],
  'id with markup': [{ id: '<b>7</b>' }, expected(null, { no_station_id: 1 })],
  'id too long': [{ id: '7'.repeat(65) }, expected(null, { no_station_id: 1 })],
  'id as a text': [{ id: ' 7 ' }, expected(PAIR, {}, { sourceId: '7' })],
  'id __proto__ is an id like any other': [{ id: '__proto__' }, expected(PAIR, {}, { sourceId: '__proto__' })],
  'no window': [{ infowindow: undefined }, expected({ petrol: null, diesel: null }, { no_infowindow: 1 })],
  'window a number': [{ infowindow: 8.88 }, expected({ petrol: null, diesel: null }, { no_infowindow: 1 })],
  'window an object': [{ infowindow: { html: 'x' } }, expected({ petrol: null, diesel: null }, { no_infowindow: 1 })],
  'window without a price': [{ infowindow: '<p>Benvenuti</p>' }, expected({ petrol: null, diesel: null }, {})],
  'window of 5 MB': [
    { infowindow: 'x'.repeat(5_000_000) },
    expected({ petrol: null, diesel: null }, { bad_infowindow: 1 }),
  ],
  'window of open tags': [
    { infowindow: '<div>'.repeat(4000) },
    expected({ petrol: null, diesel: null }, { bad_infowindow: 1 }),
  ],
  'window of nested items': [
    { infowindow: `${'<div class="item">'.repeat(200)}${'</div>'.repeat(200)}` },
    expected({ petrol: null, diesel: null }, { bad_infowindow: 1 }),
  ],
  'window of open links': [{ infowindow: '<a>'.repeat(400) }, expected({ petrol: null, diesel: null }, {})],
  'window of more elements than a window has': [
    { infowindow: '<br>'.repeat(601) },
    expected({ petrol: null, diesel: null }, { bad_infowindow: 1 }),
  ],
  'window with a script about prices': [
    {
      infowindow: `<script>document.write('<div class="item"><div class="fuel">Efix 95</div><span class="small">1.00 LEI/L</span></div>')</script>${GOOD.infowindow}`,
    },
    expected(PAIR, {}),
  ],
  'a price behind a comment': [
    {
      infowindow: `<!-- <div class="item"><div class="fuel">Efix 95</div><span class="small">1.00 LEI/L</span></div> -->${GOOD.infowindow}`,
    },
    expected(PAIR, {}),
  ],
  'markup inside a price': [petrol('<b>8.88</b> <i>LEI/L</i>'), expected(PAIR, {})],
  'entities inside a price': [petrol('8&#46;88&nbsp;LEI&#47;L'), expected(PAIR, {})],
  'a comma': [petrol('8,88 LEI/L'), expected(PAIR, {})],
  'three decimals': [petrol('8.889 LEI/L'), expected({ ...PAIR, petrol: 8889 }, {})],
  'price zero': [petrol('0.00 LEI/L'), expected({ ...PAIR, petrol: null }, { no_price: 1 })],
  'price empty': [petrol(''), expected({ ...PAIR, petrol: null }, { no_price: 1 })],
  'price a dash': [petrol('-'), expected({ ...PAIR, petrol: null }, { no_price: 1 })],
  'price negative': [petrol('-8.88 LEI/L'), expected({ ...PAIR, petrol: null }, { price_negative: 1 })],
  'price too low to be believed': [petrol('0.88 LEI/L'), expected({ ...PAIR, petrol: 880 }, { out_of_range: 1 })],
  'price too high to be believed': [petrol('88.80 LEI/L'), expected({ ...PAIR, petrol: 88_800 }, { out_of_range: 1 })],
  'price beyond all sense': [petrol('8888 LEI/L'), expected({ ...PAIR, petrol: null }, { out_of_range: 1 })],
  'price endless': [
    petrol(`${'9'.repeat(400)} LEI/L`),
    expected({ ...PAIR, petrol: null }, { price_not_understood: 1 }),
  ],
  'price NaN': [petrol('NaN LEI/L'), expected({ ...PAIR, petrol: null }, { price_not_understood: 1 })],
  'price without a currency': [petrol('8.88'), expected({ ...PAIR, petrol: null }, { price_not_understood: 1 })],
  'price in euro': [petrol('1.79 EUR/L'), expected({ ...PAIR, petrol: null }, { other_currency: 1 })],
  'price a kilogram': [petrol('8.88 LEI/KG'), expected({ ...PAIR, petrol: null }, { other_quantity: 1 })],
  'price in Arabic digits': [petrol('٨.٨٨ LEI/L'), expected({ ...PAIR, petrol: null }, { price_not_understood: 1 })],
  'price reversed by an invisible character': [
    petrol('\u202e88.8 LEI/L'),
    expected({ ...PAIR, petrol: null }, { price_not_understood: 1 }),
  ],
  'two prices of one fuel': [
    shown({ 'Efix 95': '8.88 LEI/L', 'Benzina 95': '8.60 LEI/L', 'Benzina Standard 95': '0.60 LEI/L' }),
    expected({ petrol: 8600 }, { out_of_range: 1 }),
  ],
  'an unknown product': [shown({ ...PRICES, 'Calor Extra': '7.10 LEI/L' }), expected(PAIR, { unknown_fuel: 1 })],
  'a product called constructor': [
    shown({ ...PRICES, constructor: '7.10 LEI/L' }),
    expected(PAIR, { unknown_fuel: 1 }),
  ],
  'a product without a name': [shown({ ...PRICES, '': '7.10 LEI/L' }), expected(PAIR, { unknown_fuel: 1 })],
  'a hundred items': [
    shown(Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`Produs ${i}`, '1.00 LEI/L']))),
    expected({ petrol: null, diesel: null }, { unknown_fuel: 1 }),
  ],
  'coordinates as texts': [{ lat: '46.74', lng: '23.59' }, expected(PAIR, {}, { lat: 46.74, lng: 23.59 })],
  'coordinates swapped': [
    { lat: 23.59, lng: 46.74 },
    expected(PAIR, { swapped_coordinates: 1 }, { lat: 46.74, lng: 23.59 }),
  ],
  'coordinates 0,0': [{ lat: 0, lng: 0 }, expected(PAIR, { bad_coordinates: 1 }, { lat: null, lng: null })],
  'coordinates off the globe': [{ lat: 146.74 }, expected(PAIR, { bad_coordinates: 1 }, { lat: null, lng: null })],
  'coordinates with commas': [{ lat: '46,74' }, expected(PAIR, { bad_coordinates: 1 }, { lat: null, lng: null })],
  'coordinates objects': [{ lat: {}, lng: [] }, expected(PAIR, { bad_coordinates: 1 }, { lat: null, lng: null })],
  'coordinates absent': [{ lat: null, lng: '' }, expected(PAIR, { no_coordinates: 1 }, { lat: null, lng: null })],
  'coordinates in Bulgaria, prices in lei': [
    { lat: 42.69, lng: 23.32 },
    expected(PAIR, {}, { lat: 42.69, lng: 23.32 }),
  ],
  'name with a script': [
    { name: 'Rompetrol <script>alert(1)</script>Cluj' },
    expected(PAIR, {}, { name: 'Rompetrol Cluj' }),
  ],
  'name with an escaped script': [
    { name: 'Cluj &lt;img src=x onerror=alert(1)&gt;' },
    expected(PAIR, {}, { name: 'Cluj' }),
  ],
  'name with control characters': [
    { name: 'Cluj\u0000\u001b[31m\u202e 7' },
    expected(PAIR, {}, { name: 'Cluj [31m 7' }),
  ],
  'name with half a character': [{ name: 'Cluj \ud83d' }, expected(PAIR, { bad_text: 1 }, { name: '' })],
  'name endless': [{ name: 'a'.repeat(100_000) }, expected(PAIR, { long_text: 1 }, { name: 'a'.repeat(200) })],
  'name an object': [{ name: { toString: 1 } }, expected(PAIR, { bad_text: 1 }, { name: '' })],
  'address a list': [{ address: ['a'] }, expected(PAIR, { bad_text: 1 }, { address: 'Cluj-Napoca' })],
  'town and street absent': [{ address: null, city: undefined }, expected(PAIR, {}, { address: '' })],
  'services a text': [{ services: '28,31' }, expected(PAIR, { bad_services: 1 }, { services: [] })],
  'services objects': [{ services: [{}, null, ['7']] }, expected(PAIR, { unknown_service: 1 }, { services: [] })],
  'services unknown': [
    { services: ['7', '999', '__proto__', 7] },
    expected(PAIR, { unknown_service: 1 }, { services: ['Wi-Fi'] }),
  ],
  'services by the thousand': [
    { services: Array.from({ length: 5000 }, (_, i) => String(1000 + i)) },
    expected(PAIR, { unknown_service: 1 }, { services: [] }),
  ],
  'hours endless': [
    { infowindow: infoWindow('x', PRICES, 'L-V '.repeat(200), '') },
    expected(PAIR, { long_hours: 1 }, { hours: null }),
  ],
  'telephone a joke': [
    { infowindow: infoWindow('x', PRICES, '', 'sunati!') },
    expected(PAIR, { bad_phone: 1 }, { phone: null }),
  ],
  'keys of prototypes': [
    JSON.parse('{"__proto__":{"name":"x"},"constructor":{"prototype":{"name":"x"}}}'),
    expected(PAIR, {}),
  ],
};

describe('a row with', () => {
  for (const [title, [change, expected]] of Object.entries(CASES)) {
    test(title, async () => {
      const other = { ...GOOD, id: 1, name: 'Rompetrol Cluj 1' };
      const { stations, readings, rejections } = await sweepOf(rompetrolSource(loadGazetteer()), [
        other,
        { ...GOOD, ...change },
      ]);
      assert.deepEqual(pricesOf(readings, '1'), PAIR);
      const station = stations.find(({ sourceId }) => sourceId !== '1');
      assert.deepEqual(station ? pricesOf(readings, station.sourceId) : null, expected.prices);
      assert.deepEqual(rejections.counts(), expected.counts);
      for (const [field, value] of Object.entries(expected.station ?? {})) {
        assert.deepEqual(station?.[field as keyof typeof station], value);
      }
    });
  }
});

test('a field 50,000 brackets deep harms nothing', async () => {
  const row = JSON.stringify(GOOD);
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  for (const field of ['id', 'name', 'county', 'lat', 'services', 'infowindow']) {
    await readAndCheck(
      rompetrolSource(loadGazetteer()),
      Buffer.from(`[${row},{"${field}":${deep},${row.slice(1)},{"x":${deep}}]`),
    );
    await readAndCheck(
      rompetrolSource(loadGazetteer()),
      Buffer.from(`[${row},${row.slice(0, -1)},"${field}":${deep}}]`),
    );
  }
});

test('an answer full of the worst windows is read in bounded time, and others get their turn', async () => {
  const worst = '<a></b></a><b>'.repeat(140);
  const rows = Array.from({ length: 1000 }, (_, id) => ({ ...GOOD, id: id + 1, infowindow: worst }));
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 1);
  const sweep = await sweepOf(rompetrolSource(loadGazetteer()), [...rows, { ...GOOD, id: 1001 }]);
  clearInterval(ticking);
  assert.equal(sweep.stations.length, 1001);
  assert.ok(turns > 5, `${turns} turns`);
});

function pricesOf(readings: Sweep['readings'], id: string): Record<string, number | null> {
  const own = readings.filter(({ sourceId }) => sourceId === id);
  return Object.fromEntries(own.map(({ fuel, price }) => [fuel, price]));
}
