import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getCACertificates } from 'node:tls';
import { registerAuthorities } from './authorities.ts';

const FINGERPRINT = '8C:54:C3:34:B6:6B:A4:E4:26:77:2A:F4:A3:F9:13:6C:19:A1:AE:C7:29:FD:B2:8C:53:5C:07:A5:A4:EF:22:E0';

test('the supplied certificate is the documented one, signed by a root that the runtime trusts', () => {
  const supplied = new X509Certificate(registerAuthorities().at(-1) ?? '');
  const roots = getCACertificates('bundled').map((pem) => new X509Certificate(pem));
  assert.equal(supplied.fingerprint256, FINGERPRINT);
  assert.ok(supplied.ca);
  assert.ok(roots.some((root) => supplied.checkIssued(root) && supplied.verify(root.publicKey)));
  assert.ok(readFileSync(new URL('../../../../docs/SOURCES.md', import.meta.url), 'utf8').includes(FINGERPRINT));
});

test('the runtime’s own authorities stay trusted', () => {
  assert.deepEqual(registerAuthorities().slice(0, -1), getCACertificates('default'));
});
