import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { aFact, TODAY } from '../../../test/support/builders/snapshot-builders.ts';
import type { SourcePrice } from './price-verdict.ts';
import { stuckPriceDetector } from './stuck-price.ts';

const SINCE = TODAY - 20;
const still = aFact({ sinceDay: SINCE });
const changedOn = (sinceDay: number) => aFact({ sinceDay, changed: true });
const firstSeenOn = (sinceDay: number) => aFact({ sinceDay, changed: false });

function isStuck(others: readonly SourcePrice[]): boolean {
  return stuckPriceDetector([still, ...others]).isStuck(still);
}

describe('an unchanged price', () => {
  it('is stuck when at least half of the other stations changed theirs since', () => {
    const moved = changedOn(SINCE + 1);
    assert.equal(isStuck([moved, moved, still, still]), true);
    assert.equal(isStuck([moved, still, still]), false);
    assert.equal(isStuck([moved, moved, still]), true);
    assert.equal(isStuck([moved, moved, still, still, still]), false);
  });

  it('is not stuck because of changes on the same day', () => {
    assert.equal(isStuck([changedOn(SINCE), changedOn(SINCE), changedOn(SINCE)]), false);
  });

  it('is not stuck because of new stations', () => {
    assert.equal(isStuck([firstSeenOn(TODAY), firstSeenOn(TODAY), firstSeenOn(TODAY)]), false);
  });

  it('is never stuck in a network with fewer than 3 other stations', () => {
    const moved = changedOn(TODAY);
    assert.equal(isStuck([]), false);
    assert.equal(isStuck([moved, moved]), false);
    assert.equal(isStuck([moved, moved, moved]), true);
  });

  it('agrees with a plain count', () => {
    const facts = fc.record({ sinceDay: fc.integer({ min: TODAY - 10, max: TODAY }), changed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(facts.map(aFact), { minLength: 1, maxLength: 12 }), (all) => {
        const detector = stuckPriceDetector(all);
        for (const one of all) {
          const others = all.filter((other) => other !== one);
          const moved = others.filter(({ changed, sinceDay }) => changed && sinceDay > one.sinceDay).length;
          assert.equal(detector.isStuck(one), others.length >= 3 && moved >= others.length / 2);
        }
      }),
    );
  });
});
