import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from './client-network.ts';

test('the network of an IPv4 client is its /24, of an IPv6 client its /48', () => {
  assert.equal(clientNetwork('192.0.2.7'), '192.0.2.0/24');
  assert.equal(clientNetwork('2001:db8:1:2::/64'), '2001:db8:1::/48');
  assert.equal(clientNetwork('2001:db8:1:ffff::/64'), '2001:db8:1::/48');
});

test('clients without an address are a network of their own', () => {
  assert.equal(clientNetwork('unknown'), 'unknown');
});
