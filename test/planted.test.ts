/** The table of planted faults speaks of the code as it is: else `bench/planted.ts` could plant nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS } from '../bench/planted/faults.ts';
import { complaintsAbout } from '../bench/planted/scratch.ts';

test('every planted fault still has its place in the code', () => {
  assert.ok(FAULTS.length > 250);
  assert.deepEqual(FAULTS.flatMap(complaintsAbout), []);
});
