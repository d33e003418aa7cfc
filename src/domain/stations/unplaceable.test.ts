import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aFoundStation, aKnownStation, SIRUTA } from '../../../test/support/builders/facts-builders.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import type { StationDescription } from '../reports/observation.ts';
import { findUnplaceable } from './unplaceable.ts';

const gazetteer = loadGazetteer();
const PLACELESS = { lat: null, lng: null, siruta: null };

function refused(
  station: Partial<StationDescription>,
  known = [aKnownStation('a', 'Petrom', { siruta: SIRUTA.cluj })],
) {
  return findUnplaceable([aFoundStation('1', { ...PLACELESS, ...station })], known, gazetteer).size === 1;
}

describe('a station of a price list without coordinates', () => {
  it('cannot be placed without a town', () => {
    assert.equal(refused({}), true);
    assert.equal(refused({ locality: 'no-such-town' }), true);
  });

  it('is placed in its town, unless a station of its network is known there', () => {
    assert.equal(refused({ locality: 'turda' }), false);
    assert.equal(refused({ locality: 'cluj-napoca' }), true);
    assert.equal(refused({ locality: 'cluj-napoca', network: 'oscar' }), false);
  });

  it('is accepted if it has coordinates', () => {
    assert.equal(refused({ lat: 46.75, lng: 23.59, locality: 'cluj-napoca' }), false);
  });
});
