import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { FUELS } from '../../domain/fuel.ts';
import { NO_PUBLISHED_FACTS, type PublishedFacts, type StoredPrice } from '../../domain/prices/facts.ts';
import { PUBLICATION_FORMAT } from '../../domain/prices/publication-announcement.ts';
import { describeStations, type SourceStation } from '../../domain/stations/source-station.ts';
import type { Station } from '../../domain/stations/station.ts';
import { toStoredPrice } from './load-facts.ts';
import { toPriceColumns } from './price-columns.ts';
import { factPieces, joinSnapshotPieces, SNAPSHOT_FORMAT } from './snapshot-pieces.ts';

/** Changed together: whoever derives facts otherwise raises the formats, and notes what is derived now. */
const DERIVED = {
  format: 'pompa-last-good-7',
  publication: 'pompa-publication-2',
  sha256: 'c3d50498b70274b9dbd883fc088496645868d159c5a0e5d554635b42746fcb79',
};

test('facts are derived from rows as their format says', () => {
  const prices = rows().map(toStoredPrice);
  const derived = JSON.stringify([describeStations(sourceStations()), prices, toPriceColumns(prices)]);
  const sha256 = createHash('sha256').update(derived).digest('hex');
  const advice = `other facts are derived: raise both formats, else readers keep what was packed before. ${derived}`;
  assert.deepEqual({ format: SNAPSHOT_FORMAT, publication: PUBLICATION_FORMAT, sha256 }, DERIVED, advice);
});

describe('facts in pieces', () => {
  const [station] = describeStations(sourceStations()) as [Station];
  const price = rows().map(toStoredPrice)[0] as StoredPrice;
  const many = Array.from({ length: 1_001 }, (_, number) => number);
  const facts = (changed: readonly number[]): PublishedFacts => ({
    ...NO_PUBLISHED_FACTS,
    version: 7,
    stations: many.map((id) => ({ ...station, id: String(id), address: changed.includes(id) ? 'nouă' : 'veche' })),
    prices: many.map((id) => ({ ...price, station: String(id), price: 7_000 + id })),
  });
  const packed = (of: PublishedFacts) => [...factPieces(of)];
  const read = (pieces: readonly Buffer[]) => runToEnd(joinSnapshotPieces(Buffer.concat([...pieces]))).facts;

  test('are the same when they are joined', () => {
    assert.deepEqual(read(packed(facts([]))), facts([]));
    assert.deepEqual(read(packed(NO_PUBLISHED_FACTS)), NO_PUBLISHED_FACTS);
  });

  test('have the same stations as the last time, the same objects, in each piece that no station changed in', () => {
    const before = read(packed(facts([])))?.stations;
    const after = read(packed(facts([700])))?.stations;
    const same = many.filter((id) => after?.[id] === before?.[id]);
    assert.deepEqual(same, [...many.slice(0, 500), 1_000]);
    assert.deepEqual(after, facts([700]).stations);
  });

  test('are refused if a piece is missing or there is one too many', () => {
    const pieces = packed(facts([]));
    assert.throws(() => read(pieces.toSpliced(1, 1)), /fewer stations than it says/);
    assert.throws(() => read(pieces.toSpliced(1, 0, pieces[1] as Buffer)), /more stations than it says/);
  });
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
