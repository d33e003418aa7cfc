import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, BlockList, connect, isIP, SocketAddress } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clientAddress } from './client-address.ts';
import { NO_PROXIES, parseTrustedProxies, type TrustedProxies } from './trusted-proxies.ts';

function trusting(list: string): TrustedProxies {
  const proxies = parseTrustedProxies(list);
  assert.ok(!('problem' in proxies), list);
  return proxies;
}

/** The trusted proxies in these tests. */
const OURS = trusting('10.0.0.0/8, fd00::/8');
const client = (peer: string | undefined, forwardedFor?: string, trusted = OURS) =>
  clientAddress(peer, forwardedFor, trusted).client;

describe('the client', () => {
  it('is the peer: a whole IPv4 address, or the /64 of an IPv6 address', () => {
    assert.deepEqual(clientAddress('192.0.2.7', undefined, NO_PROXIES), { address: '192.0.2.7', client: '192.0.2.7' });
    assert.deepEqual(clientAddress('2001:DB8:0:1:2:3:4:5', undefined, NO_PROXIES), {
      address: '2001:db8:0:1:2:3:4:5',
      client: '2001:db8:0:1::/64',
    });
    assert.equal(client('::ffff:192.0.2.7'), '192.0.2.7');
    assert.equal(client('::ffff:c000:207'), '192.0.2.7');
    assert.equal(client('fe80::1%eth0'), 'fe80::/64');
    assert.equal(client('::1'), '::/64');
  });

  it('of a closed socket is unknown, whatever the header contains', () => {
    assert.deepEqual(clientAddress(undefined, '192.0.2.7', OURS), { address: 'unknown', client: 'unknown' });
  });

  it('behind proxies is the first untrusted address from the right', () => {
    assert.equal(client('10.0.0.1', '192.0.2.7'), '192.0.2.7');
    assert.equal(client('10.0.0.1', '6.6.6.6, 192.0.2.7, 10.0.0.2, fd00::5'), '192.0.2.7');
    assert.equal(client('::ffff:10.0.0.1', '192.0.2.7'), '192.0.2.7');
    assert.equal(client('10.0.0.1', '192.0.2.7,::ffff:10.0.0.2'), '192.0.2.7');
    assert.equal(client('10.0.0.1', ' \t192.0.2.7 \t,\t10.0.0.3'), '192.0.2.7');
  });

  it('is the leftmost address if all are proxies', () => {
    assert.equal(client('10.0.0.1', '10.0.0.3, 10.0.0.2'), '10.0.0.3');
    assert.equal(client('10.0.0.1'), '10.0.0.1');
  });

  it('is the last valid address if an entry is not an address', () => {
    for (const bad of [
      'unknown',
      '',
      '_hidden',
      'evil.example.org',
      '1.2.3',
      '"192.0.2.7"',
      '1.2.3.4:99999',
      '10.0.0.1;',
    ]) {
      assert.equal(client('10.0.0.1', `6.6.6.6, ${bad}, 10.0.0.2`), '10.0.0.2', bad);
      assert.equal(client('10.0.0.1', bad), '10.0.0.1', bad);
    }
    assert.equal(client('10.0.0.1', ',10.0.0.2'), '10.0.0.2');
    assert.equal(client('10.0.0.1', '192.0.2.7,'), '10.0.0.1');
  });

  it('is reported without its port', () => {
    assert.equal(client('10.0.0.1', '192.0.2.7:4711, 10.0.0.2:80'), '192.0.2.7');
    assert.equal(client('10.0.0.1', '[2001:db8::7]:4711'), '2001:db8::/64');
    assert.equal(client('10.0.0.1', '[2001:db8::7]'), '2001:db8::/64');
    assert.equal(client('10.0.0.1', '[::ffff:192.0.2.7]:1'), '192.0.2.7');
  });

  it('is the same for two addresses exactly if they are equal or share an IPv6 /64', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'));
    fc.assert(
      fc.property(address, address, (one, other) => {
        assert.equal(client(one) === client(other), keyByNode(one) === keyByNode(other));
      }),
    );
  });
});

describe('a forged X-Forwarded-For', () => {
  const HOSTILE = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('10.0.0.1'), fc.string())).map((parts) => parts.join(',')),
  );

  it('is ignored without proxies and from any untrusted peer', () => {
    const stranger = fc.oneof(fc.ipV4(), fc.ipV6()).filter((peer) => !/^(10\.|fd|::ffff:)/i.test(peer));
    fc.assert(
      fc.property(stranger, HOSTILE, (peer, header) => {
        assert.deepEqual(clientAddress(peer, header, OURS), clientAddress(peer, undefined, NO_PROXIES));
        assert.deepEqual(clientAddress('10.0.0.1', header, NO_PROXIES), { address: '10.0.0.1', client: '10.0.0.1' });
      }),
    );
  });

  it('has no effect to the left of what a proxy wrote', () => {
    fc.assert(
      fc.property(HOSTILE, fc.ipV4(), fc.nat(3), (header, real, hops) => {
        const behind = Array.from({ length: hops }, (_, at) => `, 10.0.0.${at}`).join('');
        if (!real.startsWith('10.')) assert.equal(client('10.9.9.9', `${header}, ${real}${behind}`), real);
      }),
    );
  });

  it('is evaluated by rule 1, for any chain', () => {
    const good = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4().map((text) => `::ffff:${text}`),
      fc.constantFrom('10.1.1.1', 'fd00::9'),
    );
    const port = fc.nat(65_535);
    const entry = fc.oneof(
      { weight: 6, arbitrary: good },
      {
        weight: 2,
        arbitrary: fc.tuple(good, port).map(([host, at]) => (host.includes(':') ? `[${host}]:${at}` : `${host}:${at}`)),
      },
      { weight: 1, arbitrary: fc.constantFrom('', 'unknown', 'x:80', '[]', '1.2.3.4.5') },
    );
    const trusted = fc.constantFrom(
      '10.0.0.0/8,fd00::/8',
      '0.0.0.0/1,::/1',
      '128.0.0.0/1,fd00::9',
      '0.0.0.0/1,8000::/1',
    );
    fc.assert(
      fc.property(good, fc.array(entry, { maxLength: 8 }), trusted, (peer, entries, list) => {
        const header = entries.length === 0 ? undefined : entries.join(', ');
        assert.equal(client(peer, header, trusting(list)), walkByNode(peer, entries, list));
      }),
      { numRuns: 3_000 },
    );
  });

  it('of maximum length is walked quickly', () => {
    for (const header of [
      '10.0.0.1,'.repeat(100_000),
      `${' '.repeat(500_000)}x`,
      ':'.repeat(500_000),
      `[${'a:'.repeat(250_000)}`,
    ]) {
      const began = process.cpuUsage().user;
      client('10.0.0.1', header);
      assert.ok(process.cpuUsage().user - began < 2_000_000);
    }
  });
});

it('an IPv4 client behind a translator counts as that address, and is no neighbour of the others', () => {
  for (const [peer, header] of [
    ['64:ff9b::192.0.2.7', undefined],
    ['64:ff9b::c000:207', '6.6.6.6'],
    ['10.0.0.1', '64:ff9b::192.0.2.7'],
  ] as const)
    assert.equal(client(peer, header), '192.0.2.7');
  assert.equal(client('64:ff9b:1::192.0.2.7', undefined), '64:ff9b:1::/64');
  assert.equal(client('64:ff9b::1:192.0.2.7', undefined), '64:ff9b::/64');
  assert.equal(client('64:ff9b::10.0.0.1', '6.6.6.6'), '10.0.0.1', 'a proxy must be listed as it is seen');
});

it('Node joins several X-Forwarded-For headers in their order', async (t) => {
  const server = createServer((request, response) => {
    response.end(`behind: ${request.headers['x-forwarded-for']}`);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const lines = ['6.6.6.6', '192.0.2.7, 10.0.0.3', '10.0.0.2'].map((value) => `X-Forwarded-For: ${value}\r\n`);
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}\r\n`);
  const [, header] = /behind: ([\d., ]+)/.exec((await socket.toArray()).join('')) ?? [];
  assert.equal(header, '6.6.6.6, 192.0.2.7, 10.0.0.3, 10.0.0.2');
  assert.equal(client('10.0.0.1', header), '192.0.2.7');
});

/** Rule 1 again, implemented with Node's own lists and parsers and without the code under test. */
function walkByNode(peer: string, entries: readonly string[], list: string): string {
  const trusted = { 4: new BlockList(), 6: new BlockList() };
  for (const network of list.split(',')) {
    const [address = '', prefix = '128'] = network.split('/');
    if (address.includes(':')) trusted[6].addSubnet(address, Number(prefix), 'ipv6');
    else trusted[4].addSubnet(address, Number(prefix), 'ipv4');
  }
  const isOurs = (address: string) =>
    isIP(address) === 4 ? trusted[4].check(address, 'ipv4') : trusted[6].check(address, 'ipv6');
  let last = plain(peer);
  for (const entry of entries.toReversed()) {
    if (!isOurs(last)) break;
    const host = isIP(entry) ? entry : entry.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) === 0) break;
    last = plain(host);
  }
  return keyByNode(last);
}

/** In Node's canonical text, unmapped. */
function plain(address: string): string {
  if (isIP(address) === 4) return address;
  const text = new SocketAddress({ address, family: 'ipv6' }).address;
  return text.startsWith('::ffff:') && text.includes('.') ? text.slice(7) : text;
}

/** What limits count by, from the host of a URL. */
function keyByNode(address: string): string {
  const unmapped = plain(address);
  if (isIP(unmapped) === 4) return unmapped;
  const [head = '', tail = ''] = new URL(`http://[${unmapped}]/`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const full = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${new URL(`http://[${full.slice(0, 4).join(':')}::]/`).hostname.slice(1, -1)}/64`;
}
