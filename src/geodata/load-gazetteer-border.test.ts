import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Locality } from '../domain/places/locality.ts';
import { distanceKm, type Point } from '../domain/point.ts';
import { loadGazetteer } from './load-gazetteer.ts';

const gazetteer = loadGazetteer();

function suspect(point: Point, code: string | null): boolean {
  return gazetteer.suspectCoordinates(point, code === null ? null : (gazetteer.countyByCode(code) ?? null));
}

function place(slug: string): Locality {
  const found = gazetteer.localityBySlug(slug);
  assert.ok(found, slug);
  return found;
}

describe('suspect coordinates', () => {
  it('are not those of any locality in its own county', () => {
    assert.deepEqual(
      gazetteer.localities.filter((locality) => suspect(locality, locality.county)).map(({ slug }) => slug),
      [],
    );
  });

  it('are not those of towns that the polygons cut off', () => {
    for (const slug of ['otopeni', 'fetesti', 'corabia', 'islaz', 'liubcova', 'sulina', 'mangalia', 'bors']) {
      assert.equal(suspect(place(slug), place(slug).county), false, slug);
    }
  });

  it('are those of a place in another county', () => {
    assert.equal(suspect(place('iasi'), 'CJ'), true);
    assert.equal(suspect(place('timisoara'), 'AR'), true);
    assert.equal(suspect(place('otopeni'), 'PH'), true);
  });

  it('are caught for at least 99 % of wrong counties', () => {
    const wrong = gazetteer.localities.flatMap((locality, index) => {
      const county = gazetteer.counties[(index * 7 + 3) % gazetteer.counties.length];
      return county && county.code !== locality.county ? [{ locality, county }] : [];
    });
    const caught = wrong.filter(({ locality, county }) => gazetteer.suspectCoordinates(locality, county)).length;
    assert.ok(caught / wrong.length > 0.99, `${caught} of ${wrong.length}`);
  });

  it('are those outside Romania, with or without a declared county', () => {
    const abroad: Record<string, Point> = {
      Budapest: { lat: 47.498, lng: 19.04 },
      Ruse: { lat: 43.836, lng: 25.966 },
      Chișinău: { lat: 47.01, lng: 28.863 },
      'Black Sea': { lat: 44.1, lng: 29.3 },
      'null island': { lat: 0, lng: 0 },
    };
    for (const [name, point] of Object.entries(abroad)) {
      assert.equal(suspect(point, null), true, name);
      assert.equal(suspect(point, 'GR'), true, name);
    }
  });

  it('are those with latitude and longitude swapped', () => {
    fc.assert(
      fc.property(fc.constantFrom(...gazetteer.localities), ({ lat, lng, county }) => {
        assert.equal(suspect({ lat: lng, lng: lat }, county), true);
      }),
    );
  });

  it('are never those within 3 km of a locality if no county is declared', () => {
    const near = fc.tuple(fc.constantFrom(...gazetteer.localities), fc.double({ min: -0.02, max: 0.02, noNaN: true }));
    fc.assert(
      fc.property(near, ([locality, offset]) => {
        assert.equal(suspect({ lat: locality.lat + offset, lng: locality.lng }, null), false);
      }),
    );
  });
});

describe('the nearest locality', () => {
  it('is that of a search through all of them', () => {
    const point = fc.record({
      lat: fc.double({ min: 43, max: 49, noNaN: true }),
      lng: fc.double({ min: 19, max: 31, noNaN: true }),
    });
    fc.assert(
      fc.property(point, (at) => {
        const nearest = Math.min(...gazetteer.localities.map((locality) => distanceKm(at, locality)));
        assert.equal(distanceKm(at, gazetteer.nearestLocality(at)), nearest);
      }),
    );
  });

  it('of every locality is itself, or one at exactly the same point', () => {
    for (const locality of gazetteer.localities) {
      assert.equal(distanceKm(locality, gazetteer.nearestLocality(locality)), 0);
    }
  });
});
