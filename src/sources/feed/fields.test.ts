import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanId, cleanText } from './fields.ts';

describe('cleanText', () => {
  test('drops hidden characters, and separates words at controls and line breaks', () => {
    assert.equal(cleanText('OMV \u{e0049}\u{e0047}Cluj\u200b-Napo\u00adca\ufeff'), 'OMV Cluj-Napoca');
    assert.equal(cleanText('g\u0000pl \u3164\n\t 24 h'), 'g pl 24 h');
  });

  test('is an empty text where nothing is visible, where a character has excessive marks, and for other types', () => {
    for (const value of ['\u3164\u200b', `a${'\u0316'.repeat(31)}`, ' \u0000', null, true, {}, []])
      assert.equal(cleanText(value), '', JSON.stringify(value));
  });

  test('cuts after cleaning, and never through a character of two units', () => {
    assert.equal(cleanText(`${'\u200b'.repeat(20)}abcdef`, 4), 'abcd');
    assert.equal(cleanText('abc👍', 4), 'abc');
    assert.equal(cleanText('a\ud800'), 'a\ufffd');
  });

  test('makes one id of spellings that look alike', () => {
    assert.equal(cleanId(' 12\u200b34 '), '1234');
    assert.equal(cleanId('x'.repeat(65)), null);
  });
});
