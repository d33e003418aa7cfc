import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { emailKey, mailboxKey, parseEmailAddress } from './email-address.ts';

describe('an e-mail address', () => {
  it('keeps the part before @ as typed, and has its domain in lower-case ASCII', () => {
    assert.equal(parseEmailAddress(' Ana.Pop+fuel@Exemplu.RO '), 'Ana.Pop+fuel@exemplu.ro');
    assert.equal(parseEmailAddress('ana@știri.ro'), 'ana@xn--tiri-pxb.ro');
  });

  it('is refused if it could name a second recipient, another header or no mailbox', () => {
    const refused = [
      '',
      'ana',
      '@exemplu.ro',
      'ana@',
      'ana@exemplu',
      'ana@exemplu..ro',
      'ana@-exemplu.ro',
      'a@b@exemplu.ro',
      '.ana@exemplu.ro',
      'an..a@exemplu.ro',
      'ana@[127.0.0.1]',
      'ana@127.0.0.1',
      'ana@exemplu.ro,bcc@rau.ro',
      'ana@exemplu.ro;bcc@rau.ro',
      'Ana <ana@exemplu.ro>',
      '"ana"@exemplu.ro',
      'ana@exemplu.ro\r\nBcc: rau@rau.ro',
      'an\u200ba@exemplu.ro',
      'ana pop@exemplu.ro',
      `${'a'.repeat(65)}@exemplu.ro`,
      `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(12)}.ro`,
    ];
    for (const text of refused) assert.equal(parseEmailAddress(text), null, JSON.stringify(text));
  });

  it('never contains what ends a header or separates addresses, and parses to itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' })), (text) => {
        const address = parseEmailAddress(text);
        if (address === null) return;
        assert.doesNotMatch(address, /[\s,;<>"]/u);
        assert.equal(parseEmailAddress(address), address);
      }),
      { numRuns: 1_000, seed: 15 },
    );
  });
});

describe('two addresses', () => {
  it('are the same if only their case differs', () => {
    assert.equal(emailKey('Ana@exemplu.ro'), emailKey('ana@exemplu.ro'));
    assert.notEqual(emailKey('ana+1@exemplu.ro'), emailKey('ana@exemplu.ro'));
  });

  it('are one mailbox despite a tag, and at Google despite dots', () => {
    assert.equal(mailboxKey('ana+1@exemplu.ro'), 'ana@exemplu.ro');
    assert.equal(mailboxKey('an.a@exemplu.ro'), 'an.a@exemplu.ro');
    assert.equal(mailboxKey('A.n.a+x@googlemail.com'), 'ana@gmail.com');
    assert.equal(mailboxKey('+1@exemplu.ro'), '+1@exemplu.ro');
  });
});
