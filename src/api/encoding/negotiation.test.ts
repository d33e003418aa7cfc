import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ENCODINGS, negotiate } from './negotiation.ts';

const coding = fc.constantFrom(...ENCODINGS);
const weight = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);

test('never chooses a listed coding with weight 0 while another one is acceptable', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(coding, weight), { selector: ([name]) => name, minLength: 1 }), (members) => {
      const weights = new Map(members);
      const { best } = negotiate(members.map(([name, q]) => `${name};q=${q}`).join(', '));
      const chosen = weights.get(best) ?? 0;
      const acceptable = Math.max(...weights.values()) > 0 || !weights.has('identity');
      if (acceptable && weights.has(best)) assert.ok(chosen > 0 && chosen === Math.max(...weights.values()));
      if (!weights.has(best)) assert.equal(best, 'identity', 'only identity may be unlisted');
    }),
  );
});

test('never throws or chooses a coding that is not offered, whatever the header', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (header) => ENCODINGS.includes(negotiate(header).best)));
});

test('refuses the plain form only by name or by the asterisk', () => {
  assert.equal(negotiate('gzip').identityAllowed, true);
  assert.equal(negotiate('gzip, identity;q=0').identityAllowed, false);
  assert.equal(negotiate('gzip, *;q=0').identityAllowed, false);
});

test('remembers results unchanged, and a flood of distinct headers does not accumulate', () => {
  for (let index = 0; index < 2_000; index += 1) negotiate(`gzip;q=0.5, x${index}`);
  assert.deepEqual(negotiate('gzip;q=0.5, x1'), { best: 'gzip', identityAllowed: true });
});
