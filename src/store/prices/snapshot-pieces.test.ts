import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { FUELS } from '../../domain/fuel.ts';
import { NO_PUBLISHED_FACTS } from '../../domain/prices/facts.ts';
import { describeStations, type SourceStation } from '../../domain/stations/source-station.ts';
import type { Station } from '../../domain/stations/station.ts';
import { toStoredPrice } from './load-facts.ts';
import { factPieces, joinSnapshotPieces, SNAPSHOT_FORMAT } from './snapshot-pieces.ts';

/** Changed together: whoever derives facts otherwise raises the format, and notes what is derived now. */
const DERIVED = {
  format: 'pompa-last-good-5',
  sha256: '8d9f5fa4b41048ba52ef0304e8220541284fb69281b1b37eca7adaa5261f29ec',
};

test('facts are derived from rows as their format says', () => {
  const derived = JSON.stringify([describeStations(sourceStations()), rows().map(toStoredPrice)]);
  const sha256 = createHash('sha256').update(derived).digest('hex');
  const advice = `other facts are derived: raise SNAPSHOT_FORMAT, else readers keep what was packed before. ${derived}`;
  assert.deepEqual({ format: SNAPSHOT_FORMAT, sha256 }, DERIVED, advice);
});

test('stations are the same objects until one of them changes', () => {
  const stations = describeStations(sourceStations());
  const packed = (of: readonly Station[], version: number) =>
    Buffer.concat([...factPieces({ ...NO_PUBLISHED_FACTS, version, stations: of })]);
  const read = (bytes: Buffer) => runToEnd(joinSnapshotPieces(bytes)).facts;
  const first = read(packed(stations, 1));
  const again = read(packed(describeStations(sourceStations()), 2));
  const moved = read(
    packed(
      stations.map((each) => ({ ...each, address: 'Strada Nouă 1' })),
      3,
    ),
  );
  assert.deepEqual(first?.stations, stations);
  assert.equal(again?.stations, first?.stations);
  assert.equal(again?.version, 2);
  assert.deepEqual(
    moved?.stations.map(({ address }) => address),
    stations.map(() => 'Strada Nouă 1'),
  );
});

/** Stations of which each source says something else, or nothing. */
function sourceStations(): SourceStation[] {
  const nothing = { siruta: null, locality: null, hours: null, services: [], phone: null, manual: null };
  const plain = {
    ...nothing,
    network: 'omv',
    brand: 'OMV',
    name: 'OMV 1',
    address: '',
    lat: null,
    lng: null,
    seenAt: 5,
  };
  const manual = { name: 'Stația lui Ion', franchise: true, priceNote: 'la pompă' };
  return [
    {
      ...plain,
      source: 'register',
      key: 'b',
      station: '2',
      address: 'Strada Lungă 1',
      lat: 45.5,
      lng: 25.25,
      siruta: 40_198,
    },
    {
      ...plain,
      source: 'register',
      key: 'a',
      station: '2',
      address: 'Strada Lungă 2',
      lat: 45.5,
      lng: 25.25,
      seenAt: 9,
    },
    {
      ...plain,
      source: 'locator:omv',
      key: 'c',
      station: '2',
      lat: 45.75,
      lng: 25.5,
      services: ['WC', 'Cafea'],
      hours: '24/7',
    },
    { ...plain, source: 'manual', key: 'd', station: '2', services: ['cafea', 'Spălătorie'], phone: '0268', manual },
    { ...plain, source: 'prices:omv', key: 'e', station: '2', brand: 'Omv', locality: 'brasov', hours: 'L-V 8-20' },
    { ...plain, source: 'manual', key: 'f', station: '1', network: 'independent', brand: 'Ion', name: 'Ion' },
    { ...plain, source: 'locator:mol', key: 'h', station: '10', network: 'mol', brand: 'MOL', phone: '1' },
    { ...plain, source: 'locator:mol', key: 'g', station: '10', network: 'mol', brand: 'MOL', phone: '2' },
  ];
}

/** Prices of every fuel, and every way in which the moment of one may be known. */
function rows(): Parameters<typeof toStoredPrice>[0][] {
  const at = Date.parse('2026-11-20T08:00Z');
  const moments = [
    { observed_day: null, observed_at: null, observed_text: null },
    { observed_day: '2026-11-20', observed_at: null, observed_text: null },
    { observed_day: '2026-11-20', observed_at: at, observed_text: '20.11.2026 10:00' },
  ];
  return FUELS.map((_, fuel) => ({
    ...{ station_id: String(fuel), fuel, source: 'register', unit: `1:${fuel}`, price: 7_000 + fuel },
    ...{
      since_day: '2026-11-19',
      changed: fuel % 2 === 0,
      read_at: fuel % 2 === 0 ? at + 1 : null,
      seen_at: at,
      missing_since: fuel % 3 === 0 ? at : null,
    },
    ...(moments[fuel % 3] as (typeof moments)[number]),
  }));
}
