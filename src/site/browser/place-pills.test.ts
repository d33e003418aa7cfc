import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cheapestFirst, PILL_CELL, type PillOffset } from './place-pills.ts';

type Mark = { readonly price: number | null; readonly x: number; readonly y: number };

const VIEW = { width: 600, height: 400 };
const marks = fc.array(
  fc.record({
    price: fc.option(fc.integer({ min: 900, max: 1_100 })),
    x: fc.integer({ min: -50, max: 650 }),
    y: fc.integer({ min: -50, max: 450 }),
  }),
  { maxLength: 120 },
);

function placed(given: readonly Mark[]) {
  return cheapestFirst(given, ({ x, y }) => ({ x, y }), VIEW);
}

describe('prices on a map', () => {
  it('show the cheaper of two that have room for one only, and the other as a dot', () => {
    const [dear, cheap] = [
      { price: 970, x: 100, y: 100 },
      { price: 959, x: 120, y: 110 },
    ];
    const { pills, dots } = placed([dear, cheap]);
    assert.deepEqual([pills.map(({ mark }) => mark), dots.map(({ mark }) => mark)], [[cheap], [dear]]);
  });

  it('stand where they cover no name, and become dots if there is no such place', () => {
    const name = { left: 90, right: 200, top: 92, bottom: 108 };
    const offsetsOf = (offsets: PillOffset[]) =>
      cheapestFirst([{ price: 959, x: 100, y: 100 }], ({ x, y }) => ({ x, y }), VIEW, {
        offsets,
        names: [name],
      }).pills.map(({ offset }) => offset);
    assert.deepEqual(
      offsetsOf([
        [0, -17],
        [0, -18],
        [0, 18],
      ]),
      [[0, -18]],
    );
    assert.deepEqual(
      offsetsOf([
        [0, 0],
        [0, -17],
        [30, 0],
      ]),
      [],
    );
  });

  it('keep the order of the marks among equal prices', () => {
    const same = [1, 2, 3].map((n) => ({ price: 959, x: 100 * n, y: 50 }));
    assert.deepEqual(
      placed(same).pills.map(({ mark }) => mark),
      same,
    );
  });

  it('never overlap, come cheapest first, and with the dots are all marks in view', () => {
    fc.assert(
      fc.property(marks, (given) => {
        const { pills, dots } = placed(given);
        const prices = pills.map(({ mark }) => mark.price ?? 0);
        assert.deepEqual(
          prices,
          prices.toSorted((a, b) => a - b),
        );
        for (const [index, a] of pills.entries()) {
          assert.ok(a.x >= 25 && a.x <= 575 && a.y >= 12 && a.y <= 388);
          for (const b of pills.slice(index + 1)) {
            assert.ok(Math.abs(a.x - b.x) >= PILL_CELL.width || Math.abs(a.y - b.y) >= PILL_CELL.height);
          }
        }
        const inView = given.filter(({ x, y }) => x >= 0 && y >= 0 && x <= VIEW.width && y <= VIEW.height);
        assert.deepEqual(new Set([...pills, ...dots].map(({ mark }) => mark)), new Set(inView));
        assert.equal(pills.length + dots.length, inView.length);
      }),
    );
  });

  it('leave a dot only at the edge, or where a cheaper or an equal price has taken the room', () => {
    fc.assert(
      fc.property(marks, (given) => {
        const { pills, dots } = placed(given);
        for (const { mark, x, y } of dots) {
          if (mark.price === null || x < 25 || x > 575 || y < 12 || y > 388) continue;
          const inTheWay = pills.filter(
            (pill) => Math.abs(pill.x - x) < PILL_CELL.width && Math.abs(pill.y - y) < PILL_CELL.height,
          );
          assert.ok(inTheWay.some((pill) => (pill.mark.price ?? 0) <= (mark.price ?? 0)));
        }
      }),
    );
  });

  it('never show a station without a comparable price, and it never makes another one dear', () => {
    const { pills, dots } = placed([
      { price: null, x: 10, y: 10 },
      { price: 959, x: 100, y: 20 },
    ]);
    assert.deepEqual([pills.length, dots.length, dots[0]?.tone, pills[0]?.tone], [1, 1, 'usual', 'usual']);
  });

  it('mark the cheapest and the dearest tenth, ties included', () => {
    const given = Array.from({ length: 20 }, (_, n) => ({ price: n < 3 ? 950 : 960 + n, x: 30 * n, y: 20 * n }));
    const all = placed(given);
    const tones = Map.groupBy([...all.pills, ...all.dots], ({ tone }) => tone);
    assert.deepEqual(
      tones.get('cheap')?.map(({ mark }) => mark.price),
      [950, 950, 950],
    );
    assert.deepEqual(
      tones
        .get('dear')
        ?.map(({ mark }) => mark.price)
        .sort(),
      [978, 979],
    );
  });
});
