import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { builtUpPlaces, drawBuiltUp, roadDirections } from './built-up.ts';

const EVERYWHERE = { left: 0, top: 0, right: 2 ** 40, bottom: 2 ** 40 };
const { localities } = loadGazetteer();
const largest = localities.slice(0, 500);

describe('built-up land', () => {
  it('grows with the number of inhabitants, and places too small to be seen have none', () => {
    const [bucharest, iasi] = builtUpPlaces(largest, 10);
    assert.ok(bucharest && iasi && bucharest.radius > iasi.radius);
    assert.ok(builtUpPlaces(localities, 6).length < 100);
    assert.deepEqual(builtUpPlaces([{ ...(largest[0] as (typeof largest)[0]), population: 0 }], 14), []);
  });

  it('reaches further along a road', () => {
    const [town] = builtUpPlaces(largest, 10);
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

  it('is drawn only in the view', () => {
    const [town] = builtUpPlaces(largest, 10);
    assert.ok(town);
    const beside = { left: town.x + 4 * town.radius, top: 0, right: 2 ** 40, bottom: 2 ** 40 };
    assert.deepEqual(drawBuiltUp([town], new Map(), beside), { discs: new Map(), shapes: '' });
  });
});
