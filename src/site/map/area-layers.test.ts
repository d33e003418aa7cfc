import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { layersAround } from './area-layers.ts';
import { layersAt } from './base-map.ts';
import { drawBuiltUp } from './built-up.ts';
import { grownBox, isCovered, isInside, linePath } from './lines.ts';
import { toUnits, type Viewport } from './projection.ts';

const MARGIN = 24;
const EVERYWHERE = { left: 0, top: 0, right: 2 ** 40, bottom: 2 ** 40 };
const PLACES = { cluj: [46.77, 23.6], giurgiu: [43.89, 25.96], constanta: [44.18, 28.65] } as const;

function viewAround([lat, lng]: readonly [number, number], zoom: number, width = 1_920): Viewport {
  const { x, y } = toUnits({ lat, lng }, zoom);
  const [left, top] = [Math.round(x) - width / 2, Math.round(y) - 460];
  return { zoom, left, top, right: left + width, bottom: top + 920 };
}

describe('the layers around a view', () => {
  for (const [name, place] of Object.entries(PLACES)) {
    for (const zoom of [9, 11.5]) {
      it(`are those of the whole country as far as the view shows them: ${name}, zoom ${zoom}`, () => {
        const view = viewAround(place, zoom);
        const wide = grownBox(view, MARGIN);
        const [all, around] = [layersAt(zoom), layersAround(view, MARGIN)];
        for (const kind of ['outline', 'foreignBorders', 'countyBorders', 'danube'] as const)
          assert.equal(linePath(around[kind], wide, view), linePath(all[kind], wide, view), kind);
        for (const style of ['motorway', 'main', 'county'] as const)
          assert.equal(linePath(around.roads[style], wide, view), linePath(all.roads[style], wide, view), style);
        assert.deepEqual(
          drawBuiltUp(around.builtUp.placesIn(view), around.directions, view),
          drawBuiltUp(all.builtUp.placesIn(view), all.directions, view),
        );
        for (const areas of ['land', 'home'] as const)
          assert.equal(isCovered(wide, around[areas]), isCovered(wide, all[areas]), areas);
        const seen = (layers: typeof around) => layers.names.candidates('en').filter((name) => isInside(name, view));
        assert.deepEqual(seen(around), seen(all));
        assert.deepEqual(around.names.within(view).candidates('en'), seen(all));
        assert.ok(around.builtUp.placesIn(EVERYWHERE).length < all.builtUp.placesIn(EVERYWHERE).length);
      });
    }
  }

  it('are cached for the next view nearby', () => {
    const view = viewAround(PLACES.cluj, 11.5);
    assert.equal(layersAround(view, MARGIN), layersAround(view, MARGIN));
  });

  it('are all of the country for a view that is larger than an area', () => {
    assert.equal(layersAround(viewAround(PLACES.cluj, 7, 4_000), MARGIN), layersAt(7));
  });
});
