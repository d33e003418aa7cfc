import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aKnownStation, aReading, aStationFact, onDay } from '../../../test/support/builders/facts-builders.ts';
import { NOON } from '../../../test/support/builders/snapshot-builders.ts';
import type { NetworkPrice } from '../reports/observation.ts';
import type { StationReading } from './apply-collection.ts';
import type { StoredPrice } from './facts.ts';
import { expandNetworkPrices } from './network-prices.ts';

const SOCAR: NetworkPrice = { network: 'socar', fuel: 'petrol', price: 7_390, observed: onDay('2026-11-20') };
const STATIONS = [aKnownStation('a', 'Socar'), aKnownStation('b', 'Socar'), aKnownStation('c', 'MOL')];

function spread(facts: readonly StoredPrice[], own: readonly StationReading[] = [], prices = [SOCAR]) {
  return expandNetworkPrices('prices:socar', prices, STATIONS, facts, own, 'all').map(
    ({ station, fuel, price, unit }) => `${station} ${fuel} ${price} ${unit}`,
  );
}

describe('a price of a whole network', () => {
  it('applies to each of its stations that sells the fuel according to another source, priced or not', () => {
    const facts = [
      aStationFact('a', 'petrol', 7_450),
      aStationFact('a', 'petrol', null, { source: 'manual' }),
      aStationFact('a', 'diesel', 7_900),
      aStationFact('b', 'petrol', null),
      aStationFact('c', 'petrol', 7_450),
    ];
    assert.deepEqual(spread(facts), ['a petrol 7390 all', 'b petrol 7390 all']);
  });

  it('does not apply where only a locator, an orphan or the list itself lists the fuel', () => {
    assert.deepEqual(
      spread([
        aStationFact('a', 'petrol', null, { source: 'locator:omv' }),
        aStationFact('b', 'petrol', 7_450, { missingSince: NOON }),
        aStationFact('b', 'petrol', 7_390, { source: 'prices:socar' }),
      ]),
      [],
    );
  });

  it('yields to the station’s own price in the list', () => {
    assert.deepEqual(spread([aStationFact('a', 'petrol', 7_450)], [aReading({ station: 'a' })]), []);
    assert.deepEqual(spread([aStationFact('a', 'petrol', 7_450)], [aReading({ station: 'a', fuel: 'diesel' })]), [
      'a petrol 7390 all',
    ]);
  });
});
