import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from './ip-address.ts';
import { isTrusted, NO_PROXIES, parseTrustedProxies } from './trusted-proxies.ts';

function refusal(list: string): string {
  const proxies = parseTrustedProxies(list);
  assert.ok('problem' in proxies, `${list} was not refused`);
  return proxies.problem;
}

function trusts(list: string, address: string): boolean {
  const proxies = parseTrustedProxies(list);
  const parsed = parseAddress(address);
  assert.ok(!('problem' in proxies) && parsed !== null, list);
  return isTrusted(parsed, proxies);
}

/** A network in the form of Node's own lists. */
type Network = { address: string; prefix: number };

const v4Network = fc.tuple(fc.nat(0xffffffff), fc.integer({ min: 4, max: 32 })).map(([bits, prefix]): Network => {
  const first = bits - (bits % 2 ** (32 - prefix));
  return { address: [24, 16, 8, 0].map((by) => Math.floor(first / 2 ** by) % 256).join('.'), prefix };
});
const v6Network = fc
  .tuple(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), fc.integer({ min: 1, max: 8 }))
  .map(([groups, kept]): Network => {
    const first = groups.map((group, at) => (at < kept ? group : 0).toString(16));
    return { address: first.join(':'), prefix: 16 * kept };
  });
/** Addresses that are often near the edge of a network. */
const nearby = (networks: readonly Network[]) =>
  fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('0.0.0.0', ...networks.map(({ address }) => address)));

describe('a list of proxies', () => {
  it('trusts exactly the addresses in it', () => {
    const question = fc
      .record({ v4: fc.array(v4Network, { maxLength: 4 }), v6: fc.array(v6Network, { minLength: 1, maxLength: 4 }) })
      .chain(({ v4, v6 }) => fc.record({ v4: fc.constant(v4), v6: fc.constant(v6), asked: nearby([...v4, ...v6]) }));
    fc.assert(
      fc.property(question, ({ v4, v6, asked }) => {
        const [list4, list6] = [new BlockList(), new BlockList()];
        for (const { address, prefix } of v4) list4.addSubnet(address, prefix, 'ipv4');
        for (const { address, prefix } of v6) list6.addSubnet(address, prefix, 'ipv6');
        const text = [...v4, ...v6].map(({ address, prefix }) => `${address}/${prefix}`).join(' , ');
        const expected = asked.includes(':') ? list6.check(asked, 'ipv6') : list4.check(asked, 'ipv4');
        if (/^::ffff:/i.test(asked)) return;
        assert.equal(trusts(text, asked), expected, `${asked} in ${text}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts single addresses, networks up to half of all addresses, duplicates and nested networks', () => {
    assert.equal(trusts('10.0.0.1', '10.0.0.1'), true);
    assert.equal(trusts('10.0.0.1', '10.0.0.2'), false);
    assert.equal(trusts('0.0.0.0/1', '127.255.255.255'), true);
    assert.equal(trusts('0.0.0.0/1', '128.0.0.0'), false);
    assert.equal(trusts('8000::/1', 'ffff::'), true);
    assert.equal(trusts('10.0.0.0/8,10.1.0.0/16,10.0.0.0/8', '10.255.0.1'), true);
    assert.equal(trusts('0.0.0.0/1,10.0.0.0/8,0.0.0.0/1', '10.0.0.1'), true);
  });

  it('treats a mapped network as IPv4, and no other IPv6 network as IPv4', () => {
    assert.equal(trusts('::ffff:10.0.0.0/104', '10.9.9.9'), true);
    assert.equal(trusts('::ffff:10.0.0.1', '10.0.0.1'), true);
    assert.equal(trusts('10.0.0.0/8', '::ffff:10.9.9.9'), true);
    assert.equal(trusts('::/1', '10.0.0.1'), false);
    assert.equal(trusts('::/1', '::10.0.0.1'), true);
  });

  it('that is empty trusts no address', () => {
    for (const text of ['127.0.0.1', '::1', '::'])
      assert.equal(isTrusted(parseAddress(text) as never, NO_PROXIES), false);
  });
});

describe('the error message gives the valid form for', () => {
  it('a list that covers more than half of IPv4 or of IPv6, in one entry or in many', () => {
    const lists = [
      ['0.0.0.0/0', 4],
      ['0.0.0.0/1,128.0.0.0/2', 4],
      ['0.0.0.0/1, 128.0.0.0', 4],
      ['0.0.0.0/2,64.0.0.0/2,255.255.255.255/32', 4],
      ['::ffff:0:0/96', 4],
      ['::ffff:0.0.0.0/97,::ffff:128.0.0.0/97', 4],
      ['10.0.0.1,::/0', 6],
      ['::/1,8000::/2', 6],
      ['::/1,ffff::1', 6],
    ] as const;
    for (const [list, family] of lists) {
      assert.match(
        refusal(list),
        new RegExp(`such as 10\\.0\\.0\\.0/8; it covers more than half of IPv${family}$`),
        list,
      );
    }
  });

  it('an address with host bits set', () => {
    assert.match(refusal('10.1.2.3/8'), /entry 1 is "10\.1\.2\.3\/8" where the network is 10\.0\.0\.0\/8$/);
    assert.match(refusal('::1, fd00::1/8'), /entry 2 is "fd00::1\/8" where the network is fd00::\/8$/);
    assert.match(refusal('::ffff:10.1.0.0/104'), /where the network is 10\.0\.0\.0\/8$/);
  });

  it('a prefix longer than the address, or one that cuts into a mapped one', () => {
    assert.match(refusal('10.0.0.0/33'), /entry 1 has a network of \/33 where \/0 to \/32 would be right$/);
    assert.match(refusal('fd00::/129'), /where \/0 to \/128 would be right$/);
    assert.match(refusal('::ffff:0:0/90'), /where \/96 to \/128 would be right$/);
  });

  it('an empty entry', () => {
    for (const list of ['', ' ', '10.0.0.1,', ',10.0.0.1', '10.0.0.1,,10.0.0.2']) {
      assert.match(refusal(list), /^must be addresses and networks such as 10\.0\.0\.0\/8; entry \d is empty$/, list);
    }
  });

  it('an entry that is not an address', () => {
    const bad = `localhost loopback true 1 * 10.0.0.0/ 10.0.0.0/08 10.0.0.0/+8 10.0.0.0/8/8 10.0.0.0/255.0.0.0 10.0.0 010.0.0.1
      10.0.0.1:80 [::1] [::1]:80 fe80::1%eth0 fe80::%eth0/10 10.0.0.0-10.0.0.9 10.0.0.1;10.0.0.2 /8`;
    for (const entry of bad.split(/\s+/)) {
      const text = refusal(`10.0.0.1, ${entry}`);
      assert.ok(text.endsWith(`; entry 2 is ${JSON.stringify(entry)}`), text);
    }
  });
});
