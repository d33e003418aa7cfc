import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type County, countyLookup, distanceOutsideCountyKm, insideCounty } from './county.ts';

/** A square of one degree with a square hole in its middle, as Ilfov has one for București. */
const RING: County = {
  code: 'IF',
  name: 'Ilfov',
  ascii: 'Ilfov',
  aliases: [],
  polygons: [[square(44, 26, 0.5), square(44, 26, 0.1)]],
};
const CAPITAL: County = {
  code: 'B',
  name: 'București',
  ascii: 'Bucuresti',
  aliases: ['Municipiul București'],
  polygons: [[square(44, 26, 0.1)]],
};

function square(lat: number, lng: number, half: number): [number, number][] {
  return [
    [lng - half, lat - half],
    [lng + half, lat - half],
    [lng + half, lat + half],
    [lng - half, lat + half],
    [lng - half, lat - half],
  ];
}

describe('a county polygon', () => {
  it('contains the area between its border and its hole', () => {
    assert.equal(insideCounty({ lat: 44.3, lng: 26 }, RING), true);
    assert.equal(insideCounty({ lat: 44, lng: 26 }, RING), false);
    assert.equal(insideCounty({ lat: 44, lng: 26 }, CAPITAL), true);
    assert.equal(insideCounty({ lat: 45, lng: 26 }, RING), false);
  });

  it('is 0 km from a point inside, else as far as its nearest border, that of the hole included', () => {
    assert.equal(distanceOutsideCountyKm({ lat: 44.3, lng: 26 }, RING), 0);
    assert.ok(Math.abs(distanceOutsideCountyKm({ lat: 45.5, lng: 26 }, RING) - 111.2) < 0.2);
    assert.ok(Math.abs(distanceOutsideCountyKm({ lat: 44, lng: 26 }, RING) - 8) < 0.1);
  });
});

describe('the county look-up', () => {
  const find = countyLookup([RING, CAPITAL]);

  it('accepts name, plate code and alias in any case, with or without diacritics', () => {
    for (const text of ['București', 'Bucureşti', 'BUCURESTI', 'b', 'municipiul bucuresti', ' Bucuresti ']) {
      assert.equal(find(text), CAPITAL, text);
    }
  });

  it('accepts a leading word that means county', () => {
    for (const text of ['Județul Ilfov', 'judetul ilfov', 'Jud. Ilfov', 'JUD IF']) assert.equal(find(text), RING, text);
  });

  it('finds nothing else', () => {
    for (const text of ['', ' ', 'Ilfo', 'Atlantida', 'Județul', 'constructor'])
      assert.equal(find(text), undefined, text);
  });
});
