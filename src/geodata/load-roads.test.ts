import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deviations, meanAbsolute, readDistances } from '../../geography/distances.ts';
import type { Locality } from '../domain/places/locality.ts';
import { distanceKm, type Point } from '../domain/point.ts';
import { costOf } from '../domain/roads/road-graph.ts';
import { type Route, routeFinder } from '../domain/roads/route.ts';
import { loadGazetteer } from './load-gazetteer.ts';
import { loadRoads } from './load-roads.ts';

const gazetteer = loadGazetteer();
const roads = loadRoads(gazetteer);
const find = routeFinder(roads);
const seats = gazetteer.counties.map(({ code }) => seatOf(code));
const anyPlace = fc.constantFrom(...gazetteer.localities);
const anyNode = fc.constantFrom(...roads.nodes);

/** Tolerance for rounding. */
const TINY = 1e-6;

function seatOf(county: string): Locality {
  const seat = gazetteer.localities.find((place) => place.county === county);
  assert.ok(seat, county);
  return seat;
}

function place(name: string): Locality {
  const resolved = gazetteer.resolvePlace(name);
  assert.ok('found' in resolved, name);
  return resolved.found;
}

function routeBetween(from: Point, to: Point): Route {
  const route = find(from, to);
  assert.ok(!('unreachable' in route));
  return route;
}

describe('the built-in roads agree with known distances between towns', () => {
  const { tuningPairs, holdoutPairs } = readDistances();

  it('over more than sixty pairs, thirty of them held out', () => {
    assert.equal(holdoutPairs.length, 30);
    assert.ok(tuningPairs.length + holdoutPairs.length >= 60);
  });

  for (const [name, pairs] of Object.entries({ 'set aside': holdoutPairs, 'tuned on': tuningPairs })) {
    it(`over those ${name}: within 4 % of the km on average, 12 % each, and within 10 % of the minutes`, () => {
      const found = deviations(pairs, gazetteer, find);
      const told = found.map(({ from, to, kmOff }) => `${from}–${to} ${kmOff.toFixed(1)} %`).join(', ');
      assert.ok(meanAbsolute(found.map(({ kmOff }) => kmOff)) <= 4, told);
      assert.ok(
        found.every(({ kmOff }) => Math.abs(kmOff) <= 12),
        told,
      );
      assert.ok(meanAbsolute(found.map(({ minutesOff }) => minutesOff)) <= 10, told);
    });
  }
});

describe('the road graph', () => {
  it('has no edge above 10 km, slip roads included, so that a corridor follows the road', () => {
    const long = roads.edges.filter(({ km }) => km > 10 + TINY).map(({ ref, km }) => `${ref} ${km.toFixed(1)} km`);
    assert.deepEqual(long, []);
  });

  it('has no edge shorter than the straight line between its ends', () => {
    for (const { a, b, km, ref } of roads.edges)
      assert.ok(km >= distanceKm(roads.nodes[a] as Point, roads.nodes[b] as Point) - TINY, ref);
  });

  it('has speeds from 15 to 115 km/h', () => {
    for (const { km, minutes, ref } of roads.edges.filter((edge) => edge.class !== 'slip')) {
      assert.ok((km / minutes) * 60 <= 115, ref);
      assert.ok(km < 5 || (km / minutes) * 60 >= 15, ref);
    }
  });

  it('connects every county seat with every other', () => {
    for (const [index, from] of seats.entries()) for (const to of seats.slice(index + 1)) routeBetween(from, to);
  });

  it('is connected', () => {
    const reached = new Set([0]);
    for (const node of reached) {
      for (const number of roads.incident.subarray(roads.firstOf[node], roads.firstOf[node + 1])) {
        const edge = roads.edges[number];
        assert.ok(edge && [edge.a, edge.b].includes(node));
        reached.add(edge.a).add(edge.b);
      }
    }
    assert.equal(reached.size, roads.nodes.length);
  });
});

describe('a route over the built-in roads', () => {
  it('is at least as long as the straight line and at least as long as its own line', () => {
    fc.assert(
      fc.property(anyPlace, anyPlace, (from, to) => {
        const route = find(from, to);
        if ('unreachable' in route) return;
        const points = route.line.map(([lat, lng]) => ({ lat, lng }));
        const length = points.slice(1).reduce((sum, at, index) => sum + distanceKm(points[index] as Point, at), 0);
        assert.ok(route.km >= length - TINY);
        assert.ok(length >= distanceKm(from, to) - TINY);
      }),
    );
  });

  it('starts and ends at the requested places', () => {
    fc.assert(
      fc.property(anyPlace, anyPlace, (from, to) => {
        const route = find(from, to);
        if ('unreachable' in route) return;
        assert.deepEqual(route.line[0], [from.lat, from.lng]);
        assert.deepEqual(route.line.at(-1), [to.lat, to.lng]);
      }),
    );
  });

  it('costs the same there and back', () => {
    fc.assert(
      fc.property(anyPlace, anyPlace, (from, to) => {
        const [there, back] = [find(from, to), find(to, from)];
        assert.equal('unreachable' in there, 'unreachable' in back);
        if ('unreachable' in there || 'unreachable' in back) return;
        assert.ok(Math.abs(costOf(there) - costOf(back)) < TINY);
      }),
    );
  });

  it('costs no more than one through a third place on the roads', () => {
    fc.assert(
      fc.property(anyNode, anyNode, anyNode, (from, by, to) => {
        const detour = costOf(routeBetween(from, by)) + costOf(routeBetween(by, to));
        assert.ok(costOf(routeBetween(from, to)) <= detour + TINY);
      }),
    );
  });

  it('from a place to itself is empty', () => {
    fc.assert(
      fc.property(anyNode, (node) => {
        assert.deepEqual(routeBetween(node, node), { km: 0, minutes: 0, line: [[node.lat, node.lng]] });
      }),
    );
  });

  it('follows the road that it takes: Brașov to Sibiu via Făgăraș', () => {
    const { line } = routeBetween(place('Brașov'), place('Sibiu'));
    const { lat, lng } = place('Făgăraș');
    assert.ok(line.some(([y, x]) => y === lat && x === lng));
  });

  it('does not exist to places in the Danube Delta that are reached over water', () => {
    const names = ['Sulina', 'Sfântu Gheorghe, Tulcea', 'Chilia Veche', 'C.A. Rosetti', 'Crișan', 'Maliuc', 'Pardina'];
    for (const name of names) {
      const there = find(place('Tulcea'), place(name));
      assert.ok('unreachable' in there && there.unreachable === 'by water only', name);
      assert.ok('unreachable' in find(place(name), place('Tulcea')), name);
    }
  });

  it('exists to the villages on the shore of the Delta and to all others in the country', () => {
    for (const name of ['Tulcea', 'Mahmudia', 'Murighiol', 'Nufăru', 'Beștepe', 'Dunavățu de Jos', 'Jurilovca'])
      routeBetween(place('București'), place(name));
    const without = gazetteer.localities.filter((place) => 'unreachable' in find(place, place));
    assert.deepEqual(
      without.filter(({ county }) => county !== 'TL'),
      [],
    );
    assert.ok(without.length <= 12, without.map(({ name }) => name).join(', '));
  });

  it('does not exist to a place more than 30 km from every road', () => {
    for (const far of [
      { lat: 44.2, lng: 29.6 },
      { lat: 47.5, lng: 19.05 },
      { lat: -90, lng: 0 },
    ]) {
      const there = find(place('București'), far);
      assert.ok('unreachable' in there && there.unreachable === 'far from any road');
      assert.equal(there.place, far);
    }
  });
});
