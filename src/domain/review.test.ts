import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bucharestDay } from './days.ts';
import {
  cleanVisitorText,
  type EarlierReview,
  MAX_COMMENT_LENGTH,
  MAX_REVIEWS_PER_DAY,
  meanRating,
  ownNickname,
  reviewWaitMs,
} from './review.ts';

const HOUR = 3_600_000;
const FAMILY = '👨‍👩‍👧‍👦';

describe('cleanVisitorText', () => {
  test('returns NFC, trimmed, without control and bidi characters; line breaks become spaces', () => {
    assert.equal(cleanVisitorText('  ba\u006e\u0303 \t', 50), 'bañ');
    assert.equal(cleanVisitorText('a\u0000b\u001b[31m\u007f\u0085c', 50), 'ab[31m c');
    assert.equal(cleanVisitorText('\u202eevil\u202c \u2066x\u2069 \u200f\u061c.', 50), 'evil x .');
    assert.equal(cleanVisitorText('unu\r\n\r\ndoi\u2028trei', 50), 'unu doi trei');
    assert.equal(cleanVisitorText('a\ud800b\udc00', 50), 'ab');
    assert.equal(cleanVisitorText('<b>&amp;</b>', 50), '<b>&amp;</b>', 'markup is text like any other');
  });

  test('counts characters as people see them', () => {
    assert.equal(cleanVisitorText('ș'.normalize('NFD').repeat(50), 50), 'ș'.repeat(50));
    assert.equal(cleanVisitorText('a'.repeat(50), 50)?.length, 50);
    assert.equal(cleanVisitorText('a'.repeat(51), 50), null);
    assert.equal(cleanVisitorText(FAMILY.repeat(500), 500), FAMILY.repeat(500));
    assert.equal(cleanVisitorText(FAMILY.repeat(501), 500), null);
    assert.equal(cleanVisitorText(` ${'a'.repeat(50)} `, 50)?.length, 50, 'after trimming');
    assert.equal(cleanVisitorText(`A${'\u{e0041}'.repeat(900)}na`, 50), 'Ana', 'without hidden characters');
  });

  test('refuses a character with excessive marks', () => {
    assert.equal(cleanVisitorText(`a${'\u0316'.repeat(30)}`, 500)?.length, 31);
    assert.equal(cleanVisitorText(`a${'\u0316'.repeat(31)}`, 500), null);
    assert.equal(
      cleanVisitorText(`a${'\u0316\u202e'.repeat(31)}`, 500),
      null,
      'also after the characters between them are removed',
    );
    assert.equal(cleanVisitorText('👍'.repeat(5_000), 500), null);
  });

  test('is idempotent and leaves no active characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (sent) => {
        const text = cleanVisitorText(sent, MAX_COMMENT_LENGTH) as string;
        assert.equal(cleanVisitorText(text, MAX_COMMENT_LENGTH), text);
        assert.doesNotMatch(text, /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]|^\s|\s$/u);
      }),
    );
  });
});

test('the anonymous nickname is not the reviewer’s own, in any case', () => {
  for (const name of ['', 'Anonim', 'ANONIM', 'anonim']) assert.equal(ownNickname(name), null);
  for (const name of ['Ana', 'Anonima', 'anonim 2']) assert.equal(ownNickname(name), name);
});

describe('reviewWaitMs', () => {
  const now = Date.parse('2026-11-20T20:30:00Z');
  const midnight = 1.5 * HOUR;
  const waitMs = (ofClient: readonly EarlierReview[], station: string, at: number) =>
    reviewWaitMs({ ofClient, ofNetwork: ofClient }, station, at);

  test('allows one review per station and three in all until midnight in Bucharest', () => {
    const at = now - HOUR;
    assert.equal(waitMs([], 'a', now), 0);
    assert.equal(waitMs([{ station: 'a', at }], 'b', now), 0);
    assert.equal(waitMs([{ station: 'a', at }], 'a', now), midnight);
    const three = ['a', 'b', 'c'].map((station) => ({ station, at }));
    assert.equal(waitMs(three, 'd', now), midnight);
    assert.equal(waitMs(three, 'd', now + midnight), 0);
    assert.equal(waitMs(three, 'a', now + midnight - 1), 1);
  });

  test('allows a network 300 reviews a day, and 100 of a station', () => {
    const at = now - HOUR;
    const reviewsOf = (count: number, stationOf: (n: number) => string) => ({
      ofClient: [],
      ofNetwork: Array.from({ length: count }, (_, n) => ({ station: stationOf(n), at })),
    });
    const manyStations = (n: number) => `s${n}`;
    assert.equal(reviewWaitMs(reviewsOf(299, manyStations), 'a', now), 0);
    assert.equal(reviewWaitMs(reviewsOf(300, manyStations), 'a', now), midnight);
    assert.equal(reviewWaitMs(reviewsOf(300, manyStations), 'a', now + midnight), 0);
    assert.equal(
      reviewWaitMs(
        reviewsOf(99, () => 'a'),
        'a',
        now,
      ),
      0,
    );
    assert.deepEqual(
      [
        reviewWaitMs(
          reviewsOf(100, () => 'a'),
          'a',
          now,
        ),
        reviewWaitMs(
          reviewsOf(100, () => 'a'),
          'b',
          now,
        ),
      ],
      [midnight, 0],
    );
  });

  test('respects days of 23 and 25 hours', () => {
    for (const [start, hours] of [
      ['2026-03-28T22:00:00Z', 23],
      ['2026-10-24T21:00:00Z', 25],
    ] as const) {
      const at = Date.parse(start);
      assert.equal(waitMs([{ station: 'a', at }], 'a', at), hours * HOUR);
    }
  });

  test('lets no sequence of accepted reviews exceed a limit', () => {
    const tries = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 0, max: 20 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(tries, (steps) => {
        let at = Date.parse('2026-10-23T00:00:00Z');
        const accepted: { station: string; at: number }[] = [];
        for (const [station, hours] of steps) {
          at += (hours * HOUR) / 4;
          if (waitMs(accepted, station, at) === 0) accepted.push({ station, at });
        }
        for (const day of Map.groupBy(accepted, (review) => bucharestDay(review.at)).values()) {
          assert.ok(day.length <= MAX_REVIEWS_PER_DAY);
          assert.equal(new Set(day.map(({ station }) => station)).size, day.length);
        }
      }),
    );
  });
});

test('a mean rating has 1 decimal, half up; without ratings it is 0', () => {
  assert.deepEqual(
    [
      [0, 0],
      [9, 2],
      [5, 1],
      [13, 3],
      [17, 4],
      [1, 20],
    ].map(([stars = 0, count = 0]) => meanRating(stars, count)),
    [0, 4.5, 5, 4.3, 4.3, 0.1],
  );
});
