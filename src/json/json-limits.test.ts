import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonExcess } from './json-limits.ts';

const LIMITS = { depth: 3, tokens: 10, members: 4 };
const UNLIMITED = { depth: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY, members: 0 };

test('a text within the limits exceeds none', () => {
  assert.equal(jsonExcess('{"a":[1,2,{"b":"[[[[,:"}],"c":"x"}', LIMITS), null);
  assert.equal(jsonExcess('', LIMITS), null);
});

test('depth, values and members are counted up to the limit and refused beyond it', () => {
  assert.equal(jsonExcess('[[[]]]', LIMITS), null);
  assert.equal(jsonExcess('[[[[', LIMITS), 'depth');
  assert.equal(jsonExcess('[1,1,1,1,1,1,1,1,1,1]', LIMITS), null);
  assert.equal(jsonExcess('[1,1,1,1,1,1,1,1,1,1,1]', LIMITS), 'tokens');
  assert.equal(jsonExcess('{"a":1,"b":1,"c":1,"d":1}', LIMITS), null);
  assert.equal(jsonExcess('{"a":1,"b":1,"c":1,"d":1,"e":1}', LIMITS), 'members');
});

test('brackets in a string do not count, whatever is escaped before its end', () => {
  assert.equal(jsonExcess('["\\"[[[[[", "\\\\"]', LIMITS), null);
  assert.equal(jsonExcess('["\\\\",[[[', LIMITS), 'depth');
  assert.equal(jsonExcess('["[[[[[[[ never closed', LIMITS), null);
});

test('the members of any value are counted exactly', () => {
  const membersOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>(
          (sum, one) => sum + membersOf(one),
          Array.isArray(value) ? 0 : Object.keys(value).length,
        )
      : 0;
  fc.assert(
    fc.property(fc.json(), (text) => {
      const members = membersOf(JSON.parse(text));
      assert.equal(jsonExcess(text, { ...UNLIMITED, members }), null);
      if (members > 0) assert.equal(jsonExcess(text, { ...UNLIMITED, members: members - 1 }), 'members');
    }),
  );
});
