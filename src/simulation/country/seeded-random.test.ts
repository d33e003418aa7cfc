import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFraction, randomInteger, randomItem, shuffled } from './seeded-random.ts';

describe('seeded random numbers', () => {
  it('are the same for the same seed and words, in any process', () => {
    assert.equal(randomFraction(7, 'price', 'R1001', 3), randomFraction(7, 'price', 'R1001', 3));
    assert.equal(randomFraction(7, 'a').toFixed(9), '0.291512854');
  });

  it('differ by seed, by word and by the borders between words', () => {
    const numbers = [
      randomFraction(1, 'ab', 'c'),
      randomFraction(2, 'ab', 'c'),
      randomFraction(1, 'a', 'bc'),
      randomFraction(1, 'abc'),
    ];
    assert.equal(new Set(numbers).size, numbers.length);
  });

  it('are spread evenly over [0, 1)', () => {
    const tenths = new Array(10).fill(0);
    for (let at = 0; at < 20_000; at += 1) tenths[Math.floor(randomFraction(7, 'spread', at) * 10)] += 1;
    assert.equal(tenths.length, 10);
    for (const count of tenths) assert.ok(count > 1_800 && count < 2_200, String(tenths));
  });

  it('cover whole ranges with both ends, and every item of a list', () => {
    const drawn = new Set(Array.from({ length: 300 }, (_, at) => randomInteger(3, 6, 7, at)));
    assert.deepEqual([...drawn].sort(), [3, 4, 5, 6]);
    const items = new Set(Array.from({ length: 100 }, (_, at) => randomItem(['x', 'y'], 7, at)));
    assert.deepEqual([...items].sort(), ['x', 'y']);
  });

  it('shuffle so that a new item leaves the order of the others', () => {
    const before = shuffled(['a', 'b', 'c', 'd', 'e'], (item) => item, 7, 'test');
    const after = shuffled(['a', 'b', 'new', 'c', 'd', 'e'], (item) => item, 7, 'test');
    assert.deepEqual(
      after.filter((item) => item !== 'new'),
      before,
    );
    assert.notDeepEqual(before, ['a', 'b', 'c', 'd', 'e']);
  });
});
