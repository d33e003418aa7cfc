/** Price lists in real formats with a few bytes changed, and the invariants of everything read from them. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_RANGES, FUELS, isInRange } from '../../src/domain/fuel.ts';
import type { ObservationTime } from '../../src/domain/reports/observation.ts';
import type { Sweep } from '../../src/domain/reports/sweep.ts';
import { knownNetwork } from '../../src/domain/stations/network.ts';
import { TOLERATED_AHEAD_MS } from '../../src/sources/manual/parse-values.ts';
import { SourceFailed } from '../../src/sources/source.ts';
import { mutatedBodies } from './mutations.ts';
import { fixtures, NOW, type PriceListCase, readListInProcess } from './price-lists.ts';

/** Mutated lists of every kind, with and without a map. */
export function mutatedLists(): fc.Arbitrary<PriceListCase> {
  return fc.oneof(...fixtures().map((list) => mutatedBodies(list.body).map((body) => ({ ...list, body }))));
}

/** Reads a list; returns `null` when it is refused as a whole in one sentence, which is allowed; fails otherwise. */
export async function readListAndCheck(list: PriceListCase): Promise<Sweep | null> {
  const sweep = await readListInProcess(list).catch((error: unknown) => {
    if (!(error instanceof SourceFailed)) throw error;
    assert.match(error.message, /^the [^\n\p{Cc}]{5,700}$/u);
    return null;
  });
  if (sweep !== null) assertSound(sweep, knownNetwork(list.name)?.slug ?? null);
  return sweep;
}

function assertSound(
  { stations, readings, networkPrices = [], rejections, units }: Sweep,
  fixedNetwork: string | null,
): void {
  assert.deepEqual([...units], [['all', 'read']]);
  const ids = new Set(stations.map(({ sourceId, network }) => `${network} ${sourceId}`));
  assert.equal(ids.size, stations.length, 'each station once');
  for (const { sourceId, network } of readings) assert.ok(ids.has(`${network} ${sourceId}`));
  const allReadings = [...readings, ...networkPrices.map((price) => ({ ...price, sourceId: '', unit: 'all' }))];
  assert.equal(
    new Set(allReadings.map((each) => `${each.network} ${each.sourceId} ${each.fuel}`)).size,
    allReadings.length,
  );
  for (const { network, fuel, price, observed, unit } of allReadings) {
    assert.ok(FUELS.includes(fuel) && unit === 'all' && /^\S+$/.test(network) && (fixedNetwork ?? network) === network);
    assert.ok(price === null || (Number.isInteger(price) && price > 0 && price <= 1_000_000), `price ${price}`);
    assertObserved(observed);
  }
  const outOfRange = allReadings.filter(({ price, fuel }) => price !== null && !isInRange(price, fuel, DEFAULT_RANGES));
  // A row is counted once, by its first reason, which may be another one such as a bad date; a row has one owner.
  const owners = new Set(outOfRange.map(({ network, sourceId }) => `${network} ${sourceId}`));
  const rejectedRows = Object.values(rejections.counts()).reduce((sum, count) => sum + count, 0);
  assert.ok(rejectedRows >= owners.size, 'a row with a price out of range is counted');
  for (const { sourceId, name, address, lat, lng } of stations) {
    assert.ok(sourceId !== '' && sourceId.length <= 64 && name.length <= 200 && address.length <= 200);
    assert.doesNotMatch(`${sourceId}${name}${address}`, /[\p{Cc}\p{Bidi_Control}]/u);
    assert.ok(lat === null ? lng === null : Math.abs(lat) <= 90 && Math.abs(lng ?? 999) <= 180);
  }
  for (const samples of Object.values(rejections.samples())) assert.ok(samples.every((one) => one.length <= 200));
}

function assertObserved(observed: ObservationTime | null): void {
  if (observed === null) return;
  assert.match(observed.day, /^20\d\d-\d\d-\d\d$/);
  assert.ok(observed.at === null || observed.at <= NOW + TOLERATED_AHEAD_MS);
  assert.ok(observed.day <= '2026-11-20', 'no price comes from the future');
}
