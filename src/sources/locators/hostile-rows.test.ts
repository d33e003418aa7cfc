/** Malformed rows of the station finders: what is dropped, what is counted, and that the other rows stay. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sweepOf } from '../../../test/fuzz/single-answer.ts';
import { readAndCheck } from '../../../test/fuzz/sweep-invariants.ts';
import { type LocatorStation, molRow, wigeogisRow } from '../../simulation/feeds/simulated-locators.ts';
import { type LocatorBrand, locatorSource } from './locators.ts';

const AT = { town: 'Cluj-Napoca', address: 'Calea Turzii 7', postcode: '400495', lat: 46.74, lng: 23.59 };
const OMV: LocatorStation = { ...AT, id: 'RO.7.8', brand: 'OMV' };
const MOL: LocatorStation = { ...AT, id: '6010100007', brand: 'MOL' };

type ExpectedResult = readonly [
  station: Readonly<Record<string, unknown>> | null,
  counts: Readonly<Record<string, number>>,
];
type Cases = Readonly<Record<string, readonly [change: object, left: ExpectedResult]>>;
const PLAIN = ['petrol', 'diesel'];

const WIGEOGIS: Cases = {
  'no sid': [{ sid: undefined }, [null, { no_station_id: 1 }]],
  'sid null': [{ sid: null }, [null, { no_station_id: 1 }]],
  'sid with spaces inside': [{ sid: 'RO 7 8' }, [null, { no_station_id: 1 }]],
  'sid an object': [{ sid: { valueOf: 1 } }, [null, { no_station_id: 1 }]],
  'sid endless': [{ sid: `RO.${'7'.repeat(1000)}` }, [null, { no_station_id: 1 }]],
  'another country': [{ national_code: 'MD' }, [null, { other_country: 1 }]],
  'another country by its sid': [{ national_code: '', sid: 'BG.7.8' }, [null, { other_country: 1 }]],
  'no country but coordinates here': [{ national_code: null, sid: '78' }, [{ sourceId: '78' }, {}]],
  'no country and coordinates elsewhere': [
    { national_code: null, sid: '78', y: '48.2', x: '16.37' },
    [null, { other_country: 1 }],
  ],
  'the country in three letters': [{ national_code: 'ROU' }, [{ sourceId: 'RO.7.8' }, {}]],
  'another brand': [{ brand_id: 'PETROM' }, [null, { other_brand: 1 }]],
  'no brand': [{ brand_id: null }, [{ network: 'omv' }, {}]],
  'brand an object': [{ brand_id: { id: 'OMV' } }, [{ network: 'omv' }, {}]],
  'x and y mixed up': [{ x: '46.74', y: '23.59' }, [{ lat: 46.74, lng: 23.59 }, { swapped_coordinates: 1 }]],
  'coordinates as numbers': [{ x: 23.5, y: 46.7 }, [{ lat: 46.7, lng: 23.5 }, {}]],
  'coordinates with commas': [{ x: '23,59' }, [{ lat: null, lng: null }, { bad_coordinates: 1 }]],
  'coordinates off the globe': [{ x: '999' }, [{ lat: null, lng: null }, { bad_coordinates: 1 }]],
  'coordinates NaN': [{ x: 'NaN', y: 'NaN' }, [{ lat: null, lng: null }, { bad_coordinates: 1 }]],
  'coordinates 0,0': [{ x: '0', y: '0.0' }, [{ lat: null, lng: null }, { bad_coordinates: 1 }]],
  'coordinates absent': [{ x: '', y: null }, [{ lat: null, lng: null }, { no_coordinates: 1 }]],
  'coordinates lists': [{ x: [23.59], y: {} }, [{ lat: null, lng: null }, { bad_coordinates: 1 }]],
  'coordinates endless': [{ x: '2'.repeat(100_000) }, [{ lat: null, lng: null }, { bad_coordinates: 1 }]],
  'address with markup': [
    { address_l: 'DN1<br>KM 7 <script>x()</script>' },
    [{ address: 'DN1 KM 7, Cluj-Napoca' }, {}],
  ],
  'address endless': [{ address_l: 'a '.repeat(50_000) }, [{ services: [] }, { long_text: 1 }]],
  'address an object': [{ address_l: {} }, [{ address: 'Cluj-Napoca' }, { bad_text: 1 }]],
  'no address': [{ address_l: '', town_l: null }, [{ address: '' }, {}]],
  'half a character': [{ town_l: 'Cluj\udc00' }, [{ address: 'Calea Turzii 7' }, { bad_text: 1 }]],
  'NO TELEPHONE': [{ telnr: 'NO TELEPHONE' }, [{ phone: null }, {}]],
  'no telephone in small letters': [{ telnr: ' no telephone ' }, [{ phone: null }, {}]],
  'telephone with markup': [{ telnr: '<a href="tel:1">0264 123 456</a>' }, [{ phone: '0264 123 456' }, {}]],
  'telephone a text': [{ telnr: 'call us' }, [{ phone: null }, { bad_phone: 1 }]],
  'telephone a number': [{ telnr: 40264123456 }, [{ phone: '40264123456' }, {}]],
  'telephone an object': [{ telnr: {} }, [{ phone: null }, { bad_text: 1 }]],
  'telephone endless': [{ telnr: '07'.repeat(500) }, [{ phone: null }, { long_text: 1 }]],
  'hours empty, the other hours there': [
    { open_hours: '', opening_hours: 'dayOfWeek=1' },
    [{ hours: 'dayOfWeek=1' }, {}],
  ],
  'hours an object': [{ open_hours: {}, opening_hours: null }, [{ hours: null }, { bad_text: 1 }]],
  'hours endless': [
    { open_hours: 'Mo-Su 00:00-24:00; '.repeat(30), opening_hours: '' },
    [{ hours: null }, { long_hours: 1 }],
  ],
  'hours with a script': [{ open_hours: '<script>alert(1)</script>24/7' }, [{ hours: '24/7' }, {}]],
  'no petrol': [{ mm_95: 0, mm_super_100: '0' }, [{ fuels: ['diesel'] }, {}]],
  'fuels as texts': [
    { mm_95: '1', mm_super_100: '1', product_lpg: '1' },
    [{ fuels: [...PLAIN, 'petrol_premium', 'lpg'] }, {}],
  ],
  'fuels that are nothing': [{ mm_super_100: {}, product_lpg: -1, adblue_pump: 'x' }, [{ fuels: PLAIN }, {}]],
  'fuels null': [{ mm_95: null, mm_super_100: null, adblue_pump: true }, [{ fuels: [...PLAIN, 'adblue'] }, {}]],
  'services that are nothing': [{ shop: {}, viva: [], carwash_boxes: -2, ladestation: 'x' }, [{ services: [] }, {}]],
  'unexpected prices': [{ price: 8.88, prices: [{ name: 'MaxxMotion 95', price: '8.88' }] }, [{ fuels: PLAIN }, {}]],
  'keys of prototypes': [
    JSON.parse('{"__proto__":{"x":"1"},"constructor":1}'),
    [{ sourceId: 'RO.7.8', lat: 46.74 }, {}],
  ],
};

const MOLS: Cases = {
  'no code': [{ code: undefined }, [null, { no_station_id: 1 }]],
  'code a number': [{ code: 6010100007 }, [{ sourceId: '6010100007' }, {}]],
  'code a list': [{ code: ['1'] }, [null, { no_station_id: 1 }]],
  'code with markup': [{ code: '<i>7</i>' }, [null, { no_station_id: 1 }]],
  closed: [{ stationStatus: '3' }, [null, { not_in_service: 1 }]],
  'being built': [{ stationStatus: 5 }, [null, { not_in_service: 1 }]],
  'no status': [{ stationStatus: null }, [null, { not_in_service: 1 }]],
  'status a number': [{ stationStatus: 1 }, [{ network: 'mol' }, {}]],
  'closed for a while': [{ stationStatus: '4' }, [{ network: 'mol' }, {}]],
  'another brand': [{ brand: 'Slovnaft' }, [null, { other_brand: 1 }]],
  'brand in another spelling': [{ brand: 'MOL (AGIP)' }, [{ brand: 'MOL' }, {}]],
  'no brand': [{ brand: null }, [{ brand: 'MOL' }, {}]],
  'in Hungary': [{ gpsPosition: { latitude: 47.5, longitude: 19.04 } }, [null, { other_country: 1 }]],
  'coordinates as texts': [{ gpsPosition: { latitude: '46.7', longitude: '23.5' } }, [{ lat: 46.7, lng: 23.5 }, {}]],
  'coordinates swapped': [
    { gpsPosition: { latitude: 23.5, longitude: 46.7 } },
    [{ lat: 46.7, lng: 23.5 }, { swapped_coordinates: 1 }],
  ],
  'no position': [{ gpsPosition: null }, [{ lat: null, lng: null }, { no_coordinates: 1 }]],
  'position a text': [{ gpsPosition: '46.7,23.5' }, [{ lat: null }, { no_coordinates: 1 }]],
  'position a list': [{ gpsPosition: [46.7, 23.5] }, [{ lat: null }, { no_coordinates: 1 }]],
  'half a position': [{ gpsPosition: { latitude: 46.7 } }, [{ lat: null }, { bad_coordinates: 1 }]],
  'position 0,0': [{ gpsPosition: { latitude: 0, longitude: 0 } }, [{ lat: null }, { bad_coordinates: 1 }]],
  'hours absent': [{ openedHours: undefined }, [{ hours: null }, {}]],
  'hours a text': [{ openedHours: '00:00-24:00' }, [{ hours: null }, {}]],
  'hours a list': [{ openedHours: ['00:00-24:00'] }, [{ hours: null }, {}]],
  'hours with markup': [
    { openedHours: { openedSummerSunday: '<b>08:00</b>-14:00' } },
    [{ hours: 'duminică 08:00-14:00' }, {}],
  ],
  'a day endless': [
    { openedHours: { openedSummerSunday: '8'.repeat(500), openedSummerSaturday: '8-14' } },
    [{ hours: 'sâmbătă 8-14' }, {}],
  ],
  'fuels null': [{ fuelsAndAdditives: null, services: null }, [{ fuels: PLAIN }, {}]],
  'fuels of another name': [{ fuelsAndAdditives: undefined, services: null }, [{ fuels: PLAIN }, { no_fuel_list: 1 }]],
  'fuels a text': [{ fuelsAndAdditives: 'EVO 95', services: null }, [{ fuels: PLAIN }, {}]],
  'fuel values an object': [
    { fuelsAndAdditives: { values: { id: 'EVO_95' } }, services: null },
    [{ fuels: PLAIN }, { bad_list: 1 }],
  ],
  'fuels of which none is known': [
    { fuelsAndAdditives: { values: [{ id: 'WATER', name: 'Water' }, null, 7] }, services: null },
    [{ fuels: PLAIN }, { unknown_fuel: 1 }],
  ],
  'fuels by name alone': [
    { fuelsAndAdditives: { values: [{ name: 'EVO 100 Plus (GASOLINE PREMIUM)' }, { name: 'LPG ' }] }, services: null },
    [{ fuels: ['petrol_premium', 'lpg'] }, {}],
  ],
  'a fuel called __proto__': [
    { fuelsAndAdditives: { values: [{ id: '__proto__', name: 'constructor' }, { id: 'EVO_95' }] }, services: null },
    [{ fuels: ['petrol'] }, { unknown_fuel: 1 }],
  ],
  'gas that is no concern of ours': [
    { fuelsAndAdditives: { values: [{ id: 'CNG', name: 'CNG (in tank)' }, { id: 'EVO_DIESEL' }] }, services: null },
    [{ fuels: ['diesel'] }, {}],
  ],
  'fuels by the thousand': [
    { fuelsAndAdditives: { values: Array.from({ length: 9000 }, () => ({ id: 'EVO_95' })) }, services: null },
    [{ fuels: ['petrol'] }, {}],
  ],
  'AdBlue among the services alone': [
    { fuelsAndAdditives: { values: [] }, services: { values: [{ id: 'AD_BLUE', name: 'AdBlue' }] } },
    [{ fuels: [...PLAIN, 'adblue'], services: ['AdBlue', 'Fresh Corner'] }, {}],
  ],
  'services with markup, twice, and empty': [
    { services: { values: [{ name: '<b>WC</b>' }, { name: 'WC' }, { name: '' }, {}, null] }, gastroCategory: null },
    [{ services: ['WC'] }, {}],
  ],
  'services that are objects': [
    { services: { values: [{ name: {} }] }, gastroCategory: {} },
    [{ services: [] }, { bad_text: 1 }],
  ],
  'more services than anybody offers': [
    { services: { values: Array.from({ length: 100 }, (_, i) => ({ name: `Serviciul ${i}` })) }, gastroCategory: null },
    [{ services: Array.from({ length: 40 }, (_, i) => `Serviciul ${i}`) }, { many_services: 1 }],
  ],
  'a service of a thousand words': [
    { services: { values: [{ name: 'x'.repeat(5000) }] }, gastroCategory: null },
    [{ services: ['x'.repeat(60)] }, { long_text: 1 }],
  ],
  'name with a script': [{ name: '<script>x</script>Arad' }, [{ name: 'Arad' }, {}]],
  'name of nothing but markup': [{ name: '<br><br>' }, [{ name: '' }, { bad_text: 1 }]],
  'name with a sign that does not exist': [{ name: 'Arad &#0;' }, [{ name: '' }, { bad_text: 1 }]],
  'name turned round': [{ name: '\u202eArad' }, [{ name: 'Arad' }, {}]],
  'both telephones': [{ phoneNum: '-', mobileNum: '0722 123 123' }, [{ phone: '0722 123 123' }, {}]],
  'telephones of nothing': [{ phoneNum: '0', mobileNum: 'n/a' }, [{ phone: null }, {}]],
  'keys of prototypes': [JSON.parse('{"__proto__":{"code":"x"},"toString":1}'), [{ sourceId: '6010100007' }, {}]],
};

holds('omv', WIGEOGIS, OMV, wigeogisRow);
holds('mol', MOLS, MOL, molRow);

function holds(
  brand: LocatorBrand,
  cases: Cases,
  station: LocatorStation,
  rowOf: (station: LocatorStation) => object,
): void {
  describe(`a row of ${brand} with`, () => {
    for (const [title, [change, [expected, counts]]] of Object.entries(cases)) {
      test(title, async () => {
        const rows = [rowOf({ ...station, id: 'RO.1.1' }), { ...rowOf(station), ...change }];
        const { stations, readings, rejections } = await sweepOf(locatorSource(brand), rows);
        assert.deepEqual(rejections.counts(), counts);
        assert.equal(stations[0]?.sourceId, 'RO.1.1');
        const own = stations[1];
        const fuels = readings.filter(({ sourceId }) => sourceId === own?.sourceId).map(({ fuel }) => fuel);
        const found: Record<string, unknown> = { ...own, fuels };
        const parsed = own
          ? Object.fromEntries(Object.keys(expected ?? {}).map((field) => [field, found[field]]))
          : null;
        assert.deepEqual(parsed, expected);
      });
    }
  });

  test(`a field of ${brand} 50,000 brackets deep harms nothing`, async () => {
    const row = JSON.stringify(rowOf(station));
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const field of Object.keys(rowOf(station))) {
      const body = `[${row},{"${field}":${deep},${row.slice(1)},${row.slice(0, -1)},"${field}":${deep}}]`;
      await readAndCheck(locatorSource(brand), Buffer.from(body));
    }
  });
}
