import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeVectorTile } from '../../../test/support/vector-tiles/write-vector-tile.ts';
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { EXTENT } from '../../vector-tiles/decode-tile.ts';
import { streetTile } from '../../vector-tiles/street-tile.ts';
import { tileView } from '../map/tile.ts';
import { drawStreetTile } from './draw-street-tile.ts';

const ROADS = 4_000;
const POINTS = 30;

/** A line across the tile that no straight line comes near to. */
const zigzag = (n: number) =>
  Array.from({ length: POINTS }, (_, at) => [Math.round((at * EXTENT) / POINTS), (n + (at % 2) * 400) % EXTENT]).flat();

/** A tile whose one feature has that many named streets. */
const tileOf = (count: number) =>
  runToEnd(
    streetTile(
      writeVectorTile({
        roads: [
          {
            type: 'line',
            properties: { kind: 'minor_road', kind_detail: 'residential', name: 'Strada Lungă', ref: 'DN1' },
            parts: Array.from({ length: count }, (_, n) => zigzag(n)),
          },
        ],
      }),
    ),
  );

describe('a tile made to take long', () => {
  it('has no more named roads than the bound, in whatever feature they are', () => {
    assert.equal(tileOf(ROADS).named.length, ROADS);
    assert.equal(tileOf(2 * ROADS).named.length, ROADS);
  });

  it('is drawn in slices, whose work is bounded by points and names', () => {
    const view = tileView({ z: 16, x: 37_000, y: 23_000 }, 18);
    assert.ok(view);
    const drawing = drawStreetTile(tileOf(ROADS), { left: 0, top: 0, width: EXTENT }, view);
    let slices = 1;
    while (drawing.next().done !== true) slices += 1;
    // Lines and path of the streets, lines of the names: each once in 5,000 points.
    assert.ok(slices >= (3 * ROADS * POINTS) / 5_000, `${slices} slices`);
  });
});
