import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { substringIndex } from './substring-index.ts';

const word = fc.string({ unit: fc.constantFrom(...'ab '), maxLength: 5 });

describe('a substring search over many words', () => {
  it('finds exactly the words that contain the text, each once and in order', () => {
    const things = fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 12 });
    const needle = fc.string({ unit: fc.constantFrom(...'ab '), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(things, needle, (all, part) => {
        const expected = all.flatMap((spellings, index) =>
          spellings.some((one) => one.includes(part)) ? [index] : [],
        );
        assert.deepEqual([...substringIndex(all)(part)], expected);
      }),
    );
  });

  it('finds no match across the end of one word and the start of the next', () => {
    assert.deepEqual([...substringIndex([['ab'], ['cd']])('bc')], []);
  });
});
