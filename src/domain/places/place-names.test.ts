import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { asciiName, fold, slugOf } from './place-names.ts';

const anyText = fc.string({ unit: 'binary' });

describe('folding a name', () => {
  it('makes cedilla, comma and no diacritics the same', () => {
    for (const name of ['Timişoara', 'Timișoara', 'TIMISOARA', 'timis\u0326oara'])
      assert.equal(fold(name), 'timisoara');
  });

  it('makes hyphen, dashes, dots and spaces the same', () => {
    for (const name of ['Drobeta-Turnu Severin', 'drobeta – turnu  severin', ' Drobeta.Turnu.Severin ']) {
      assert.equal(fold(name), 'drobeta turnu severin');
    }
  });

  it('changes nothing the second time', () => {
    fc.assert(fc.property(anyText, (text) => assert.equal(fold(fold(text)), fold(text))));
    assert.equal(fold('İstanbul'), 'istanbul');
  });

  it('leaves neither marks nor spaces at the ends nor two together', () => {
    fc.assert(fc.property(anyText, (text) => assert.doesNotMatch(fold(text), /\p{M}|^ | $| {2}/u)));
  });

  it('does not care for letter case', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aăâbcdiîmnosșțtuz -.') });
    fc.assert(fc.property(letters, (text) => assert.equal(fold(text.toUpperCase()), fold(text))));
  });
});

describe('the ASCII form of a name', () => {
  it('keeps case and punctuation', () => {
    assert.equal(asciiName('Târgu Mureș'), 'Targu Mures');
    assert.equal(asciiName('București'), 'Bucuresti');
    assert.equal(asciiName('Drobeta-Turnu Severin'), 'Drobeta-Turnu Severin');
  });
});

describe('a slug', () => {
  it('is lower-case ASCII words with hyphens', () => {
    assert.equal(slugOf('Sfântu Gheorghe'), 'sfantu-gheorghe');
    assert.equal(slugOf('I. L. Caragiale'), 'i-l-caragiale');
    assert.equal(slugOf('23 August'), '23-august');
  });
});
