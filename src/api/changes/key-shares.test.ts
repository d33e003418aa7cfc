import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyShares } from './key-shares.ts';

test('a key holds no more than its share, and all together no more than there is; what is given back counts once', () => {
  const shares = new KeyShares({ perKey: 2, inAll: 3 });
  const first = shares.take(1);
  const second = shares.take(1);
  assert.ok(typeof first === 'function' && typeof second === 'function');
  assert.equal(shares.take(1), 'key');
  assert.equal(typeof shares.take(2), 'function');
  assert.equal(shares.take(2), 'all');
  first();
  first();
  assert.equal(typeof shares.take(2), 'function');
  assert.deepEqual([shares.take(2), shares.take(1)], ['key', 'all']);
});
