import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aKnownStation, SIRUTA } from '../../test/support/builders/facts-builders.ts';
import type { Station } from '../domain/stations/station.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { createStationPlacer } from './station-placer.ts';

const place = createStationPlacer(loadGazetteer());
const CLUJ = { lat: 46.767, lng: 23.6 };
const BUCHAREST = { lat: 44.43, lng: 26.1 };
const RUSE = { lat: 43.8356, lng: 25.9657 };

function placed(station: Partial<Station>) {
  return place(aKnownStation('aaaaaaaaaaaa', 'Petrom', station)).served;
}

describe('the city of a station', () => {
  it('is the most populous locality of the declared unit, in ASCII, with the county’s name', () => {
    const { city, county, countyName } = placed({ siruta: SIRUTA.mures, lat: 46.54, lng: 24.56 });
    assert.deepEqual([city, county, countyName], ['Targu Mures', 'MS', 'Mures']);
  });

  it('is the declared one even if the coordinates say otherwise', () => {
    assert.equal(placed({ siruta: SIRUTA.iasi, ...CLUJ }).city, 'Iasi');
  });

  it('is the nearest locality if the unit is unknown or not declared', () => {
    assert.equal(placed({ siruta: 999_999, ...CLUJ }).city, 'Cluj-Napoca');
    assert.equal(placed({ siruta: null, ...CLUJ }).city, 'Cluj-Napoca');
    assert.equal(placed({ siruta: null, ...CLUJ }).countyName, 'Cluj');
  });

  it('is the locality that an operator named, rather than that of the unit', () => {
    assert.equal(placed({ siruta: SIRUTA.iasi, locality: 'turda' }).city, 'Turda');
  });

  it('is empty, like the county, if nothing is declared', () => {
    const { city, county, countyName, lat, lng } = placed({ siruta: null, lat: null, lng: null });
    assert.deepEqual([city, county, countyName, lat, lng], ['', '', '', 0, 0]);
  });
});

describe('coordinates', () => {
  it('are the source’s own and not suspect inside the declared county', () => {
    const { lat, lng, approximateCoordinates, suspectCoordinates } = placed(CLUJ);
    assert.deepEqual([lat, lng, approximateCoordinates, suspectCoordinates], [CLUJ.lat, CLUJ.lng, false, false]);
  });

  it('are the city’s, and approximate, if the source gives none', () => {
    const { lat, lng, approximateCoordinates, suspectCoordinates } = placed({ lat: null, lng: null });
    assert.deepEqual([lat, lng, approximateCoordinates, suspectCoordinates], [46.76667, 23.6, true, false]);
  });

  it('are suspect far outside the declared county, but served as they are', () => {
    const { lat, suspectCoordinates } = placed({ siruta: SIRUTA.cluj, ...BUCHAREST });
    assert.deepEqual([lat, suspectCoordinates], [BUCHAREST.lat, true]);
  });

  it('are another source’s if the first are suspect and those are not', () => {
    const alternatives = [RUSE, CLUJ];
    const settled = placed({ siruta: SIRUTA.cluj, ...BUCHAREST, alternatives });
    assert.deepEqual([settled.lat, settled.lng, settled.suspectCoordinates], [CLUJ.lat, CLUJ.lng, false]);
    const sure = placed({ siruta: SIRUTA.cluj, lat: 46.75, lng: 23.59, alternatives });
    assert.deepEqual([sure.lat, sure.suspectCoordinates], [46.75, false]);
    const hopeless = placed({ siruta: SIRUTA.cluj, ...BUCHAREST, alternatives: [RUSE] });
    assert.deepEqual([hopeless.lat, hopeless.suspectCoordinates], [BUCHAREST.lat, true]);
  });

  it('are suspect abroad whatever is declared', () => {
    assert.equal(placed({ siruta: null, ...RUSE }).suspectCoordinates, true);
    assert.equal(placed({ siruta: null, lat: CLUJ.lng, lng: CLUJ.lat }).suspectCoordinates, true);
  });

  it('are judged again for another declared county at the same point', () => {
    assert.equal(placed({ siruta: SIRUTA.iasi, ...CLUJ }).suspectCoordinates, true);
    assert.equal(placed({ siruta: SIRUTA.cluj, ...CLUJ }).suspectCoordinates, false);
  });
});

describe('a served station', () => {
  it('has the known details, and null for the rest', () => {
    const { name, franchise, priceNote, hours, services, phone, network } = placed({
      services: ['gpl'],
      hours: '24/7',
    });
    assert.deepEqual([name, franchise, priceNote, hours, services, phone], [null, null, null, '24/7', ['gpl'], null]);
    assert.equal(network.slug, 'petrom');
  });

  it('has a manual station’s name, franchise and note', () => {
    const manual = { name: 'La colț', franchise: false, priceNote: 'fără preț public' };
    const { name, franchise, priceNote } = placed({ manual });
    assert.deepEqual({ name, franchise, priceNote }, manual);
    assert.equal(placed({ manual: { ...manual, name: '' } }).name, null);
  });
});

it('a station is placed once, another one with its id anew', () => {
  const station = aKnownStation('aaaaaaaaaaaa', 'Petrom', CLUJ);
  assert.equal(place(station), place(station));
  assert.equal(place({ ...station, ...BUCHAREST, siruta: null }).served.countyName, 'Bucuresti');
});
