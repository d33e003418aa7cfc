import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locality } from '../../domain/places/locality.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { BuiltUpLayer, builtUpLand, drawBuiltUp, roadDirections } from './built-up.ts';

const EVERYWHERE = { left: 0, top: 0, right: 2 ** 40, bottom: 2 ** 40 };
const { localities } = loadGazetteer();
const largest = localities.slice(0, 500);
const seenAt = (zoom: number, places: readonly Locality[] = largest) =>
  BuiltUpLayer.at(builtUpLand(places), zoom).placesIn(EVERYWHERE);

describe('built-up land', () => {
  it('grows with the number of inhabitants, and places too small to be seen have none', () => {
    const [bucharest, iasi] = seenAt(10);
    assert.ok(bucharest && iasi && bucharest.radius > iasi.radius);
    assert.ok(seenAt(6, localities).length < 100);
    assert.deepEqual(seenAt(14, [{ ...(largest[0] as Locality), population: 0 }]), []);
  });

  it('reaches further along a road', () => {
    const [town] = seenAt(10);
    assert.ok(town);
    const { place } = town;
    const eastward = roadDirections({
      nodes: [place, { lat: place.lat, lng: place.lng + 0.1 }],
      edges: [{ a: 0, b: 1, km: 8, minutes: 8, cost: 9, class: 'plain', ref: 'DN3' }],
      firstOf: new Int32Array(),
      incident: new Int32Array(),
      waters: [],
    });
    const eastEnd = (directions: ReturnType<typeof roadDirections>) => {
      const { shapes } = drawBuiltUp([town], directions, EVERYWHERE);
      const steps = (shapes.match(/-?\d+/g) ?? []).map(Number).filter((_, at) => at % 2 === 0);
      let x = 0;
      return Math.max(...steps.map((step) => (x += step)));
    };
    assert.ok(eastEnd(eastward) > eastEnd(new Map()) + 0.3 * town.radius);
  });

  it('is found where it meets a view', () => {
    const layer = BuiltUpLayer.at(builtUpLand(largest), 10);
    const [town] = layer.placesIn(EVERYWHERE);
    assert.ok(town);
    const besideBy = (radii: number) => ({ ...EVERYWHERE, left: town.x + radii * town.radius });
    for (const found of [layer.placesIn(besideBy(1)), layer.within(besideBy(1)).placesIn(EVERYWHERE)])
      assert.deepEqual(found[0], town);
    for (const found of [layer.placesIn(besideBy(4)), layer.within(besideBy(4)).placesIn(EVERYWHERE)])
      assert.notDeepEqual(found[0], town);
  });
});
