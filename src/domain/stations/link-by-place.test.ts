import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { northOf } from '../../../test/support/builders/facts-builders.ts';
import { distanceKm } from '../point.ts';
import {
  type LinkCandidate,
  linkAcrossSources,
  linkToVanished,
  sourceKey,
  stationId,
  type UnlinkedStation,
} from './link-by-place.ts';

const HERE = { lat: 46.75, lng: 23.59 };

function unlinked(key: string, metresNorth = 0, network = 'mol'): UnlinkedStation {
  return { key, network, ...northOf(HERE, metresNorth) };
}

function candidate(station: string, metresNorth: number, network = 'mol'): LinkCandidate {
  return { station, network, ...northOf(HERE, metresNorth) };
}

function links(
  newStations: readonly UnlinkedStation[],
  candidates: readonly LinkCandidate[],
  link = linkAcrossSources,
) {
  const { linked, ambiguous } = link(newStations, candidates);
  return { linked: Object.fromEntries(linked), ambiguous: Object.fromEntries(ambiguous) };
}

describe('a station of another source', () => {
  it('is the same if it is within 800 m and of the same network', () => {
    assert.deepEqual(links([unlinked('n')], [candidate('a', 799)]).linked, { n: 'a' });
    assert.deepEqual(links([unlinked('n')], [candidate('a', 801)]).linked, {});
    assert.deepEqual(links([unlinked('n')], [candidate('a', 10, 'omv')]).linked, {});
  });

  it('is the nearest one', () => {
    assert.deepEqual(links([unlinked('n')], [candidate('far', 190), candidate('near', -60)]).linked, { n: 'near' });
  });

  it('is linked once: to the nearest new station; the next one searches further', () => {
    const newStations = [unlinked('second', 90), unlinked('first', 100)];
    assert.deepEqual(links(newStations, [candidate('a', 110)]).linked, { first: 'a' });
    assert.deepEqual(links(newStations, [candidate('a', 110), candidate('b', -500)]).linked, {
      first: 'a',
      second: 'b',
    });
  });

  it('is linked to the first by key of two equally near new stations, whatever their order', () => {
    assert.deepEqual(links([unlinked('m'), unlinked('n')], [candidate('a', 50)]).linked, { m: 'a' });
    assert.deepEqual(links([unlinked('n'), unlinked('m')], [candidate('a', 50)]).linked, { m: 'a' });
  });

  it('is searched for within the smallest radius first, so that one 300 m away makes no ambiguity', () => {
    assert.deepEqual(links([unlinked('n')], [candidate('a', 160), candidate('b', -300)]), {
      linked: { n: 'a' },
      ambiguous: {},
    });
  });

  it('is never one without coordinates, and a new station without coordinates has no link', () => {
    const nowhere = { lat: null, lng: null };
    assert.deepEqual(links([unlinked('n')], [{ ...candidate('a', 0), ...nowhere }]).linked, {});
    assert.deepEqual(links([{ ...unlinked('n'), ...nowhere }], [candidate('a', 0)]).linked, {});
  });
});

describe('a new station with two possible stations', () => {
  it('is ambiguous if the second is less than twice as far within the same radius', () => {
    for (const [near, far] of [
      [80, 150],
      [250, 490],
      [501, 799],
    ] as const) {
      assert.deepEqual(links([unlinked('n')], [candidate('a', near), candidate('b', -far)]), {
        linked: {},
        ambiguous: { n: ['a', 'b'] },
      });
    }
  });

  it('is ambiguous if both are at exactly its own point', () => {
    assert.deepEqual(links([unlinked('n')], [candidate('b', 0), candidate('a', 0)]).ambiguous, { n: ['a', 'b'] });
  });

  it('is linked if the second is twice as far', () => {
    assert.deepEqual(links([unlinked('n')], [candidate('a', 80), candidate('b', -161)]).linked, { n: 'a' });
    assert.deepEqual(links([unlinked('n')], [candidate('a', 0), candidate('b', 1)]).linked, { n: 'a' });
  });

  it('is linked if the second already is linked to another new station', () => {
    const newStations = [unlinked('n'), unlinked('m', 150)];
    assert.deepEqual(links(newStations, [candidate('a', -80), candidate('b', 151)]).linked, { m: 'b', n: 'a' });
  });

  it('gets no link within a wider radius either', () => {
    const found = links([unlinked('n')], [candidate('a', 100), candidate('b', -150), candidate('c', 700)]);
    assert.deepEqual(found.linked, {});
    assert.deepEqual(Object.keys(found.ambiguous), ['n']);
  });
});

describe('a new id of the same source', () => {
  it('is a vanished station of the same network within 200 m', () => {
    assert.deepEqual(links([unlinked('n')], [candidate('a', 199)], linkToVanished).linked, { n: 'a' });
    assert.deepEqual(links([unlinked('n')], [candidate('a', 201)], linkToVanished).linked, {});
    assert.deepEqual(links([unlinked('n')], [candidate('a', 10, 'omv')], linkToVanished).linked, {});
  });
});

describe('links by place', () => {
  const aNetwork = fc.constantFrom('mol', 'omv');
  // Within about 3 km, so that radii, rivals and cell borders all matter.
  const aPlace = fc
    .record({ network: aNetwork, x: fc.integer({ min: -30, max: 30 }), y: fc.integer({ min: -30, max: 30 }) })
    .map(({ network, x, y }) => ({ network, lat: HERE.lat + x * 0.0005, lng: HERE.lng + y * 0.0007 }));
  const newStations = fc
    .array(aPlace, { maxLength: 12 })
    .map((places) => places.map((place, index) => ({ ...place, key: `n${index}` })));
  const candidates = fc
    .array(aPlace, { maxLength: 12 })
    .map((places) => places.map((place, index) => ({ ...place, station: `s${index}` })));

  it('are those of a search through every pair, radius by radius', () => {
    fc.assert(
      fc.property(newStations, candidates, (some, others) => {
        assert.deepEqual(links(some, others), oracle(some, others));
      }),
      { numRuns: 1_000 },
    );
  });

  it('do not depend on the order of the stations', () => {
    fc.assert(
      fc.property(newStations, candidates, fc.infiniteStream(fc.nat()), (some, others, chance) => {
        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((item) => ({ item, at: chance.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        assert.deepEqual(links(shuffled(some), shuffled(others)), links(some, others));
      }),
    );
  });

  it('use no station twice, and link nothing beyond 800 m or across networks', () => {
    fc.assert(
      fc.property(newStations, candidates, (some, others) => {
        const { linked, ambiguous } = linkAcrossSources(some, others);
        assert.equal(new Set(linked.values()).size, linked.size);
        for (const [key, station] of linked) {
          const one = some.find((each) => each.key === key) as (typeof some)[number];
          const other = others.find((each) => each.station === station) as (typeof others)[number];
          assert.equal(one.network, other.network);
          assert.ok(distanceKm(one, other) <= 0.8);
          assert.ok(!ambiguous.has(key));
        }
      }),
    );
  });

  it('are found across grid cells, everywhere in Romania', () => {
    const anywhere = fc.record({
      lat: fc.double({ min: 43.5, max: 48.5, noNaN: true }),
      lng: fc.double({ min: 20, max: 30, noNaN: true }),
    });
    fc.assert(
      fc.property(anywhere, fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }), (from, angle) => {
        const lat = from.lat + (0.799 / 111.195) * Math.sin(angle);
        const lng = from.lng + (0.799 / 111.195 / Math.cos((from.lat * Math.PI) / 180)) * Math.cos(angle);
        const found = linkAcrossSources(
          [{ key: 'n', network: 'mol', ...from }],
          [{ station: 's', network: 'mol', lat, lng }],
        );
        assert.equal(found.linked.get('n'), 's');
      }),
    );
  });

  type Placed<T> = T & { lat: number; lng: number };

  /** Rule 28 implemented literally, without an index. */
  function oracle(some: readonly Placed<UnlinkedStation>[], others: readonly Placed<LinkCandidate>[]) {
    const linked: Record<string, string> = {};
    const ambiguous: Record<string, string[]> = {};
    const isUsed = (station: string) => Object.values(linked).includes(station);
    for (const radius of [0.2, 0.5, 0.8]) {
      for (;;) {
        const pairs = some
          .filter(({ key }) => !(key in linked) && !(key in ambiguous))
          .flatMap((one) => freeIn(radius, one).map(({ station, km }) => ({ key: one.key, station, km })))
          .sort((a, b) => a.km - b.km || order(a.key, b.key) || order(a.station, b.station));
        const [nearest] = pairs;
        if (nearest === undefined) break;
        const rivals = pairs.filter(
          ({ key, station, km }) =>
            key === nearest.key && station !== nearest.station && (km < 2 * nearest.km || km === nearest.km),
        );
        if (rivals.length === 0) linked[nearest.key] = nearest.station;
        else ambiguous[nearest.key] = [nearest.station, ...rivals.map(({ station }) => station)];
      }
    }
    return { linked, ambiguous };

    function freeIn(radius: number, one: Placed<UnlinkedStation>) {
      return others
        .filter(({ network, station }) => network === one.network && !isUsed(station))
        .map((other) => ({ station: other.station, km: distanceKm(one, other) }))
        .filter(({ km }) => km <= radius);
    }
  }

  function order(a: string, b: string): number {
    return a < b ? -1 : a > b ? 1 : 0;
  }
});

describe('thousands of stations of a network at one point', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('are paired with at most 50 candidates each; with more, each is ambiguous and names two', () => {
    const oneFree = (stations: number) =>
      links(
        [unlinked('n', 10)],
        many(stations).map((index) => candidate(`s${100 + index}`, 10 * (index % 2) + 10)),
      );
    assert.equal(oneFree(50).ambiguous.n?.length, 25);
    assert.deepEqual(oneFree(51), { linked: {}, ambiguous: { n: ['s100', 's101'] } });
  });

  it('make links and ambiguous ones that grow with the stations, not with their pairs', () => {
    let reads = 0;
    const counted = <T extends object>(station: T): T =>
      new Proxy(station, {
        get: (target, name) => {
          reads += 1;
          return Reflect.get(target, name);
        },
      });
    const readsOf = (count: number) => {
      reads = 0;
      const some = many(count).map((index) => counted(unlinked(`n${index}`)));
      const others = many(count).map((index) => counted(candidate(`s${index}`, 0)));
      const { ambiguous } = linkToVanished(some, others);
      assert.equal(ambiguous.size, count);
      assert.ok([...ambiguous.values()].every((stations) => stations.length === 2));
      return reads / count;
    };
    assert.ok(readsOf(2_000) < 2 * readsOf(200), 'reads for each station');
  });

  it('leave the links of other networks, and of stations elsewhere, as they are', () => {
    const crowd = many(500).map((index) => candidate(`s${index}`, 0));
    const found = links(
      [unlinked('n'), unlinked('far', 20_000), unlinked('other', 0, 'omv')],
      [...crowd, candidate('t', 20_100), candidate('u', 50, 'omv')],
    );
    assert.deepEqual(found.linked, { far: 't', other: 'u' });
    assert.deepEqual(Object.keys(found.ambiguous), ['n']);
  });
});

describe('a source’s own id', () => {
  it('is its key; a bare number carries the network of its first observation', () => {
    assert.equal(sourceKey('R1009', 'petrom'), 'R1009');
    assert.equal(sourceKey('39', 'socar'), 'SOCAR:39');
    assert.equal(sourceKey('041234', 'rompetrol'), 'ROMPETROL:041234');
    assert.equal(sourceKey('39a', 'socar'), '39a');
  });
});

describe('our station id', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
  const free = () => false;

  it('is the first 12 hex digits of SHA-256 of source and source id, for ever', () => {
    assert.equal(stationId('register', 'R1009', free), hash('register:R1009'));
    assert.equal(stationId('register', 'R1009', free), '72e1d4fb5b0a');
  });

  it('is salted until it is unused', () => {
    const taken = new Set([hash('register:R1009'), hash('register:R1009#1')]);
    const id = stationId('register', 'R1009', (each) => taken.has(each));
    assert.equal(id, hash('register:R1009#2'));
    assert.match(id, /^[0-9a-f]{12}$/);
  });
});
