import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { nameBoxes } from './name-boxes.ts';
import { toUnits, UNITS_PER_PIXEL } from './projection.ts';

describe('the boxes of names', () => {
  const boxes = nameBoxes();

  it('are where the tiles name the largest towns, at each of their zooms', () => {
    const cluj = loadGazetteer().localities.find(({ name }) => name === 'Cluj-Napoca');
    assert.ok(cluj);
    assert.deepEqual(Object.keys(boxes), ['6', '7', '8', '9', '10']);
    for (const [zoom, flat] of Object.entries(boxes)) {
      const { x, y } = toUnits(cluj, Number(zoom));
      const [pointX, pointY] = [x / UNITS_PER_PIXEL, y / UNITS_PER_PIXEL];
      const around = Array.from({ length: flat.length / 4 }, (_, index) => flat.slice(4 * index, 4 * index + 4)).filter(
        ([left = 0, top = 0, width = 0, height = 0]) =>
          pointX >= left && pointX <= left + width && pointY >= top && pointY <= top + height,
      );
      assert.ok(around.length >= 1 && around.some(([, , width = 0]) => width > 80), `at zoom ${zoom}`);
    }
  });

  it('are few enough for a page', () => {
    const bytes = gzipSync(JSON.stringify(boxes)).length;
    assert.ok(bytes < 2_000, `${bytes}`);
  });
});
