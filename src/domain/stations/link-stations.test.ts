import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  aFoundStation,
  aKnownStation,
  aSourceStation,
  northOf,
} from '../../../test/support/builders/facts-builders.ts';
import { NOON } from '../../../test/support/builders/snapshot-builders.ts';
import { stationId } from './link-by-place.ts';
import { type LinkedStations, type LinkInput, linkStations } from './link-stations.ts';
import { describeStations } from './source-station.ts';

const HERE = { lat: 46.75, lng: 23.59 };

function link(input: Partial<LinkInput>): LinkedStations {
  const knownSourceStations = input.knownSourceStations ?? [];
  return linkStations({
    source: 'register',
    hasUniqueKeys: false,
    sweptStations: [],
    knownSourceStations,
    stations: describeStations(knownSourceStations),
    wasRead: () => true,
    now: NOON,
    ...input,
  });
}

/** Source id and network → station. */
function stationsByKey(linked: LinkedStations): Record<string, string> {
  return Object.fromEntries(linked.stationOf);
}

function keysOf({ sourceStations }: LinkedStations): string[] {
  return sourceStations.map(({ key }) => key);
}

const fresh = (key: string) => stationId('register', key, () => false);

describe('a station never seen before', () => {
  it('gets an id made of its source and key', () => {
    const linked = link({ sweptStations: [aFoundStation('R1009')] });

    assert.deepEqual(stationsByKey(linked), { 'R1009 petrom': fresh('R1009') });
    assert.deepEqual(linked.createdStations, [fresh('R1009')]);
    assert.equal(linked.knownCount, 0);
    assert.deepEqual([linked.sourceStations[0]?.station, linked.sourceStations[0]?.seenAt], [fresh('R1009'), NOON]);
  });

  it('gets another id if that one is taken', () => {
    const [id] = link({
      sweptStations: [aFoundStation('R1009', { network: 'x' })],
      stations: [aKnownStation(fresh('R1009'))],
    }).createdStations;
    assert.equal(
      id,
      stationId('register', 'R1009', (taken) => taken === fresh('R1009')),
    );
    assert.notEqual(id, fresh('R1009'));
  });

  it('is never merged by place with a station of its own source that still exists', () => {
    const knownSourceStations = [aSourceStation('R1', 'aaaaaaaaaaaa')];
    const linked = link({ knownSourceStations, sweptStations: [aFoundStation('R1'), aFoundStation('R2')] });
    assert.deepEqual(stationsByKey(linked), { 'R1 petrom': 'aaaaaaaaaaaa', 'R2 petrom': fresh('R2') });
  });
});

describe('a station known by its id', () => {
  const knownSourceStations = [aSourceStation('R1', 'aaaaaaaaaaaa')];

  it('keeps its id after it was renamed, moved or rebranded', () => {
    const changed = aFoundStation('R1', { network: 'mol', brand: 'MOL', lat: 44.43, lng: 26.1, address: 'altundeva' });
    const linked = link({ knownSourceStations, sweptStations: [changed] });

    assert.deepEqual(stationsByKey(linked), { 'R1 mol': 'aaaaaaaaaaaa' });
    assert.deepEqual(linked.createdStations, []);
    assert.equal(linked.knownCount, 1);
    assert.equal(linked.sourceStations[0]?.brand, 'MOL');
  });
});

describe('a bare number', () => {
  const socar = { network: 'socar', brand: 'Socar' };
  const mol = { network: 'mol', brand: 'MOL' };

  it('is another station in another network', () => {
    const linked = link({ sweptStations: [aFoundStation('39', socar), aFoundStation('39', mol)] });
    assert.deepEqual(keysOf(linked), ['SOCAR:39', 'MOL:39']);
    assert.equal(new Set(Object.values(stationsByKey(linked))).size, 2);
  });

  it('keeps the network of its first observation, and so its station, after a rebranding', () => {
    const knownSourceStations = [aSourceStation('SOCAR:39', 'aaaaaaaaaaaa', socar)];
    const linked = link({ knownSourceStations, sweptStations: [aFoundStation('39', mol)] });
    assert.deepEqual(keysOf(linked), ['SOCAR:39']);
    assert.deepEqual(stationsByKey(linked), { '39 mol': 'aaaaaaaaaaaa' });
  });

  it('is a new station if its old network still has that number', () => {
    const knownSourceStations = [aSourceStation('SOCAR:39', 'aaaaaaaaaaaa', socar)];
    const linked = link({
      knownSourceStations,
      sweptStations: [aFoundStation('39', socar), aFoundStation('39', mol)],
    });
    assert.deepEqual(stationsByKey(linked), { '39 socar': 'aaaaaaaaaaaa', '39 mol': fresh('MOL:39') });
  });

  it('is a new station if two known ones have that number', () => {
    const knownSourceStations = [
      aSourceStation('SOCAR:39', 'aaaaaaaaaaaa', socar),
      aSourceStation('OMV:39', 'bbbbbbbbbbbb', { network: 'omv' }),
    ];
    assert.deepEqual(
      keysOf(link({ knownSourceStations, sweptStations: [aFoundStation('39', { ...mol, lat: null, lng: null })] })),
      ['MOL:39'],
    );
  });

  it('of a source with unique keys needs no network', () => {
    const linked = link({ hasUniqueKeys: true, sweptStations: [aFoundStation('39', mol)] });
    assert.deepEqual(keysOf(linked), ['39']);
  });
});

describe('a new id near a vanished one of the same source and network', () => {
  const knownSourceStations = [aSourceStation('R1', 'aaaaaaaaaaaa')];
  const near = aFoundStation('R2', northOf(HERE, 150));

  it('is the same station if the whole area of the old one was read', () => {
    const linked = link({ knownSourceStations, sweptStations: [near] });
    assert.deepEqual(stationsByKey(linked), { 'R2 petrom': 'aaaaaaaaaaaa' });
    assert.deepEqual(linked.createdStations, []);
  });

  it('is a new station if the old one may merely not have been read', () => {
    const linked = link({ knownSourceStations, sweptStations: [near], wasRead: () => false });
    assert.deepEqual(stationsByKey(linked), { 'R2 petrom': fresh('R2') });
  });

  it('is a new station beyond 200 m, or of another network', () => {
    for (const other of [northOf(HERE, 201), { network: 'mol', brand: 'MOL' }]) {
      assert.equal(
        link({ knownSourceStations, sweptStations: [aFoundStation('R2', other)] }).createdStations.length,
        1,
      );
    }
  });

  it('is a new station if the sweep has the old one under another id', () => {
    const renamed = [...knownSourceStations, aSourceStation('R2', 'aaaaaaaaaaaa', northOf(HERE, 150))];
    const third = aFoundStation('R3', northOf(HERE, 50));
    assert.deepEqual(stationsByKey(link({ knownSourceStations: renamed, sweptStations: [near, third] })), {
      'R2 petrom': 'aaaaaaaaaaaa',
      'R3 petrom': fresh('R3'),
    });
  });

  it('gets no station and no price if it could be one of two', () => {
    const two = [...knownSourceStations, aSourceStation('R5', 'bbbbbbbbbbbb', northOf(HERE, 320))];
    const linked = link({ knownSourceStations: two, sweptStations: [near] });
    assert.deepEqual(stationsByKey(linked), {});
    assert.deepEqual(linked.ambiguous, [{ key: 'R2', stations: ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] }]);
    assert.deepEqual([linked.sourceStations, linked.createdStations], [[], []]);
  });
});

describe('a station known from another source', () => {
  const station = aKnownStation('cccccccccccc', 'Petrom', northOf(HERE, 700));

  it('is the same 700 m away', () => {
    const linked = link({ sweptStations: [aFoundStation('R1')], stations: [station] });
    assert.deepEqual(stationsByKey(linked), { 'R1 petrom': 'cccccccccccc' });
    assert.equal(linked.knownCount, 1);
  });

  it('is not linked to a second id of a source that already has an id for it', () => {
    const knownSourceStations = [aSourceStation('R1', 'cccccccccccc', { ...northOf(HERE, 700) })];
    const linked = link({
      knownSourceStations,
      sweptStations: [aFoundStation('R1', HERE), aFoundStation('R2', HERE)],
      stations: [station],
    });
    assert.deepEqual(linked.createdStations, [fresh('R2')]);
  });
});

describe('any sweep', () => {
  const aStation = fc
    .record({
      sourceId: fc.constantFrom('1', '2', '3', 'R1', 'R2', 'R3'),
      network: fc.constantFrom('mol', 'omv'),
      metres: fc.constantFrom(0, 100, 180, 350, 5_000),
    })
    .map(({ sourceId, network, metres }) => aFoundStation(sourceId, { network, ...northOf(HERE, metres) }));
  const aSweep = fc.uniqueArray(aStation, { selector: ({ sourceId }) => sourceId, maxLength: 6 });

  it('links every station as before and creates none when repeated', () => {
    fc.assert(
      fc.property(aSweep, (sweptStations) => {
        const once = link({ sweptStations });
        const twice = link({ sweptStations, knownSourceStations: once.sourceStations });
        assert.deepEqual(stationsByKey(twice), stationsByKey(once));
        assert.deepEqual(twice.createdStations, []);
      }),
    );
  });

  it('never links two of its ids to one station', () => {
    fc.assert(
      fc.property(aSweep, aSweep, (first, second) => {
        const before = link({ sweptStations: first });
        const after = link({ sweptStations: second, knownSourceStations: before.sourceStations });
        const stations = Object.values(stationsByKey(after));
        assert.equal(new Set(stations).size, stations.length);
      }),
    );
  });
});
