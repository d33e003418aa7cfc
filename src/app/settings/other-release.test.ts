import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherRelease } from './other-release.ts';

test('the same version on disk is no obstacle, another one is, and so is none', () => {
  assert.equal(
    otherRelease('0.2.0', () => '0.2.0'),
    null,
  );
  assert.equal(
    otherRelease('0.2.0', () => '0.3.0'),
    'this is Pompa 0.2.0, and its folder has 0.3.0: restart the service',
  );
  const missing = () => assert.fail('ENOENT');
  assert.match(otherRelease('0.2.0', missing) ?? '', /no package\.json that can be read: restart/);
});
