import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { aFoundStation, aKnownStation, anAlias, northOf } from '../../../test/support/builders/facts-builders.ts';
import { NOON } from '../../../test/support/builders/snapshot-builders.ts';
import { describeStations } from './alias.ts';
import { type IdentifiedStations, type IdentifyInput, identifyStations } from './identify.ts';
import { stationId } from './matching.ts';

const HERE = { lat: 46.75, lng: 23.59 };

function name(input: Partial<IdentifyInput>): IdentifiedStations {
  const knownAliases = input.knownAliases ?? [];
  return identifyStations({
    source: 'register',
    hasUniqueKeys: false,
    sweptStations: [],
    knownAliases,
    stations: describeStations(knownAliases),
    wasRead: () => true,
    now: NOON,
    ...input,
  });
}

/** Source id and network → station. */
function stationsByKey(identified: IdentifiedStations): Record<string, string> {
  return Object.fromEntries(identified.stationOf);
}

function keysOf({ aliases }: IdentifiedStations): string[] {
  return aliases.map(({ key }) => key);
}

const fresh = (key: string) => stationId('register', key, () => false);

describe('a station never seen before', () => {
  it('gets an id made of its source and key', () => {
    const identified = name({ sweptStations: [aFoundStation('R1009')] });

    assert.deepEqual(stationsByKey(identified), { 'R1009 petrom': fresh('R1009') });
    assert.deepEqual(identified.createdStations, [fresh('R1009')]);
    assert.equal(identified.matched, 0);
    assert.deepEqual([identified.aliases[0]?.station, identified.aliases[0]?.seenAt], [fresh('R1009'), NOON]);
  });

  it('gets another id if that one is taken', () => {
    const [id] = name({
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
    const knownAliases = [anAlias('R1', 'aaaaaaaaaaaa')];
    const identified = name({ knownAliases, sweptStations: [aFoundStation('R1'), aFoundStation('R2')] });
    assert.deepEqual(stationsByKey(identified), { 'R1 petrom': 'aaaaaaaaaaaa', 'R2 petrom': fresh('R2') });
  });
});

describe('a station known by its id', () => {
  const knownAliases = [anAlias('R1', 'aaaaaaaaaaaa')];

  it('keeps its id after it was renamed, moved or rebranded', () => {
    const changed = aFoundStation('R1', { network: 'mol', brand: 'MOL', lat: 44.43, lng: 26.1, address: 'altundeva' });
    const identified = name({ knownAliases, sweptStations: [changed] });

    assert.deepEqual(stationsByKey(identified), { 'R1 mol': 'aaaaaaaaaaaa' });
    assert.deepEqual(identified.createdStations, []);
    assert.equal(identified.matched, 1);
    assert.equal(identified.aliases[0]?.brand, 'MOL');
  });
});

describe('a bare number', () => {
  const socar = { network: 'socar', brand: 'Socar' };
  const mol = { network: 'mol', brand: 'MOL' };

  it('is another station in another network', () => {
    const identified = name({ sweptStations: [aFoundStation('39', socar), aFoundStation('39', mol)] });
    assert.deepEqual(keysOf(identified), ['SOCAR:39', 'MOL:39']);
    assert.equal(new Set(Object.values(stationsByKey(identified))).size, 2);
  });

  it('keeps the network of its first observation, and so its station, after a rebranding', () => {
    const knownAliases = [anAlias('SOCAR:39', 'aaaaaaaaaaaa', socar)];
    const identified = name({ knownAliases, sweptStations: [aFoundStation('39', mol)] });
    assert.deepEqual(keysOf(identified), ['SOCAR:39']);
    assert.deepEqual(stationsByKey(identified), { '39 mol': 'aaaaaaaaaaaa' });
  });

  it('is a new station if its old network still has that number', () => {
    const knownAliases = [anAlias('SOCAR:39', 'aaaaaaaaaaaa', socar)];
    const identified = name({ knownAliases, sweptStations: [aFoundStation('39', socar), aFoundStation('39', mol)] });
    assert.deepEqual(stationsByKey(identified), { '39 socar': 'aaaaaaaaaaaa', '39 mol': fresh('MOL:39') });
  });

  it('is a new station if two known ones have that number', () => {
    const knownAliases = [
      anAlias('SOCAR:39', 'aaaaaaaaaaaa', socar),
      anAlias('OMV:39', 'bbbbbbbbbbbb', { network: 'omv' }),
    ];
    assert.deepEqual(
      keysOf(name({ knownAliases, sweptStations: [aFoundStation('39', { ...mol, lat: null, lng: null })] })),
      ['MOL:39'],
    );
  });

  it('of a source with unique keys needs no network', () => {
    const identified = name({ hasUniqueKeys: true, sweptStations: [aFoundStation('39', mol)] });
    assert.deepEqual(keysOf(identified), ['39']);
  });
});

describe('a new id near a vanished one of the same source and brand', () => {
  const knownAliases = [anAlias('R1', 'aaaaaaaaaaaa')];
  const near = aFoundStation('R2', northOf(HERE, 150));

  it('is the same station if the whole area of the old one was read', () => {
    const identified = name({ knownAliases, sweptStations: [near] });
    assert.deepEqual(stationsByKey(identified), { 'R2 petrom': 'aaaaaaaaaaaa' });
    assert.deepEqual(identified.createdStations, []);
  });

  it('is a new station if the old one may merely not have been read', () => {
    const identified = name({ knownAliases, sweptStations: [near], wasRead: () => false });
    assert.deepEqual(stationsByKey(identified), { 'R2 petrom': fresh('R2') });
  });

  it('is a new station beyond 200 m, or of another brand', () => {
    for (const other of [northOf(HERE, 201), { network: 'mol', brand: 'MOL' }]) {
      assert.equal(name({ knownAliases, sweptStations: [aFoundStation('R2', other)] }).createdStations.length, 1);
    }
  });

  it('is a new station if the old one has a newer alias in the same sweep', () => {
    const renamed = [...knownAliases, anAlias('R2', 'aaaaaaaaaaaa', northOf(HERE, 150))];
    const third = aFoundStation('R3', northOf(HERE, 50));
    assert.deepEqual(stationsByKey(name({ knownAliases: renamed, sweptStations: [near, third] })), {
      'R2 petrom': 'aaaaaaaaaaaa',
      'R3 petrom': fresh('R3'),
    });
  });

  it('gets no station and no price if it could be one of two', () => {
    const two = [...knownAliases, anAlias('R5', 'bbbbbbbbbbbb', northOf(HERE, 320))];
    const identified = name({ knownAliases: two, sweptStations: [near] });
    assert.deepEqual(stationsByKey(identified), {});
    assert.deepEqual(identified.ambiguous, [{ key: 'R2', stations: ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] }]);
    assert.deepEqual([identified.aliases, identified.createdStations], [[], []]);
  });
});

describe('a station known from another source', () => {
  const station = aKnownStation('cccccccccccc', 'Petrom', northOf(HERE, 700));

  it('is the same within 800 m', () => {
    const identified = name({ sweptStations: [aFoundStation('R1')], stations: [station] });
    assert.deepEqual(stationsByKey(identified), { 'R1 petrom': 'cccccccccccc' });
    assert.equal(identified.matched, 1);
  });

  it('is not linked to a second id of a source that already has an alias for it', () => {
    const knownAliases = [anAlias('R1', 'cccccccccccc', { ...northOf(HERE, 700) })];
    const identified = name({
      knownAliases,
      sweptStations: [aFoundStation('R1', HERE), aFoundStation('R2', HERE)],
      stations: [station],
    });
    assert.deepEqual(identified.createdStations, [fresh('R2')]);
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

  it('identifies every station as before and creates none when repeated', () => {
    fc.assert(
      fc.property(aSweep, (sweptStations) => {
        const once = name({ sweptStations });
        const twice = name({ sweptStations, knownAliases: once.aliases });
        assert.deepEqual(stationsByKey(twice), stationsByKey(once));
        assert.deepEqual(twice.createdStations, []);
      }),
    );
  });

  it('never links two of its ids to one station', () => {
    fc.assert(
      fc.property(aSweep, aSweep, (first, second) => {
        const before = name({ sweptStations: first });
        const after = name({ sweptStations: second, knownAliases: before.aliases });
        const stations = Object.values(stationsByKey(after));
        assert.equal(new Set(stations).size, stations.length);
      }),
    );
  });
});
