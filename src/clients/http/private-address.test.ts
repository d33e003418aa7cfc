import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, test } from 'node:test';
import { isPrivateLiteral, publicLookup } from './private-address.ts';

const PRIVATE = `0.0.0.0 10.1.2.3 100.64.0.1 127.8.9.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1
  192.168.1.1 198.18.0.1 198.19.0.1 198.51.100.7 203.0.113.7 224.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1
  ::ffff:8.8.8.8 64:ff9b::a00:1 2001::1 2002:a00:1::1 fc00::1 fd12::1 fe80::1 ff02::1 192.88.99.1 ::7f00:1
  ::ffff:0:a00:1 64:ff9b:1::a00:1 100::1 2001:1ff::1 2001:db8::1 3fff:fff::1 5f00::1 fec0::1`.split(/\s+/);
const PUBLIC = `1.1.1.1 8.8.8.8 11.0.0.1 100.63.255.255 100.128.0.1 126.0.0.1 169.253.0.1 172.15.255.255 172.32.0.1
  192.167.0.1 192.169.0.1 198.17.0.1 198.20.0.1 223.255.255.255 2001:4860:4860::8888 2a00:1450:4001::1
  2606:4700::1111 192.88.98.1 192.88.100.1 100:0:0:1::1 2001:200::1 2001:db9::1 3fff:1000::1 64:ff9b:2::1`.split(/\s+/);

const url = (address: string) => new URL(`http://${address.includes(':') ? `[${address}]` : address}/`);

describe('an address written out', () => {
  test('of a private, local or reserved network is private, in whatever form', () => {
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

  test('is none where the host is a name', () => {
    assert.equal(isPrivateLiteral(new URL('http://localhost/')), false);
  });
});

describe('the look-up of a name', () => {
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
