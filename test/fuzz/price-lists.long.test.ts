import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fuzz } from './fuzz.ts';
import { mutatedLists, readListAndCheck } from './mutated-lists.ts';
import { fixtures } from './price-lists.ts';

describe('a price list in a real format', () => {
  test('with a few bytes changed is read without impossible values or refused in one sentence', async (t) => {
    const { cases, read } = await fuzz(t, mutatedLists(), readListAndCheck);
    assert.ok(read > cases / 4, `only ${read} of ${cases} were still lists: the changes are too large`);
  });

  test('truncated anywhere is read without impossible values or refused in one sentence', async () => {
    for (const list of fixtures()) {
      for (let length = 0; length < list.body.length; length += 7)
        await readListAndCheck({ ...list, body: list.body.subarray(0, length) });
    }
  });
});
