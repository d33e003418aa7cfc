import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { asciiName, foldName, slugify } from './place-names.ts';

const anyText = fc.string({ unit: 'binary' });

describe('folding a name', () => {
  it('treats cedilla, comma and missing diacritics alike', () => {
    for (const name of ['Timişoara', 'Timișoara', 'TIMISOARA', 'timis\u0326oara'])
      assert.equal(foldName(name), 'timisoara');
  });

  it('treats hyphens, dashes, dots and spaces alike', () => {
    for (const name of ['Drobeta-Turnu Severin', 'drobeta – turnu  severin', ' Drobeta.Turnu.Severin ']) {
      assert.equal(foldName(name), 'drobeta turnu severin');
    }
  });

  it('is idempotent', () => {
    fc.assert(fc.property(anyText, (text) => assert.equal(foldName(foldName(text)), foldName(text))));
    assert.equal(foldName('İstanbul'), 'istanbul');
  });

  it('leaves no marks, no spaces at the ends and no double spaces', () => {
    fc.assert(fc.property(anyText, (text) => assert.doesNotMatch(foldName(text), /\p{M}|^ | $| {2}/u)));
  });

  it('ignores case', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aăâbcdiîmnosșțtuz -.') });
    fc.assert(fc.property(letters, (text) => assert.equal(foldName(text.toUpperCase()), foldName(text))));
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
    assert.equal(slugify('Sfântu Gheorghe'), 'sfantu-gheorghe');
    assert.equal(slugify('I. L. Caragiale'), 'i-l-caragiale');
    assert.equal(slugify('23 August'), '23-august');
  });
});
