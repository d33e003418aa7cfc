import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearbyAddress } from './near-me.ts';

test('a position is rounded to about 100 m before it is sent', () => {
  const position = { latitude: 46.7712345, longitude: 23.6 };
  assert.equal(nearbyAddress('/langa-mine', position), '/langa-mine?lat=46.771&lng=23.600');
});

test('the fuel that was asked for stays in the address', () => {
  const position = { latitude: -1.2, longitude: 0.00049 };
  assert.equal(nearbyAddress('/en/near-me?tip=lpg', position), '/en/near-me?tip=lpg&lat=-1.200&lng=0.000');
});
