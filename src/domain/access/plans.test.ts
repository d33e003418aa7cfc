import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { effectiveQuota, PLANS, TRIAL_DAYS } from './plans.ts';

describe('the plans', () => {
  it('have the prices and monthly quotas of the contract', () => {
    assert.deepEqual(
      PLANS.map(({ code, name, euros, monthlyQuota }) => [code, name, euros, monthlyQuota]),
      [
        ['starter', 'Starter', 19, 10_000],
        ['pro', 'Pro', 49, 100_000],
        ['business', 'Business', 149, 1_000_000],
        ['dedicat', 'Dedicat', null, null],
      ],
    );
    assert.equal(TRIAL_DAYS, 3);
  });
});

describe('the quota of a key', () => {
  it('is its own quota rather than that of its plan', () => {
    assert.equal(effectiveQuota('pro', null), 100_000);
    assert.equal(effectiveQuota('pro', 5), 5);
    assert.equal(effectiveQuota('dedicat', 250), 250);
  });

  it('is 0 if its own quota is 0', () => {
    assert.equal(effectiveQuota('pro', 0), 0);
  });

  it('is 0 if neither the key nor its plan has a quota', () => {
    assert.equal(effectiveQuota('dedicat', null), 0);
    assert.equal(effectiveQuota('unknown', null), 0);
  });
});
