import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatView, readView } from './map-start.ts';

test('a view is read from the address as it was written there', () => {
  assert.equal(formatView(9, { lat: 46.77123, lng: 23.6 }), '#9/46.7712/23.6000');
  assert.deepEqual(readView('#5.5/45.9000/25.0000'), { zoom: 5.5, lat: 45.9, lng: 25 });
  assert.deepEqual(readView('#9/46.7712/23.6000'), { zoom: 9, lat: 46.7712, lng: 23.6 });
});

test('anything else after # is no view', () => {
  for (const hash of ['', '#continut', '#9', '#9/46', '#9/46/x', '#9/46/23/1', '#5.3/46/23', '#-9/46/23'])
    assert.equal(readView(hash), null);
});
