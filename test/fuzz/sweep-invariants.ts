/** Invariants of a sweep, whatever a source receives. */

import assert from 'node:assert/strict';
import { DEFAULT_RANGES, FUELS, isInRange } from '../../src/domain/fuel.ts';
import type { PriceReading, StationDescription } from '../../src/domain/reports/observation.ts';
import type { Sweep } from '../../src/domain/reports/sweep.ts';
import { type Source, SourceFailed } from '../../src/sources/source.ts';
import { sweepOf } from './single-answer.ts';

/** Reads a body; returns `null` when the source fails with one sentence, which is allowed; fails on a bad sweep. */
export async function readAndCheck(source: Source, body: Uint8Array): Promise<Sweep | null> {
  const sweep = await sweepOf(source, body).catch((error: unknown) => {
    if (!(error instanceof SourceFailed)) throw error;
    assert.match(error.message, /^[^\n]{5,600}$/);
    return null;
  });
  if (sweep !== null) assertSound(sweep);
  return sweep;
}

function assertSound({ stations, readings, rejections }: Sweep): void {
  const ids = stations.map(({ sourceId }) => sourceId);
  assert.equal(new Set(ids).size, ids.length, 'each station once');
  for (const station of stations) assertStation(station);
  const keys = readings.map(({ sourceId, fuel }) => `${sourceId} ${fuel}`);
  assert.equal(new Set(keys).size, keys.length, 'one reading per station and fuel');
  const known = new Set(ids);
  for (const reading of readings) assertReading(reading, known);
  const outOfRange = readings.filter(({ price, fuel }) => price !== null && !isInRange(price, fuel, DEFAULT_RANGES));
  const refused = Object.values(rejections.counts()).reduce((sum, count) => sum + count, 0);
  const rows = new Set(outOfRange.map(({ sourceId }) => sourceId)).size;
  assert.ok(refused >= rows, 'a row with a price out of range is counted');
  for (const samples of Object.values(rejections.samples())) assert.ok(samples.every((one) => one.length <= 200));
}

function assertReading({ sourceId, fuel, price, unit, observed }: PriceReading, stations: ReadonlySet<string>): void {
  assert.ok(stations.has(sourceId) && FUELS.includes(fuel) && unit === 'all' && observed === null);
  assert.ok(price === null || (Number.isInteger(price) && price > 0 && price <= 1_000_000), `price ${price}`);
}

function assertStation(station: StationDescription): void {
  const { lat, lng, name, address, hours, phone, services, siruta } = station;
  assert.equal(lat === null, lng === null);
  assert.ok(lat === null || (Math.abs(lat) <= 90 && Math.abs(lng ?? 0) <= 180));
  assert.equal(siruta, null);
  assert.match(station.sourceId, /^[\w.:/-]{1,64}$/);
  assert.ok(services.length <= 40);
  for (const [text, longest] of [
    [name, 200],
    [address, 200],
    [hours ?? '', 400],
    [phone ?? '', 60],
    ...services.map((service) => [service, 60] as const),
  ] as const) {
    assert.ok(text.length <= longest, `${text.length} characters`);
    assert.doesNotMatch(text, /[\p{Cc}\p{Bidi_Control}<>\u{fffd}]|^\s|\s$/u);
  }
}
