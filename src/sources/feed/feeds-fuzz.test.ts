/** A thousand damaged answers a source: none crashes it, none brings a price or text that could not be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAndCheck } from '../../../test/fuzz/invariants.ts';
import { mutatedBodies } from '../../../test/fuzz/mutations.ts';
import { FEED_FIXTURES } from '../../../test/fuzz/sources.ts';

for (const [source, body] of FEED_FIXTURES) {
  test(`${source.name}: damaged answers are read soundly or not at all`, async () => {
    const ways = { read: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(mutatedBodies(body), async (damaged) => {
        ways[(await readAndCheck(source, damaged)) === null ? 'failed' : 'read'] += 1;
      }),
      { numRuns: 1000 },
    );
    // A generator whose answers all fail, or all pass, would show nothing.
    assert.ok(ways.read > 100 && ways.failed > 100, JSON.stringify(ways));
  });
}
