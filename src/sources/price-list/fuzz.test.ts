import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mutatedLists, readListAndCheck } from '../../../test/fuzz/mutated-lists.ts';
import { fixtures } from '../../../test/fuzz/price-lists.ts';

const CASES = 1_000;

describe('a list of the real shape with a few bytes changed', () => {
  test('is read soundly or refused in a sentence, and never ends anything', async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(mutatedLists(), async (list) => {
        if ((await readListAndCheck(list)) !== null) read += 1;
      }),
      { numRuns: CASES },
    );
    assert.ok(
      read > CASES / 4,
      `only ${read} of ${CASES} were lists at all: the changes are too rough to tell anything`,
    );
  });

  test('cut anywhere likewise', async () => {
    for (const list of fixtures()) {
      for (let length = 0; length < list.body.length; length += 7)
        await readListAndCheck({ ...list, body: list.body.subarray(0, length) });
    }
  });
});
