import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePreferences } from './prefer-header.ts';

describe('preferences', () => {
  const CASES: readonly (readonly [header: string, preferences: Record<string, string>])[] = [
    ['code=429', { code: '429' }],
    ['code=429, example=weekly', { code: '429', example: 'weekly' }],
    ['code=429; example=weekly', { code: '429', example: 'weekly' }],
    ['Code = "429" ;\texample="a \\"b\\", c"', { code: '429', example: 'a "b", c' }],
    ['respond-async, wait=10', { 'respond-async': '', wait: '10' }],
    ['code=404, code=429', { code: '404' }],
    ['return=minimal,,;;code=', { return: 'minimal', code: '' }],
    ['', {}],
  ];
  for (const [header, preferences] of CASES) {
    test(`of „${header}”`, () => assert.deepEqual(Object.fromEntries(parsePreferences(header)), preferences));
  }

  test('of 16 KiB of quotes, names and escapes without an end are read', () => {
    for (const part of ['a="', 'a="\\', '"', 'a=', '\t='])
      assert.ok(parsePreferences(part.repeat(16_384 / part.length)).size <= 1);
  });
});
