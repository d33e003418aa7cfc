import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { pushHosts } from './web-push-settings.ts';

/** The pair of RFC 8291's example. */
const GOOD = {
  VAPID_PUBLIC_KEY: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  VAPID_SUBJECT: 'mailto:ops@example.org',
};
const read = (environment: Record<string, string>) => readConfig(environment, import.meta.dirname);

test('the three settings of web push are all set or all unset', () => {
  assert.equal(read({}).vapid, null);
  assert.deepEqual(read(GOOD).vapid, {
    publicKey: GOOD.VAPID_PUBLIC_KEY,
    privateKey: GOOD.VAPID_PRIVATE_KEY,
    subject: GOOD.VAPID_SUBJECT,
  });
  for (const name of Object.keys(GOOD)) {
    assert.throws(() => read({ ...GOOD, [name]: '' }), new RegExp(`^Error: ${name} must be set as well`));
  }
});

test('invalid keys, and keys that are not a pair, are refused and never repeated', () => {
  const other = `${'A'.repeat(42)}E`;
  const bad: [name: keyof typeof GOOD, value: string, words: RegExp][] = [
    ['VAPID_PUBLIC_KEY', 'short', /^Error: VAPID_PUBLIC_KEY must be 65 bytes in base64url/],
    ['VAPID_PUBLIC_KEY', `C${GOOD.VAPID_PUBLIC_KEY.slice(1)}`, /^Error: VAPID_PUBLIC_KEY must be 65 bytes/],
    ['VAPID_PRIVATE_KEY', 'a-secret', /^Error: VAPID_PRIVATE_KEY must be 32 bytes/],
    ['VAPID_PRIVATE_KEY', other, /^Error: VAPID_PUBLIC_KEY must belong to VAPID_PRIVATE_KEY/],
    ['VAPID_PRIVATE_KEY', 'A'.repeat(43), /^Error: VAPID_PUBLIC_KEY must belong to VAPID_PRIVATE_KEY/],
    ['VAPID_SUBJECT', 'ops@example.org', /^Error: VAPID_SUBJECT must be a mailto: or https: address/],
  ];
  for (const [name, value, words] of bad) {
    assert.throws(
      () => read({ ...GOOD, [name]: value }),
      (error: Error) => words.test(String(error)) && (name !== 'VAPID_PRIVATE_KEY' || !error.message.includes(value)),
    );
  }
});

test('PUSH_HOSTS accepts names, all subdomains of a name, and whole origins', () => {
  assert.deepEqual(pushHosts(' FCM.googleapis.com,*.push.apple.com, http://127.0.0.1:9000,'), [
    'fcm.googleapis.com',
    '*.push.apple.com',
    'http://127.0.0.1:9000',
  ]);
  for (const bad of [
    '*',
    '*.com:443',
    'localhost',
    '127.0.0.1',
    'http://a.ro/',
    'http://a.ro/path',
    'ftp://a.ro',
    'a..ro',
    'x.*.ro',
  ])
    assert.throws(() => pushHosts(bad), /must be hosts such as/, bad);
});
