import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareCodeUnits } from './compare-code-units.ts';

test('texts sort by code units: capitals first, letters with marks last', () => {
  assert.deepEqual(['ș', 'b', 'a', 'B', ''].sort(compareCodeUnits), ['', 'B', 'a', 'b', 'ș']);
  assert.equal(compareCodeUnits('a', 'a'), 0);
});
