import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { bytesInSlices } from './bytes-in-slices.ts';

it('a file in slices has every text in order, with a slice for each', () => {
  const texts = Array.from({ length: 9_000 }, (_, index) => `ș${index};`);
  assert.equal(runToEnd(bytesInSlices(texts)).toString(), texts.join(''));
  assert.equal([...bytesInSlices(texts)].length, texts.length);
  assert.equal(runToEnd(bytesInSlices([])).length, 0);
});
