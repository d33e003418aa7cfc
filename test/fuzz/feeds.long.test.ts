import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEED_FIXTURES } from './feed-fixtures.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBodies } from './mutations.ts';
import { readAndCheck } from './sweep-invariants.ts';

for (const [source, body] of FEED_FIXTURES) {
  test(`${source.name}: the reader refuses a damaged answer, or reads it without a crash or an impossible price or text`, async (t) => {
    const { cases, read } = await fuzz(t, mutatedBodies(body), (damaged) => readAndCheck(source, damaged));
    // A generator whose answers are all refused, or all read, would prove nothing.
    assert.ok(read > cases / 10 && cases - read > cases / 10, `${read} of ${cases} were read`);
  });
}
