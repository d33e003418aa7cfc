import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_SEARCH_LENGTH, readSearchText } from './search-text.ts';

const read = (raw: string) => {
  const text = readSearchText(raw);
  return text && [text.place, text.fuel, text.namesFuel];
};

describe('a typed search', () => {
  it('asks for petrol unless it names another fuel', () => {
    assert.deepEqual(read(' Cluj-Napoca '), ['Cluj-Napoca', 'petrol', false]);
    assert.deepEqual(read('preț motorină Cluj'), ['Cluj', 'diesel', true]);
    assert.deepEqual(read('Cluj MOTORINA premium'), ['Cluj', 'diesel_premium', true]);
    assert.deepEqual(read('cheapest LPG in Arad'), ['Arad', 'lpg', true]);
    assert.deepEqual(read('benzina'), ['', 'petrol', true]);
  });

  it('keeps the comma that tells places of one name apart', () => {
    assert.deepEqual(read('gpl Satu Mare, Satu Mare'), ['Satu Mare, Satu Mare', 'lpg', true]);
  });

  it('is too short with fewer than two letters or digits', () => {
    for (const raw of ['', ' ', 'a', '-', ' .c ', '„”']) assert.equal(readSearchText(raw), null, raw);
  });

  it('has a bounded length and number of words, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (raw) => {
        const text = readSearchText(raw);
        assert.ok(text === null || (text.typed.length <= MAX_SEARCH_LENGTH && text.words.length <= 6));
      }),
    );
  });
});
