import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { countyBorders } from './county-borders.ts';

const square = (code: string, west: number, east: number) => ({
  code,
  name: code,
  ascii: code,
  aliases: [],
  polygons: [
    [
      [
        [west, 45],
        [east, 45],
        [east, 46],
        [west, 46],
        [west, 45],
      ],
    ],
  ] as [number, number][][][],
});

describe('the borders of counties', () => {
  it('are one outline around all, and a line where two meet', () => {
    const { outline, internal } = countyBorders([square('AA', 21, 22), square('BB', 22, 23)]);
    assert.equal(outline.length, 1);
    assert.deepEqual(outline[0]?.at(0), outline[0]?.at(-1));
    assert.equal(outline[0]?.length, 7);
    assert.deepEqual(
      internal.map((line) => line.map(({ lng }) => lng)),
      [[22, 22]],
    );
  });

  it('close around the whole country', () => {
    const { outline, danube } = countyBorders(loadGazetteer().counties);
    for (const ring of outline) assert.deepEqual(ring.at(0), ring.at(-1));
    const points = outline.flat();
    assert.ok(points.some(({ lat, lng }) => lat > 48.2 && lng < 27) && points.some(({ lng }) => lng > 29.6));
    // The river passes Giurgiu, Brăila and the Chilia arm, and no land border.
    for (const near of [
      [43.88, 25.97],
      [45.27, 27.98],
      [45.4, 29.2],
    ] as const) {
      assert.ok(
        danube.flat().some(({ lat, lng }) => Math.hypot(lat - near[0], lng - near[1]) < 0.1),
        String(near),
      );
    }
    assert.ok(danube.flat().every(({ lat }) => lat < 45.6));
  });
});
