/** Bad captcha tokens of one client never delay the reviews of others. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { waitFor } from '../support/database/embedded-database.ts';
import { ReviewServices } from '../support/service/review-services.ts';
import { SUCCESS_ANSWER } from '../support/simulators/captcha-verifier.ts';

const CONNECTIONS = 250;

let reviewing: ReviewServices;
before(async () => {
  reviewing = await ReviewServices.start();
});
after(() => reviewing.close());

/** Verifications of bad tokens that have no answer yet. */
let held: ServerResponse[] = [];
afterEach(() => {
  releaseHeld();
});

function releaseHeld(): void {
  for (const response of held) response.end(JSON.stringify({ success: false }));
  held = [];
}

/** A verifier that never finishes checking a bad token, so that nothing may wait for it. */
function holdBadTokens(): void {
  reviewing.verifier.answer = (response) => {
    const token = reviewing.verifier.requests.at(-1)?.form.response ?? '';
    if (token.startsWith('good')) response.end(JSON.stringify(SUCCESS_ANSWER));
    else {
      held.push(response);
      // Pompa stops waiting for an answer after 3 seconds, and its slot is free.
      response.once('close', () => {
        held = held.filter((each) => each !== response);
      });
    }
  };
}

let tokens = 0;
const post = (kind: 'good' | 'bad', from: string) => {
  tokens += 1;
  const text = { comment: 'Curat.', recaptcha_token: `${kind} ${tokens}` };
  return reviewing.postWithRetries({ statie_slug: reviewing.newStation(), rating: 5, ...text }, { from });
};

const FLOODS: readonly [who: string, addressOf: (n: number) => string, share: number][] = [
  ['one address', () => '203.0.113.7', 2],
  ['250 networks /64 of one /48', (n) => `2001:db8:7:${n.toString(16)}::1`, 4],
];

describe('while the verifier holds bad tokens of 250 connections', () => {
  for (const [who, addressOf, share] of FLOODS) {
    test(`of ${who}, honest reviewers of other networks are verified as if alone`, async () => {
      holdBadTokens();
      const flood = Array.from({ length: CONNECTIONS }, (_, n) => post('bad', addressOf(n)));
      await waitFor('the flood to reach the verifier', 60_000, async () => held.length >= share);
      for (const from of ['198.51.100.1', '198.51.100.2', '192.0.2.1', '2001:db8:8::1', '2001:db8:9::1']) {
        assert.equal((await post('good', from)).status, 200, from);
        assert.ok(held.length <= share, 'the flood holds no more than its share');
        releaseHeld();
      }
      const flooded = setInterval(releaseHeld, 5);
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      clearInterval(flooded);
      assert.ok(statuses.every((status) => status === 403));
    });
  }
});
