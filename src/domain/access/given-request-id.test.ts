import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenRequestId } from './given-request-id.ts';
import { parseTrustedProxies, type TrustedProxies } from './trusted-proxies.ts';

const proxies = parseTrustedProxies('10.0.0.0/8') as TrustedProxies;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const given = (headers: Record<string, string>, peer = '10.1.2.3') => givenRequestId(headers, peer, proxies);

test('a trusted proxy names a request, and its trace', () => {
  assert.deepEqual(given({ 'x-request-id': 'a1b2c3d4-0001' }), { id: 'a1b2c3d4-0001', traceparent: null });
  assert.deepEqual(given({ traceparent: PARENT }), { id: TRACE, traceparent: PARENT });
  assert.deepEqual(given({ 'x-request-id': 'a1b2c3d4', traceparent: PARENT }), { id: 'a1b2c3d4', traceparent: PARENT });
});

test('nobody else does, and nothing else is an id', () => {
  assert.equal(given({ 'x-request-id': 'a1b2c3d4' }, '192.0.2.1'), null);
  assert.equal(givenRequestId({ 'x-request-id': 'a1b2c3d4' }, undefined, proxies), null);
  for (const id of ['short', 'x'.repeat(65), 'a1b2c3d4\n', 'a1b2c3d4 x', '{"level":60}', ''])
    assert.equal(given({ 'x-request-id': id }), null, id);
  const bad = [
    PARENT.replace('00-', '01-'),
    PARENT.replace(TRACE, '0'.repeat(32)),
    `${PARENT}-x`,
    PARENT.toUpperCase(),
  ];
  for (const traceparent of bad) assert.equal(given({ traceparent }), null, traceparent);
});
