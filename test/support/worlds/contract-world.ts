/** A small country with every kind of record, which the contract tests and the examples of the OpenAPI document see. */
import { dayNumber } from '../../../src/domain/days.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import {
  aCity,
  aCounty,
  aFact,
  aHistory,
  aNational,
  aNetwork,
  aNetworkPrices,
  aSnapshot,
  aStation,
  doubtful,
  expired,
  NOON,
  prices,
  recordsOf,
  trusted,
} from '../builders/snapshot-builders.ts';

export const TURZII = '0a1b2c3d4e5f';
const DORNEI = '1b2c3d4e5f60';
const COPOU = '2c3d4e5f6071';
const HARGHITEI = '3d4e5f607182';

const turzii = aStation({
  id: TURZII,
  hours: 'Luni-Duminică 00:00-24:00',
  services: ['Magazin', 'Spălătorie'],
  phone: '+40 264 000 000',
});
const dornei = aStation({
  id: DORNEI,
  network: aNetwork('OMV'),
  city: 'Iasi',
  county: 'IS',
  countyName: 'Iasi',
  address: 'Șoseaua Păcurari 90',
  lat: 47.1742,
  lng: 27.5412,
});
const copou = aStation({
  id: COPOU,
  network: aNetwork('Rompetrol'),
  city: 'Iasi',
  county: 'IS',
  countyName: 'Iasi',
  address: 'Bulevardul Carol I 40',
  lat: 47.18,
  lng: 27.56,
  name: 'Rompetrol Copou',
  franchise: true,
  priceNote: 'Rețeaua nu publică prețul acestei stații.',
  suspectCoordinates: true,
});
const harghitei = aStation({
  id: HARGHITEI,
  network: aNetwork('MOL'),
  city: 'Targu Mures',
  county: 'MS',
  countyName: 'Mures',
  address: '',
  lat: 46.545,
  lng: 24.5625,
  approximateCoordinates: true,
});

const records = [
  ...recordsOf(turzii, {
    petrol: trusted(7_450),
    petrol_premium: { kind: 'incoherent' },
    diesel: trusted(7_890, { observed: { day: '2026-11-20', at: NOON - 3_600_000, text: '20.11.2026 09:00' } }),
    adblue: trusted(4_299, { observed: null }),
  }),
  ...recordsOf(dornei, {
    petrol: doubtful(7_399, 'stuck', '2026-11-01'),
    diesel: doubtful(7_799, 'stale', '2026-11-10'),
    lpg: doubtful(3_719, 'orphaned', null),
  }),
  ...recordsOf(copou, { petrol: expired('2026-11-18T12:05:00Z'), diesel: { kind: 'unknown', reason: 'unpublished' } }),
  ...recordsOf(harghitei, { petrol: trusted(7_429), diesel: { kind: 'trusted', price: 7_849, fact: aFact() } }),
];

/** The world as of 20 November 2026, 10:00 in Bucharest. */
export function world(parts: Partial<Parameters<typeof aSnapshot>[0]> = {}): Snapshot {
  return aSnapshot({
    records,
    cities: [
      aCity(),
      aCity({
        name: 'Targu Mures',
        county: 'MS',
        lat: 46.5425,
        lng: 24.5575,
        prices: prices({ petrol: 7_429, diesel: 7_849 }),
      }),
    ],
    networks: [
      aNetworkPrices('MOL', { petrol: 7_430, diesel: 7_850 }),
      aNetworkPrices('OMV'),
      aNetworkPrices('Petrom', { petrol: 7_450, diesel: 7_890 }),
      aNetworkPrices('Rompetrol'),
    ],
    counties: [aCounty(), aCounty({ code: 'MS', prices: prices({ petrol: 7_430, diesel: 7_850 }) })],
    national: {
      ...aNational({}),
      petrol: { min: 7_429, mean: 7_440, max: 7_450 },
      diesel: { min: 7_849, mean: 7_870, max: 7_890 },
    },
    histories: {
      [TURZII]: aHistory('2026-11-15', {
        petrol: {
          '2026-11-15': 7_495,
          '2026-11-16': 7_480,
          '2026-11-18': 7_470,
          '2026-11-19': 7_450,
          '2026-11-20': 7_450,
        },
        diesel: { '2026-11-20': 7_890 },
      }),
      [COPOU]: { ...aHistory('2026-01-02', { petrol: {} }), firstDay: dayNumber('2026-01-02') },
    },
    ...parts,
  });
}
