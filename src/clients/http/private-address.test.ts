import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, test } from 'node:test';
import { isPrivateLiteral, publicLookup } from './private-address.ts';

/** Each special range with addresses in it: its first and last, and others. */
const PRIVATE_RANGES: Readonly<Record<string, string>> = {
  '0.0.0.0/8': '0.0.0.0 0.255.255.255',
  '10.0.0.0/8': '10.0.0.0 10.1.2.3 10.255.255.255',
  '100.64.0.0/10': '100.64.0.0 100.127.255.255',
  '127.0.0.0/8': '127.0.0.1 127.8.9.1',
  '169.254.0.0/16': '169.254.0.0 169.254.169.254 169.254.255.255',
  '172.16.0.0/12': '172.16.0.1 172.31.255.255',
  '192.0.0.0/24': '192.0.0.8 192.0.0.171',
  '192.0.2.0/24': '192.0.2.1',
  '192.88.99.0/24': '192.88.99.1',
  '192.168.0.0/16': '192.168.1.1',
  '198.18.0.0/15': '198.18.0.1 198.19.255.255',
  '198.51.100.0/24': '198.51.100.7',
  '203.0.113.0/24': '203.0.113.7',
  '224.0.0.0/4': '224.0.0.1 239.255.255.255',
  '240.0.0.0/4': '240.0.0.1 255.255.255.255',
  '::/96': ':: ::1 ::7f00:1 ::8.8.8.8',
  '::ffff:0:0/96': '::ffff:10.0.0.1 ::ffff:8.8.8.8',
  '::ffff:0:0:0/96': '::ffff:0:a00:1',
  '64:ff9b::/96 with a private address': '64:ff9b::a00:1 64:ff9b::127.0.0.1 64:ff9b::169.254.169.254 64:ff9b::c0a8:101',
  '64:ff9b:1::/48': '64:ff9b:1::a00:1 64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
  '100::/64': '100::1 100::ffff:ffff:ffff:ffff',
  '100:0:0:1::/64': '100:0:0:1::1',
  '2001::/23': '2001::1 2001:0:808:808::1 2001:2::1 2001:10::1 2001:1ff::1',
  '2001:db8::/32': '2001:db8::1 2001:db8:ffff::1',
  '2002::/16': '2002:a00:1::1 2002:808:808::1',
  '3fff::/20': '3fff:fff::1',
  '5f00::/16': '5f00::1',
  'fc00::/7': 'fc00::1 fd12::1 fdff:ffff::1',
  'fe80::/10': 'fe80::1 febf:ffff::1',
  'fec0::/10': 'fec0::1 feff:ffff::1',
  'ff00::/8': 'ff02::1 ffff::1',
};
const PRIVATE = Object.values(PRIVATE_RANGES).flatMap((addresses) => addresses.split(' '));
const PUBLIC = `1.1.1.1 8.8.8.8 11.0.0.1 100.63.255.255 100.128.0.1 126.0.0.1 169.253.0.1 172.15.255.255 172.32.0.1
  192.167.0.1 192.169.0.1 198.17.0.1 198.20.0.1 223.255.255.255 2001:4860:4860::8888 2a00:1450:4001::1
  2606:4700::1111 192.88.98.1 192.88.100.1 100:0:0:2::1 2001:200::1 2001:db9::1 3fff:1000::1 64:ff9b:2::1
  64:ff9b::808:808 64:ff9b::1.1.1.1`.split(/\s+/);

const url = (address: string) => new URL(`http://${address.includes(':') ? `[${address}]` : address}/`);

describe('a literal address', () => {
  test('of a private, local or reserved network is private, in any form', () => {
    assert.deepEqual(
      PRIVATE.filter((address) => !isPrivateLiteral(url(address))),
      [],
    );
  });

  test('of any other network is not, of IPv4 and of IPv6 alike', () => {
    assert.deepEqual(
      PUBLIC.filter((address) => isPrivateLiteral(url(address))),
      [],
    );
  });

  test('is not found in a host name', () => {
    assert.equal(isPrivateLiteral(new URL('http://localhost/')), false);
  });
});

describe('the lookup of a name', () => {
  const found = (address: string, all: boolean) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      publicLookup(address, { all }, (error, result) => (error ? reject(error) : resolve(result)));
    });

  test('finds public addresses', async () => {
    for (const address of PUBLIC) {
      assert.equal(await found(address, false), address);
      assert.equal(((await found(address, true)) as LookupAddress[])[0]?.address, address);
    }
  });

  test('finds no private one', async () => {
    for (const address of PRIVATE) await assert.rejects(found(address, true), { code: 'PRIVATE_ADDRESS' }, address);
  });
});
