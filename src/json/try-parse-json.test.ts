import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tryParseJson, tryParseJsonBytes, tryParseJsonFile } from './try-parse-json.ts';

describe('parsing untrusted JSON', () => {
  test('returns its value', () => {
    assert.deepEqual(tryParseJson('{"a":[1,null]}'), { a: [1, null] });
    assert.equal(tryParseJson('null'), null);
    assert.deepEqual(tryParseJsonFile('\uFEFF[1]'), [1]);
    assert.deepEqual(tryParseJsonBytes(Buffer.from('"ș"')), 'ș');
    assert.deepEqual(tryParseJsonBytes(Buffer.from('\uFEFF[1]')), [1]);
  });

  test('returns undefined for invalid JSON', () => {
    for (const text of ['', '{', 'undefined', '<html>']) {
      assert.equal(tryParseJson(text), undefined, text);
      assert.equal(tryParseJsonFile(text), undefined, text);
      assert.equal(tryParseJsonBytes(Buffer.from(text)), undefined, text);
    }
    assert.equal(tryParseJson('\uFEFF[1]'), undefined);
  });

  test('returns undefined for bytes that are not UTF-8', () => {
    assert.equal(tryParseJsonBytes(Buffer.from([0x22, 0xff, 0x22])), undefined);
  });
});
