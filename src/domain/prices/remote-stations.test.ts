import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aFoundStation, SIRUTA } from '../../../test/support/builders/facts-builders.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { Rejections, type StationDescription } from '../reports/observation.ts';
import type { Sweep } from '../reports/sweep.ts';
import { withoutRemoteStations } from './remote-stations.ts';

const UNDECLARED = { siruta: null, locality: null };
const SOFIA = { lat: 42.69, lng: 23.32 };
const CASES: Readonly<Record<string, readonly [station: Partial<StationDescription>, kept: boolean]>> = {
  'in Romania': [{ ...UNDECLARED, lat: 46.77, lng: 23.6 }, true],
  'at sea, near Sulina': [{ ...UNDECLARED, lat: 45.15, lng: 29.8 }, true],
  'just across the border, where a typing error may put it': [{ ...UNDECLARED, lat: 43.85, lng: 25.95 }, true],
  'in Sofia': [{ ...UNDECLARED, ...SOFIA }, false],
  'in Budapest': [{ ...UNDECLARED, lat: 47.5, lng: 19.04 }, false],
  'at the South Pole': [{ ...UNDECLARED, lat: -90, lng: 0 }, false],
  'in Sofia, with a unit nobody knows': [{ siruta: 1, locality: null, ...SOFIA }, false],
  'in Sofia, with a Romanian unit: its coordinates are suspect': [{ siruta: SIRUTA.cluj, ...SOFIA }, true],
  'in Sofia, with a Romanian town': [{ siruta: null, locality: 'turda', ...SOFIA }, true],
  'without coordinates': [{ ...UNDECLARED, lat: null, lng: null }, true],
};

describe('a station', () => {
  for (const [title, [station, kept]] of Object.entries(CASES)) {
    test(`${title} is ${kept ? 'kept' : 'refused and counted, with its prices'}`, () => {
      const sweep = sweepOf(aFoundStation('1', station));
      const left = withoutRemoteStations(sweep, loadGazetteer());
      assert.deepEqual([left.stations.length, left.readings.length], kept ? [1, 1] : [0, 0]);
      assert.deepEqual(sweep.rejections.counts(), kept ? {} : { outside_romania: 1 });
    });
  }
});

function sweepOf(station: StationDescription): Sweep {
  const { sourceId, network } = station;
  return {
    stations: [station],
    readings: [{ sourceId, network, fuel: 'petrol', price: 7_500, observed: null, unit: 'all' }],
    units: new Map([['all', 'read']]),
    rejections: new Rejections(),
    requests: 1,
  };
}
