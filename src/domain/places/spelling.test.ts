import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { closestSpellings, editDistance } from './spelling.ts';

const word = fc.string({ unit: fc.constantFrom(...'abc '), maxLength: 8 });

describe('the edit distance', () => {
  it('counts a letter added, removed or changed, or two swapped, as one each', () => {
    for (const typed of ['clujj', 'clu', 'clij', 'culj']) assert.equal(editDistance(typed, 'cluj', 3), 1);
  });

  it('is zero only for equal words, symmetric, and at most the longer length', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b, 100);
        assert.equal(distance === 0, a === b);
        assert.equal(distance, editDistance(b, a, 100));
        assert.ok(distance <= Math.max(a.length, b.length));
      }),
    );
  });

  it('stops above its limit without changing a result within it', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 5 }), (a, b, limit) => {
        assert.equal(editDistance(a, b, limit), Math.min(editDistance(a, b, 100), limit + 1));
      }),
    );
  });
});

describe('the closest spellings', () => {
  it('come closest first, then in the given order', () => {
    assert.deepEqual(closestSpellings('slatna', ['zlatna', 'slatina', 'slatna mica', 'iasi', 'slatna'], 3), [
      'slatna',
      'zlatna',
      'slatina',
    ]);
  });

  it('are none if no word is close', () => {
    assert.deepEqual(closestSpellings('paris', ['cluj napoca', 'iasi'], 5), []);
  });
});
