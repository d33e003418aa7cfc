import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGazetteer } from '../../domain/places/gazetteer.ts';
import { distanceKm } from '../../domain/point.ts';
import { motorwayPosition } from '../../domain/stations/motorway-address.ts';
import { counties, countryWithMotorways, EPOCH, exampleCountry, localities } from './example-country.ts';
import { isUnitFailing, priceAt } from './simulated-prices.ts';

const country = countryWithMotorways();
const inTowns = exampleCountry().stations;
const onMotorways = country.stations.slice(inTowns.length);
const positions = onMotorways.map((station) => ({ station, position: motorwayPosition(station.address) }));

describe('stations on motorways', () => {
  it('come after all others, which stay as they are', () => {
    assert.deepEqual(country.stations.slice(0, inTowns.length), inTowns);
    assert.equal(new Set(country.stations.map(({ network, id }) => `${network} ${id}`)).size, country.stations.length);
  });

  it('are pairs: the two directions of one network on one motorway, less than a kilometre apart', () => {
    assert.equal(onMotorways.length, 2 * 18);
    for (let index = 0; index < positions.length; index += 2) {
      const [one, other] = positions.slice(index, index + 2);
      assert.ok(one?.position && other?.position);
      assert.equal(one.station.network, other.station.network);
      assert.equal(one.position.ref, other.position.ref);
      assert.notEqual(one.position.towards?.toLowerCase(), other.position.towards?.toLowerCase());
      assert.ok(distanceKm(one.station, other.station) < 1 && distanceKm(one.station, other.station) > 0.3);
    }
  });

  it('say where they are in the address', () => {
    for (const { station, position } of positions) {
      assert.match(position?.ref ?? '', /^A\d+$/, station.address);
      assert.ok(position?.km != null && position.towards !== null, station.address);
    }
  });

  it('lie where no rule marks them as suspect, in a unit that answers', () => {
    const gazetteer = createGazetteer(localities, counties);
    const units = new Map(country.units.map((unit) => [unit.siruta, unit]));
    for (const station of onMotorways) {
      const county = gazetteer.countyByCode(units.get(station.siruta)?.county ?? '') ?? null;
      assert.equal(gazetteer.suspectCoordinates(station, county), false, station.address);
      assert.equal(isUnitFailing(country, station.siruta, country.epochDay), false, station.address);
    }
  });

  it('charge 30 to 60 bani above the nationwide price of their network', () => {
    for (const station of onMotorways) {
      const usual = inTowns.find(
        ({ network, localRoad, anomalies, reportMinute }) =>
          network === station.network && localRoad === 0 && anomalies.length === 0 && reportMinute > 0,
      );
      assert.ok(usual);
      const price = priceAt(country, station, 'diesel', EPOCH);
      const inTown = priceAt(country, usual, 'diesel', EPOCH);
      assert.ok(price !== null && inTown !== null);
      assert.ok(price - inTown >= 300 && price - inTown <= 600, `${station.address}: ${price - inTown}`);
    }
  });
});
