import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RawFeature } from './decode-tile.ts';
import { kindOf, roadNames } from './street-features.ts';

type Properties = Readonly<Record<string, string | number | boolean>>;
const feature = (type: RawFeature['type'], properties: Properties): RawFeature => ({
  type,
  property: (name) => properties[name],
  parts: () => [],
});
const road = (properties: Properties) => kindOf('roads', feature('line', properties));
const omtRoad = (properties: Properties) => kindOf('transportation', feature('line', properties));
const land = (layer: string, properties: Properties) => kindOf(layer, feature('polygon', properties));

describe('what a map draws', () => {
  it('of the roads of Protomaps follows their kind and its detail', () => {
    assert.equal(road({ kind: 'highway', kind_detail: 'motorway_link' }), 'motorway');
    assert.equal(road({ kind: 'major_road', kind_detail: 'trunk' }), 'main');
    assert.equal(road({ kind: 'major_road', kind_detail: 'tertiary_link' }), 'secondary');
    assert.equal(road({ kind: 'minor_road', kind_detail: 'residential' }), 'street');
    assert.equal(road({ kind: 'minor_road', kind_detail: 'service', service: 'driveway' }), 'service');
    assert.equal(road({ kind: 'path', kind_detail: 'footway' }), 'path');
    assert.equal(road({ kind: 'path', kind_detail: 'pedestrian' }), 'street');
    assert.equal(road({ kind: 'rail', kind_detail: 'rail' }), 'rail');
    for (const kind of ['ferry', 'aerialway', 'constructor', ''])
      assert.equal(road({ kind, kind_detail: 'toString' }), null);
    assert.equal(road({ kind: 'rail', kind_detail: 'subway' }), null);
    assert.equal(road({ kind: 'rail', kind_detail: 'rail', service: 'yard' }), null);
  });

  it('of the roads of OpenMapTiles follows their class', () => {
    assert.deepEqual(
      ['motorway', 'trunk', 'secondary', 'minor', 'service', 'track', 'rail', 'ferry', 'constructor'].map((name) =>
        omtRoad({ class: name }),
      ),
      ['motorway', 'main', 'secondary', 'street', 'service', 'path', 'rail', null, null],
    );
  });

  it('is the same land, water and border in both schemas', () => {
    assert.deepEqual([land('landuse', { kind: 'park' }), land('landcover', { class: 'wood' })], ['green', 'green']);
    assert.deepEqual(
      [land('landuse', { kind: 'industrial' }), land('landuse', { class: 'industrial' })],
      ['works', 'works'],
    );
    assert.deepEqual([land('water', { kind: 'ocean' }), land('water', { class: 'ocean' })], ['water', 'water']);
    assert.deepEqual([land('buildings', { kind: 'building' }), land('building', {})], ['building', 'building']);
    assert.equal(kindOf('water', feature('line', { kind: 'river' })), 'river');
    assert.equal(kindOf('waterway', feature('line', { class: 'stream' })), 'river');
    assert.equal(kindOf('boundaries', feature('line', { kind: 'country' })), 'border');
    assert.equal(kindOf('boundary', feature('line', { admin_level: 2, maritime: 0 })), 'border');
    assert.equal(kindOf('boundary', feature('line', { admin_level: 4 })), null);
  });

  it('is nothing where type and kind do not fit, and no area that would cover a county', () => {
    assert.equal(kindOf('roads', feature('polygon', { kind: 'highway', kind_detail: 'motorway' })), null);
    assert.equal(kindOf('buildings', feature('point', { kind: 'address' })), null);
    assert.equal(land('landuse', { kind: 'protected_area' }), null);
    assert.equal(land('landuse', { kind: 'residential' }), null);
  });
});

describe('the names of a road', () => {
  const names = (properties: Properties) => roadNames('roads', feature('line', properties));

  it('are its name and the first of its numbers', () => {
    assert.deepEqual(names({ name: 'Calea Turzii', ref: 'DN1;E60' }), { name: 'Calea Turzii', ref: 'DN1' });
    assert.deepEqual(names({ ref: 'DN 1' }), { name: '', ref: 'DN1' });
    assert.equal(names({}), null);
    assert.equal(names({ name: 5, ref: true }), null);
  });

  it('have no hidden characters, and are left out when they are too long', () => {
    assert.equal(names({ name: 'Strada\u202e Morii\u0000' })?.name, 'Strada Morii');
    assert.equal(names({ name: 'x'.repeat(61) }), null);
    assert.equal(names({ ref: 'DN123456789' }), null);
  });
});
