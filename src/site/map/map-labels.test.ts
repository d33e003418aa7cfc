import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { layersAt } from './base-map.ts';
import { boxesMeet } from './lines.ts';
import { type LabelCandidate, labelWidth, type PlacedLabel, placeLabels } from './map-labels.ts';

const candidate = fc.record({
  text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  style: fc.constantFrom('city', 'town', 'small', 'village', 'county', 'road'),
  x: fc.integer({ min: 0, max: 2_000 }),
  y: fc.integer({ min: 0, max: 1_000 }),
});

describe('names on a map', () => {
  it('never overlap each other or what must stay free, and stay in the frame', () => {
    const within = { left: 0, top: 0, right: 2_000, bottom: 1_000 };
    const obstacles = [{ left: 300, top: 300, right: 900, bottom: 600 }];
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 40 }), (candidates) => {
        const labels = placeLabels(candidates, { obstacles, within });
        assertApart([...obstacles, ...labels.map(({ box }) => box)]);
        for (const { box } of labels)
          assert.ok(box.left >= 0 && box.top >= 0 && box.right <= 2_000 && box.bottom <= 1_000);
      }),
    );
  });

  it('stand right of the dot, else left of it', () => {
    const at = (x: number): LabelCandidate => ({ text: 'Turda', style: 'small', x, y: 500 });
    const [first, second] = placeLabels([at(500), at(470)]) as [PlacedLabel, PlacedLabel];
    assert.deepEqual([first.anchor, second?.anchor], ['start', 'end']);
  });

  it('of a town under a price stand above it, else below it, and are left out for smaller places', () => {
    const town = { text: 'Iași', style: 'city', x: 500, y: 500 } as const;
    const price = { left: 454, right: 546, top: 480, bottom: 520 };
    const placed = (obstacles: (typeof price)[], style: LabelCandidate['style'] = 'city') =>
      placeLabels([{ ...town, style }], { obstacles }).map(({ anchor, textY }) => [
        anchor,
        textY < 480 ? 'above' : 'below',
      ]);
    assert.deepEqual(placed([price]), [['middle', 'above']]);
    const another = { ...price, top: 430, bottom: 470 };
    assert.deepEqual(placed([price, another]), [['middle', 'below']]);
    assert.deepEqual(placed([price], 'village'), []);
  });

  it('go to the first in order if there is room for one only', () => {
    const same = ['Cluj-Napoca', 'Baciu'].map((text) => ({ text, style: 'county', x: 0, y: 0 }) as const);
    const within = { left: -200, right: 200, top: -30, bottom: 30 };
    assert.deepEqual(
      placeLabels(same, { within }).map(({ text }) => text),
      ['Cluj-Napoca'],
    );
  });

  it('keep equal road numbers apart', () => {
    const numbers = [0, 100, 200, 500].map((x) => ({ text: 'DN1', style: 'road', x, y: 0, apart: 400 }) as const);
    assert.deepEqual(
      placeLabels(numbers).map(({ x }) => x),
      [0, 500],
    );
  });

  it('have room in proportion to their letters, also outside the basic plane', () => {
    assert.equal(labelWidth('ab', 'small'), labelWidth('𝒳ș', 'small'));
  });

  it('do not overlap in the tiles of the whole country', () => {
    for (const zoom of [7, 9]) assertApart(layersAt(zoom).labels.map(({ box }) => box));
  });

  it('include the county seats of the country view, and villages close up', () => {
    const names = (zoom: number) => new Set(layersAt(zoom).labels.map(({ text }) => text));
    for (const name of ['București', 'Cluj-Napoca', 'Iași', 'Constanța', 'UNGARIA', 'Marea Neagră', 'A1']) {
      assert.ok(names(7).has(name), name);
    }
    for (const name of ['DN1', 'Gherla', 'Huedin', 'CLUJ']) assert.ok(names(10).has(name), name);
    assert.ok(!names(7).has('Huedin'));
  });
});

function assertApart(boxes: readonly PlacedLabel['box'][]): void {
  const sorted = boxes.toSorted((a, b) => a.left - b.left);
  for (const [index, box] of sorted.entries()) {
    for (const other of sorted.slice(index + 1)) {
      if (other.left > box.right) break;
      assert.ok(!boxesMeet(box, other));
    }
  }
}
