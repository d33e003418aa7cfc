import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertSupport, namedPages } from './alerts.ts';

test('alerts need a secure address and push; on an iPhone they need the home screen', () => {
  assert.equal(alertSupport({ isSecure: true, hasPush: true }), 'supported');
  assert.equal(alertSupport({ isSecure: true, hasPush: true, standalone: true }), 'supported');
  assert.equal(alertSupport({ isSecure: true, hasPush: false, standalone: false }), 'add to home screen');
  assert.equal(alertSupport({ isSecure: true, hasPush: false }), 'unsupported');
  assert.equal(alertSupport({ isSecure: false, hasPush: true }), 'unsupported');
});

test('a subscription whose name is not known here is listed by its path', () => {
  const turda = {
    names: { ro: 'Turda', en: 'Turda' },
    paths: { ro: '/preturi-carburanti/turda', en: '/en/fuel-prices/turda' },
  };
  const [known, other] = namedPages(['/preturi-carburanti/turda', '/preturi-carburanti/dej'], [turda]);
  assert.equal(known, turda);
  assert.equal(other?.names.ro, '/preturi-carburanti/dej');
});
