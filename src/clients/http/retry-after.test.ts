import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.parse('Sun, 22 Nov 2026 10:00:00 GMT');

describe('Retry-After', () => {
  test('can be seconds', () => {
    assert.equal(parseRetryAfter('0', NOW), 0);
    assert.equal(parseRetryAfter('120', NOW), 120_000);
  });

  test('can be a date, and one in the past means no wait', () => {
    assert.equal(parseRetryAfter('Sun, 22 Nov 2026 10:01:30 GMT', NOW), 90_000);
    assert.equal(parseRetryAfter('Sun, 22 Nov 2026 09:00:00 GMT', NOW), 0);
  });

  test('means nothing otherwise', () => {
    for (const header of ['', 'soon', '-5x', '1.5 minutes']) assert.equal(parseRetryAfter(header, NOW), null, header);
  });
});
