import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { editDistance, SpellingIndex } from './spelling.ts';

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

describe('the spelling index', () => {
  it('gives the closest words first, then in the given order', () => {
    const index = new SpellingIndex(['zlatna', 'slatina', 'slatna mica', 'iasi', 'slatna']);
    assert.deepEqual(index.closest('slatna', 3), ['slatna', 'zlatna', 'slatina']);
  });

  it('gives nothing if no word is close', () => {
    assert.deepEqual(new SpellingIndex(['cluj napoca', 'iasi']).closest('paris', 5), []);
  });

  it('finds what a comparison with every word finds', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), word, fc.integer({ min: 1, max: 6 }), (words, text, count) => {
        assert.deepEqual(new SpellingIndex(words).closest(text, count), closestOfAll(text, words, count));
      }),
    );
  });
});

/** The same result by comparing every word letter by letter. */
function closestOfAll(text: string, words: readonly string[], count: number): string[] {
  const limit = Math.min(3, Math.max(1, Math.floor(text.length / 3)));
  return [...new Set(words)]
    .map((other) => ({ other, distance: editDistance(text, other, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ other }) => other);
}
