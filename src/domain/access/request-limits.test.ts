import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANONYMOUS_LIMITS, CRAWLER_RATE_LIMIT, GERMANY_RATE_LIMIT, KEY_RATE_LIMITS } from './request-limits.ts';

describe('the limits of requests', () => {
  it('are those of the contract', () => {
    assert.deepEqual(KEY_RATE_LIMITS, { perSecond: 5, perMinute: 120 });
    assert.deepEqual(CRAWLER_RATE_LIMIT, { perMinute: 60 });
    assert.deepEqual(GERMANY_RATE_LIMIT, { name: 'germany', perMinute: 30 });
    assert.deepEqual(ANONYMOUS_LIMITS, { cities: 20, records: 150, capDays: 7 });
  });
});
