import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { spreadApart } from './label-positions.ts';

describe('labels beside the ends of lines', () => {
  it('stay where they are while none covers another', () => {
    assert.deepEqual(spreadApart([0.7, 0.2], 0.1), [0.7, 0.2]);
  });

  it('move apart around the place that they share', () => {
    const [upper = 0, lower = 0] = spreadApart([0.5, 0.5], 0.1);
    assert.deepEqual([upper.toFixed(2), lower.toFixed(2)], ['0.45', '0.55']);
  });

  it('never overlap, keep their order and stay inside the picture', () => {
    const anyEnds = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyEnds, (ends) => {
        const placed = spreadApart(ends, 0.118);
        const inOrder = ends.map((end, n) => ({ end, place: placed[n] as number }));
        inOrder.sort((a, b) => a.end - b.end || a.place - b.place);
        for (const [n, { place }] of inOrder.entries()) {
          assert.ok(place >= 0.059 - 1e-9 && place <= 0.941 + 1e-9, `${place}`);
          const before = inOrder[n - 1]?.place ?? Number.NEGATIVE_INFINITY;
          assert.ok(place - before >= 0.118 - 1e-9, `${before} ${place}`);
        }
      }),
    );
  });
});
