import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fuzz } from './fuzz.ts';
import { mutatedLists, readListAndCheck } from './mutated-lists.ts';
import { fixtures } from './price-lists.ts';

describe('a price list of the real shape', () => {
  test('with a few bytes changed is read soundly or refused in a sentence, and never crashes the reader', async (t) => {
    const { cases, read } = await fuzz(t, mutatedLists(), readListAndCheck);
    assert.ok(read > cases / 4, `only ${read} of ${cases} were lists at all: the changes are too rough`);
  });

  test('cut off anywhere is read soundly or refused in a sentence', async () => {
    for (const list of fixtures()) {
      for (let length = 0; length < list.body.length; length += 7)
        await readListAndCheck({ ...list, body: list.body.subarray(0, length) });
    }
  });
});
