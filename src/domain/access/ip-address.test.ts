import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addressText, networkAddress, parseAddress, parseAddressAndPort } from './ip-address.ts';

/** The canonical text, or `null`. */
const canonical = (text: string): string | null => {
  const address = parseAddress(text);
  return address && addressText(address);
};

/** How a URL writes an IPv6 host: an independent implementation of the canonical text. */
const asInUrl = (text: string) => new URL(`http://[${text}]/`).hostname.slice(1, -1);

/** Eight groups, many of them zero. */
const groups = fc.array(fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });

/** One of the many ways to write eight groups: case, leading zeros, any run of zeros as `::`, the last two dotted. */
const spelling = fc
  .record({ groups, upper: fc.boolean(), padded: fc.boolean(), dotted: fc.boolean(), from: fc.nat(7), run: fc.nat(8) })
  .map(({ groups, upper, padded, dotted, from, run }) => {
    const [high = 0, low = 0] = groups.slice(6);
    const hex = groups.map((group) => group.toString(16).padStart(padded ? 4 : 1, '0'));
    const parts = dotted ? [...hex.slice(0, 6), `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`] : hex;
    const most = dotted ? 6 : 8;
    const zeros = groups.slice(from, Math.min(from + run, most)).every((group) => group === 0);
    const end = Math.min(from + run, most);
    const short = zeros && end > from ? `${parts.slice(0, from).join(':')}::${parts.slice(end).join(':')}` : null;
    const text = short ?? parts.join(':');
    return { groups, text: upper ? text.toUpperCase() : text };
  });

describe('an address', () => {
  it('has one canonical text, however it is spelled', () => {
    fc.assert(
      fc.property(spelling, ({ groups, text }) => {
        const full = asInUrl(groups.map((group) => group.toString(16)).join(':'));
        const mapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
        if (!mapped) assert.equal(canonical(text), full);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that is IPv4-mapped is the IPv4 address, in every spelling', () => {
    fc.assert(
      fc.property(fc.ipV4(), spelling, (v4, { text }) => {
        const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
        const hex = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16));
        const tails = [v4, hex.join(':'), hex.map((group) => group.padStart(4, '0').toUpperCase()).join(':')];
        const heads = [
          '::ffff:',
          '::FFFF:',
          '0:0:0:0:0:ffff:',
          '0000:0000:0000:0000:0000:FFFF:',
          '0::ffff:',
          '::0:ffff:',
        ];
        for (const head of heads) for (const tail of tails) assert.equal(canonical(head + tail), v4, head + tail);
        assert.equal(parseAddress(text)?.family, /^::ffff:[^:]+:[^:]+$/.test(asInUrl(text)) ? 4 : 6);
      }),
    );
  });

  it('is valid exactly if Node accepts it', () => {
    const pieces = ['0', '1', '01', '255', '256', 'f', 'FFFF', '10000', '::', ':', '.', ' ', 'g', '1.2.3.4', '[', '-1'];
    const almost = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((parts) => parts.join(''));
    const any = fc.oneof(almost, fc.ipV4(), fc.ipV6(), fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(any, (text) => {
        if (!text.includes('%')) assert.equal(parseAddress(text) !== null, isIP(text) !== 0, text);
      }),
      { numRuns: 20_000 },
    );
  });

  it('has eight groups, or fewer around one :: that replaces at least one', () => {
    assert.equal(canonical('1:2:3:4:5:6:7::'), '1:2:3:4:5:6:7:0');
    assert.equal(canonical('::'), '::');
    for (const text of [
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4::5:6:7:8',
      '1::2::3',
      ':::',
      '1:2:3:4:5:6:7:1.2.3.4',
    ]) {
      assert.equal(canonical(text), null, text);
    }
  });

  it('may carry a zone, which is dropped', () => {
    assert.equal(canonical('fe80::1%eth0'), 'fe80::1');
    for (const text of ['fe80::1%', '1.2.3.4%eth0', `fe80::1%${'a'.repeat(33)}`, 'fe80::1%a b', 'fe80::1%a%b']) {
      assert.equal(canonical(text), null, text);
    }
  });

  it('belongs to the network of its leading bits', () => {
    const network = (text: string, prefix: number) => {
      const address = parseAddress(text);
      return address && addressText(networkAddress(address, prefix));
    };
    assert.equal(network('10.255.1.2', 9), '10.128.0.0');
    assert.equal(network('255.255.255.255', 0), '0.0.0.0');
    assert.equal(network('2001:db8:1:2:3:4:5:6', 64), '2001:db8:1:2::');
    assert.equal(network('2001:db8:1:2:3:4:5:6', 128), '2001:db8:1:2:3:4:5:6');
  });
});

describe('a port', () => {
  const read = (text: string) => {
    const parsed = parseAddressAndPort(text);
    return parsed && `${addressText(parsed.address)} ${parsed.port}`;
  };

  it('is separated from the address', () => {
    assert.equal(read('1.2.3.4'), '1.2.3.4 null');
    assert.equal(read('1.2.3.4:80'), '1.2.3.4 80');
    assert.equal(read('[2001:db8::1]:65535'), '2001:db8::1 65535');
    assert.equal(read('[2001:db8::1]'), '2001:db8::1 null');
    assert.equal(read('2001:db8::1:80'), '2001:db8::1:80 null');
    assert.equal(read('[::ffff:1.2.3.4]:80'), '1.2.3.4 80');
    assert.equal(read('[fe80::1%eth0]:80'), 'fe80::1 80');
  });

  it('that is invalid makes the whole text invalid', () => {
    const bad = `1.2.3.4: 1.2.3.4:65536 1.2.3.4:x 1.2.3.4:-1 1.2.3.4:123456 [1.2.3.4]:80 [1.2.3.4] [2001:db8::1 2001:db8::1]:80
      [2001:db8::1]80 [2001:db8::1]: []:80 [] :80 [[::1]]:80 localhost localhost:80 1.2.3.4:80:90 "1.2.3.4"`;
    for (const text of ['', ' 1.2.3.4', ...bad.split(/\s+/)]) assert.equal(read(text), null, text);
  });
});
