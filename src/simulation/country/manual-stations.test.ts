import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_RANGES, type Fuel, isInRange } from '../../domain/fuel.ts';
import { distanceKm } from '../../domain/point.ts';
import { EPOCH, exampleCountry, localities } from './example-country.ts';
import { manualPrices, manualStations, movingPrice } from './manual-stations.ts';

const FUELS: Readonly<Record<string, Fuel>> = {
  benzina_standard: 'petrol',
  benzina_premium: 'petrol_premium',
  motorina_standard: 'diesel',
  gpl: 'lpg',
  adblue: 'adblue',
};
const stations = manualStations();
const prices = manualPrices(exampleCountry(), EPOCH + 1_234_567);

describe('manual stations of the demo', () => {
  it('lie in the towns they name, and say that they are simulated', () => {
    for (const { city, county, lat, lng, name, address } of stations) {
      const town = localities.find((locality) => locality.name === city && locality.county === county);
      assert.ok(town && distanceKm(town, { lat, lng }) < 5, city);
      assert.match(name, /\[simulat\]$/);
      assert.match(address, /^\[simulat\] /);
    }
  });

  it('are two Oscar stations, a franchise with a note for drivers and no price, and an independent', () => {
    assert.deepEqual(
      stations.map(({ brand, franchise }) => [brand, franchise]),
      [
        ['OSCAR', false],
        ['OSCAR', false],
        ['Oscar', true],
        ['Demo Oil', false],
      ],
    );
    const franchise = stations.find((station) => station.franchise);
    assert.match(franchise?.price_note ?? '', /franciză/);
    assert.ok(prices.every(({ station }) => station !== `manual:${franchise?.key}`));
  });

  it('have plausible prices in whole bani for the fuels they sell, AdBlue among them', () => {
    for (const { station, fuel, price } of prices) {
      const seller = stations.find(({ key }) => `manual:${key}` === station);
      assert.ok(seller?.fuels.split(';').includes(fuel));
      assert.ok(isInRange(price * 1000, FUELS[fuel] as Fuel, DEFAULT_RANGES), `${fuel} ${price}`);
      assert.equal(price, Math.round(price * 100) / 100);
    }
    assert.equal(prices.filter(({ fuel }) => fuel === 'adblue').length, 2);
  });

  it('were observed less than an hour ago, never in the future', () => {
    for (const { observed_at } of prices) assert.equal(observed_at, '2026-11-21T08:00:00+00:00');
  });

  it('have one price that moves by one ban each minute, around its level, and never back in time', () => {
    const country = exampleCountry();
    const minutes = Array.from({ length: 60 }, (_, minute) => movingPrice(country, EPOCH + minute * 60_000 + 59_999));
    const still = prices.find(({ station, fuel }) => station === minutes[0]?.station && fuel === minutes[0]?.fuel);
    minutes.forEach(({ price, observed_at, ...row }, at) => {
      const before = minutes[at - 1];
      assert.deepEqual(row, { station: still?.station, fuel: still?.fuel });
      assert.ok(Math.abs(price - (still?.price ?? 0)) < 0.035);
      if (before === undefined) return;
      assert.equal(Math.abs(Math.round(price * 100) - Math.round(before.price * 100)), 1);
      assert.ok(observed_at > before.observed_at && Date.parse(observed_at) <= EPOCH + at * 60_000 + 59_999);
    });
  });

  it('have premium above standard', () => {
    const demoOil = prices.filter(({ station }) => station === 'manual:demo-oil-fagaras');
    const at = (fuel: string) => demoOil.find((row) => row.fuel === fuel)?.price ?? Number.NaN;
    assert.ok(at('benzina_premium') > at('benzina_standard'));
  });
});
