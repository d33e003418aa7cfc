import assert from 'node:assert/strict';
import { describe as group, it } from 'node:test';
import { aSourceStation, SIRUTA } from '../../../test/support/builders/facts-builders.ts';
import { NOON } from '../../../test/support/builders/snapshot-builders.ts';
import { describeStation, describeStations } from './source-station.ts';

const ID = 'aaaaaaaaaaaa';
const register = aSourceStation('R1', ID, { hours: null, services: ['wc'], phone: null, address: 'după registru' });
const list = aSourceStation('7', ID, {
  source: 'prices:petrom',
  address: '',
  lat: null,
  lng: null,
  siruta: null,
  hours: '24/7',
});
const manual = aSourceStation('m', ID, {
  source: 'manual',
  brand: 'Altfel',
  phone: '+40 264 000 000',
  services: ['gpl'],
  manual: { name: 'La colț', franchise: true, priceNote: null },
});

group('the description of a station', () => {
  it('takes each detail from the most trusted source that has it', () => {
    const station = describeStation(ID, [manual, register, list]);

    assert.equal(station.brand, 'Petrom');
    assert.equal(station.hours, '24/7');
    assert.equal(station.address, 'după registru');
    assert.deepEqual([station.lat, station.lng, station.siruta], [46.75, 23.59, SIRUTA.cluj]);
    assert.deepEqual(station.services, ['wc', 'gpl']);
    assert.equal(station.phone, '+40 264 000 000');
    assert.equal(station.manual?.name, 'La colț');
  });

  it('merges services whatever their spelling, and lists other places in case the first is doubtful', () => {
    const locator = aSourceStation('S', ID, {
      source: 'locator:omv',
      services: ['Wc', 'Café'],
      lat: 46.7501,
      lng: 23.5901,
    });
    const again = aSourceStation('T', ID, { source: 'locator:mol', services: ['CAFE'], lat: 46.75, lng: 23.59 });

    const station = describeStation(ID, [locator, again, register]);

    assert.deepEqual(station.services, ['wc', 'Café']);
    assert.deepEqual(station.alternatives, [{ lat: 46.7501, lng: 23.5901 }]);
  });

  it('keeps its brand when a price list names another', () => {
    assert.equal(describeStation(ID, [{ ...list, network: 'mol', brand: 'MOL' }, register]).brand, 'Petrom');
  });

  it('does not depend on the order of the sources', () => {
    assert.deepEqual(describeStation(ID, [list, manual, register]), describeStation(ID, [register, list, manual]));
  });

  it('uses the newest of two descriptions by one source', () => {
    const newer = aSourceStation('R0', ID, { brand: 'MOL', seenAt: NOON });
    assert.equal(describeStation(ID, [register, newer]).brand, 'MOL');
  });

  it('has no detail that no source gives', () => {
    const bare = aSourceStation('R1', ID, { address: '', lat: null, lng: null, siruta: null });
    const { address, lat, lng, siruta, hours, services, phone, manual: details } = describeStation(ID, [bare]);
    assert.deepEqual(
      [address, lat, lng, siruta, hours, services, phone, details],
      ['', null, null, null, null, [], null, null],
    );
  });
});

group('all stations', () => {
  it('are described once each, sorted by id', () => {
    const others = [aSourceStation('R2', 'bbbbbbbbbbbb'), register, aSourceStation('R3', '000000000000'), manual];
    assert.deepEqual(
      describeStations(others).map(({ id }) => id),
      ['000000000000', ID, 'bbbbbbbbbbbb'],
    );
  });
});
