import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aFoundStation, aKnownStation, SIRUTA } from '../../../test/support/builders/facts-builders.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { linkByAdministrativeUnit } from './link-by-administrative-unit.ts';

const gazetteer = loadGazetteer();
const CLUJ = { lat: 46.767, lng: 23.6 };
const BUCHAREST = { lat: 44.43, lng: 26.1 };
const NOWHERE = { lat: null, lng: null };

/** A locator's station, given by coordinates only. */
const found = (key: string, place: object = CLUJ, network = 'petrom') => ({
  ...aFoundStation(key, { siruta: null, network, ...CLUJ, ...place }),
  key,
});
/** A station declared in Cluj whose coordinates lie in Bucharest. */
const doubtfulStation = (id: string, place: object = BUCHAREST) =>
  aKnownStation(id, 'Petrom', { siruta: SIRUTA.cluj, ...place });

function links(unlinked: ReturnType<typeof found>[], stations: ReturnType<typeof doubtfulStation>[]) {
  return Object.fromEntries(linkByAdministrativeUnit(unlinked, stations, gazetteer));
}

describe('a station whose coordinates are doubtful', () => {
  it('is linked to the one that its network lists in the declared unit, if each is the only one there', () => {
    assert.deepEqual(links([found('S1')], [doubtfulStation('a')]), { S1: 'a' });
    assert.deepEqual(links([found('S1')], [doubtfulStation('a', NOWHERE)]), { S1: 'a' });
  });

  it('is not linked if there are two on either side, or if another station of the network is unlinked', () => {
    assert.deepEqual(links([found('S1'), found('S2')], [doubtfulStation('a')]), {});
    assert.deepEqual(links([found('S1')], [doubtfulStation('a'), doubtfulStation('b', NOWHERE)]), {});
    assert.deepEqual(links([found('S1')], [doubtfulStation('a'), doubtfulStation('b', CLUJ)]), {});
  });

  it('is linked only within its network and unit, and only to a new station whose coordinates are not in doubt', () => {
    assert.deepEqual(links([found('S1', {}, 'mol')], [doubtfulStation('a')]), {});
    assert.deepEqual(links([found('S1', BUCHAREST)], [doubtfulStation('a')]), {});
    assert.deepEqual(links([found('S1', { ...BUCHAREST, siruta: SIRUTA.cluj })], [doubtfulStation('a')]), {});
    assert.deepEqual(links([found('S1', { ...NOWHERE, siruta: SIRUTA.cluj })], [doubtfulStation('a')]), {});
  });

  it('is not linked if its coordinates are not in doubt', () => {
    assert.deepEqual(links([found('S1')], [doubtfulStation('a', CLUJ)]), {});
  });
});
