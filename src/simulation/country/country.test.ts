import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGazetteer } from '../../domain/places/gazetteer.ts';
import { distanceKm } from '../../domain/point.ts';
import { simulateCountry } from './country.ts';
import { counties, EPOCH, exampleCountry, localities, unitCodes } from './example-country.ts';
import { BUCHAREST } from './placement.ts';
import { SIMULATED_NETWORKS } from './simulated-networks.ts';
import { registerKey } from './simulated-station.ts';

const country = exampleCountry();
const byUnit = Map.groupBy(country.stations, ({ siruta }) => siruta);

const ID_PATTERNS = {
  PETROM: /^R\d{4}$/,
  OMV: /^R\d{4}$/,
  ROMPETROL: /^041[A-Z]{1,2}[0-9A-Z]{1,2}$/,
  LUKOIL: /^P\d{3}$/,
  MOL: /^J\d{3}$/,
  SOCAR: /^\d{2}$/,
  GAZPROM: /^A\d{2}$/,
} as const;

describe('simulated country', () => {
  it('is identical for the same seed, and differs for another', () => {
    const bytes = (seed: number) => JSON.stringify({ ...exampleCountry(seed), levels: null });
    assert.equal(bytes(7), JSON.stringify({ ...country, levels: null }));
    assert.notEqual(bytes(8), bytes(7));
  });

  it('keeps its stations when the data folder is created on another day: only the days of the anomalies change', () => {
    const later = exampleCountry(7, EPOCH + 10 * 86_400_000);
    const still = ({ anomalies: _, ...station }: (typeof country.stations)[number]) => station;
    assert.deepEqual(later.stations.map(still), country.stations.map(still));
    assert.deepEqual(
      later.anomalies.map(({ since }) => since && since - 10),
      country.anomalies.map(({ since }) => since),
    );
  });

  it('has 1,400 stations of seven networks, each as large as the table says', () => {
    assert.equal(country.stations.length, 1_400);
    for (const { id, stations } of SIMULATED_NETWORKS) {
      assert.equal(country.stations.filter(({ network }) => network === id).length, stations, id);
    }
  });

  it('has 77 stations in Bucharest, no network with 50 of them, and 50 in no other unit', () => {
    const bucharest = byUnit.get(BUCHAREST) ?? [];
    assert.equal(bucharest.length, 77);
    for (const own of Map.groupBy(bucharest, ({ network }) => network).values()) assert.ok(own.length < 50);
    for (const [siruta, own] of byUnit) assert.ok(siruta === BUCHAREST || own.length < 40, `${siruta}: ${own.length}`);
  });

  it('serves most units, large cities better than small ones, and leaves a few units without a station', () => {
    assert.ok(byUnit.size > 330 && byUnit.size < 366, String(byUnit.size));
    assert.equal(country.units.length, unitCodes.length);
    const iasi = byUnit.get(95060)?.length ?? 0;
    const blaj = byUnit.get(1348)?.length ?? 0;
    assert.ok(iasi > 15 && blaj >= 1 && blaj < 8, `${iasi} ${blaj}`);
  });

  it('has ids in the pattern of each network, unique in the register', () => {
    for (const { id, network } of country.stations) assert.match(id, ID_PATTERNS[network]);
    assert.equal(new Set(country.stations.map(({ id }) => id)).size, 1_400);
    assert.equal(new Set(country.stations.map(registerKey)).size, 1_400);
  });

  it('sells standard fuels everywhere, premium at nine in ten, LPG at one in four', () => {
    const share = (fuel: 'petrol' | 'petrol_premium' | 'diesel' | 'diesel_premium' | 'lpg') =>
      country.stations.filter(({ fuels }) => fuels.includes(fuel)).length / 1_400;
    assert.equal(share('petrol'), 1);
    assert.equal(share('diesel'), 1);
    for (const premium of [share('petrol_premium'), share('diesel_premium')]) {
      assert.ok(premium > 0.87 && premium < 0.93, String(premium));
    }
    assert.ok(share('lpg') > 0.22 && share('lpg') < 0.3, String(share('lpg')));
  });

  it('places stations within a few km of the centre, where no rule marks them as suspect', () => {
    const gazetteer = createGazetteer(localities, counties);
    const units = new Map(country.units.map((unit) => [unit.siruta, unit]));
    for (const station of country.stations) {
      const unit = units.get(station.siruta);
      assert.ok(unit);
      assert.ok(distanceKm(unit, station) <= 7.1, registerKey(station));
      assert.ok(gazetteer.insideRomania(station), `${registerKey(station)} is abroad`);
      assert.equal(gazetteer.suspectCoordinates(station, gazetteer.countyByCode(unit.county) ?? null), false);
    }
  });

  it('keeps stations of one network in a unit apart, except for a handful in crowded places', () => {
    let crowded = 0;
    for (const own of Map.groupBy(country.stations, ({ network, siruta }) => `${network} ${siruta}`).values()) {
      for (const [at, station] of own.entries()) {
        crowded += own.slice(at + 1).filter((other) => distanceKm(station, other) < 0.2).length;
      }
    }
    assert.ok(crowded <= 5, String(crowded));
  });

  it('marks every address and name as simulated', () => {
    for (const { name, address } of country.stations) {
      assert.match(address, /^\[simulat\] \S/);
      assert.match(name, /^\S.* \[simulat\]$/);
    }
  });

  it('has no station in a unit that the gazetteer does not know', () => {
    const { units, stations } = simulateCountry({ localities, units: [BUCHAREST, 1], seed: 7, epoch: EPOCH });
    assert.deepEqual(
      units.map(({ siruta }) => siruta),
      [BUCHAREST],
    );
    assert.ok(stations.every(({ siruta }) => siruta === BUCHAREST));
  });
});
