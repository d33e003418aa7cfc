import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedBrowser } from './browser.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** Source: RFC 8291, section 5 and appendix A. */
const RFC_8291 = {
  privateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  message: bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  ),
  text: 'When I grow up, I want to be a watermelon',
};

test('decrypts the example of RFC 8291', () => {
  const browser = new SimulatedBrowser(RFC_8291.privateKey, RFC_8291.auth);
  assert.equal(browser.p256dh, RFC_8291.publicKey);
  assert.equal(browser.read(RFC_8291.message), RFC_8291.text);
});

test('refuses a changed message and one for another browser', () => {
  const browser = new SimulatedBrowser(RFC_8291.privateKey, RFC_8291.auth);
  for (const at of [0, 30, 90, RFC_8291.message.length - 1]) {
    const changed = Buffer.from(RFC_8291.message);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => browser.read(changed));
  }
  assert.throws(() => new SimulatedBrowser().read(RFC_8291.message));
});
