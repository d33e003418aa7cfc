import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from './fuzz.ts';
import { readAndCheck } from './invariants.ts';
import { mutatedBodies } from './mutations.ts';
import { FEED_FIXTURES } from './sources.ts';

for (const [source, body] of FEED_FIXTURES) {
  test(`${source.name}: a damaged answer is read soundly or refused; none crashes the reader or brings an impossible price or text`, async (t) => {
    const { cases, read } = await fuzz(t, mutatedBodies(body), (damaged) => readAndCheck(source, damaged));
    // A generator whose answers are all refused, or all read, would show nothing.
    assert.ok(read > cases / 10 && cases - read > cases / 10, `${read} of ${cases} were read`);
  });
}
