import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ALWAYS_STUCK,
  AT_NOON,
  DAY,
  describeVerdict,
  HOUR,
  NEVER_STUCK,
  onDay,
} from '../../../test/support/builders/facts-builders.ts';
import { aFact, expired, NOON, TODAY, trusted } from '../../../test/support/builders/snapshot-builders.ts';
import { bucharestDay, dayNumber, dayText, nextBucharestMidnight } from '../days.ts';
import { DEFAULT_RANGES, FUELS, type Fuel, type MilliPrice } from '../fuel.ts';
import { sourceRank } from '../reports/source-kind.ts';
import {
  isOnMap,
  judgeFuel,
  nextChangeOf,
  type PriceVerdict,
  type SourcePrice,
  type StuckPriceDetector,
  withdrawIncoherent,
} from './price-verdict.ts';

const MANUAL_NOW = { source: 'manual', observed: { day: '2026-11-20', at: NOON - HOUR, text: null } };

function verdict(fact: Partial<SourcePrice>, detector = NEVER_STUCK): string {
  return describeVerdict(judgeFuel([aFact(fact)], detector, AT_NOON));
}

function best(...facts: Partial<SourcePrice>[]): string {
  return describeVerdict(
    judgeFuel(
      facts.map((fact) => aFact(fact)),
      NEVER_STUCK,
      AT_NOON,
    ),
  );
}

describe('the most trusted price', () => {
  const list = { source: 'prices:petrom', price: 7_100 };
  const register = { source: 'register', price: 7_200 };
  const page = { source: 'rompetrol', price: 7_300 };
  const manual = { ...MANUAL_NOW, price: 7_400 };

  it('is that of the operator’s list, then the register, then a network’s page, then a manual report', () => {
    assert.equal(best(manual, page, register, list), '7100 trusted (prices:petrom)');
    assert.equal(best(manual, page, register), '7200 trusted (register)');
    assert.equal(best(manual, page), '7300 trusted (rompetrol)');
    assert.equal(best(manual), '7400 trusted (manual)');
  });

  it('does not depend on the order in which the facts are known', () => {
    const facts = [list, register, page, manual];
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: 1 }), (some) => {
        assert.equal(best(...some), best(...some.toReversed()));
      }),
    );
  });

  it('is the newest among equals, an instant on the same day being newer than the bare day', () => {
    const older = { source: 'prices:a', price: 7_100, observed: onDay('2026-11-18') };
    const newer = { source: 'prices:b', price: 7_200, observed: onDay('2026-11-19') };
    const justAfterMidnight = Date.parse('2026-11-18T22:05:00Z');
    const timed = {
      source: 'prices:c',
      price: 7_300,
      observed: { day: '2026-11-19', at: justAfterMidnight, text: null },
    };

    assert.equal(best(older, newer), '7200 trusted (prices:b)');
    assert.equal(best(timed, newer), '7300 trusted (prices:c)');
  });

  it('is the first by source name if rank and moment are equal, in any order of the facts', () => {
    const [a, b] = [list, { ...list, price: 7_150 }].map((fact, at) => ({ ...fact, source: `prices:${'ab'[at]}` }));
    assert.equal(best({ ...a }, { ...b }), '7100 trusted (prices:a)');
    assert.equal(best({ ...b }, { ...a }), '7100 trusted (prices:a)');
  });

  it('yields, if it is doubtful, to a trusted price of a lower source', () => {
    assert.equal(best({ ...register, missingSince: NOON - HOUR }, manual), '7400 trusted (manual)');
    assert.equal(best({ ...list, observed: onDay('2026-11-01') }, page), '7300 trusted (rompetrol)');
  });

  it('stays if the lower ones are doubtful too', () => {
    const orphan = { missingSince: NOON - HOUR };
    assert.equal(best({ ...page, ...orphan }, { ...register, ...orphan }), '7200 orphaned null (register)');
  });

  it('is never that of a silent source or of a row with an invalid price', () => {
    assert.equal(best({ ...list, readAt: NOON - DAY - 1 }, page), '7300 trusted (rompetrol)');
    assert.equal(best({ ...list, price: null }, page), '7300 trusted (rompetrol)');
    assert.equal(best({ ...list, price: 5_499 }, page), '7300 trusted (rompetrol)');
  });

  it('is chosen in the order of the rules', () => {
    assert.deepEqual(['prices:x', 'register', 'rompetrol', 'manual', 'locator:mol'].map(sourceRank), [0, 1, 2, 3, 4]);
  });
});

describe('a valid price', () => {
  const ENDS: Record<Fuel, [MilliPrice, MilliPrice]> = {
    petrol: [5_500, 12_000],
    petrol_premium: [5_500, 12_000],
    diesel: [5_500, 13_000],
    diesel_premium: [5_500, 13_000],
    lpg: [2_500, 6_000],
    adblue: [1_000, 20_000],
  };

  for (const fuel of FUELS) {
    it(`of ${fuel} is in its range, both ends included`, () => {
      const [min, max] = ENDS[fuel];
      assert.equal(verdict({ fuel, price: min }), `${min} trusted (register)`);
      assert.equal(verdict({ fuel, price: max }), `${max} trusted (register)`);
      assert.equal(verdict({ fuel, price: min - 1 }), 'unknown');
      assert.equal(verdict({ fuel, price: max + 1 }), 'unknown');
    });
  }

  it('is unknown if the row has none', () => {
    assert.equal(verdict({ price: null }), 'unknown');
    assert.equal(describeVerdict(judgeFuel([], NEVER_STUCK, AT_NOON)), 'unknown');
  });

  const none = { price: null };
  const tooHigh = { price: 12_001 };
  const orphan = { missingSince: NOON - 31 * DAY };
  for (const [facts, reason] of [
    [[], 'unpublished'],
    [[none], 'unpublished'],
    [[none, { source: 'locator:mol', price: null }], 'unpublished'],
    [[none, orphan, tooHigh], 'orphaned'],
    [[{ ...orphan, price: null }], 'unpublished'],
    [[tooHigh], 'invalid'],
    [[none, tooHigh], 'invalid'],
    [[{ source: 'prices:petrom', price: 5_499 }, none], 'invalid'],
    [[orphan], 'orphaned'],
  ] as const) {
    it(`is ${reason} where the facts are ${JSON.stringify(facts)}`, () => {
      const judged = judgeFuel(
        facts.map((fact) => aFact(fact)),
        NEVER_STUCK,
        AT_NOON,
      );
      assert.deepEqual(judged, { kind: 'unknown', reason });
    });
  }
});

describe('a price whose source is silent', () => {
  it('is served at 24 h exactly and withdrawn a millisecond later', () => {
    assert.equal(verdict({ readAt: NOON - 86_400_000 }), '7450 trusted (register)');
    assert.equal(verdict({ readAt: NOON - 86_400_001 }), 'expired');
  });

  it('is withdrawn, for a manual report, 24 h after it was observed, whenever it was read', () => {
    const report = (at: number) =>
      verdict({ ...MANUAL_NOW, readAt: NOON, observed: { day: '2026-11-19', at, text: null } });

    assert.equal(report(NOON - 86_400_000), '7450 trusted (manual)');
    assert.equal(report(NOON - 86_400_001), 'expired');
  });

  it('says when the last of its sources confirmed it', () => {
    const silent = [
      { readAt: NOON - 6 * DAY },
      { ...MANUAL_NOW, observed: { day: '2026-11-17', at: NOON - 3 * DAY, text: null } },
    ];
    const expired = { kind: 'expired', lastConfirmedAt: NOON - 3 * DAY };
    for (const facts of [silent, silent.toReversed()])
      assert.deepEqual(judgeFuel(facts.map(aFact), NEVER_STUCK, AT_NOON), expired);
  });

  it('is expired even when it was doubtful before', () => {
    assert.equal(verdict({ readAt: NOON - 2 * DAY, missingSince: NOON - 2 * DAY }), 'expired');
  });

  it('is unknown, not expired, if it was never valid', () => {
    assert.equal(verdict({ price: 12_001, readAt: NOON - 2 * DAY }), 'unknown');
  });
});

describe('a stale price', () => {
  it('has an observation day at least 7 calendar days ago', () => {
    assert.equal(verdict({ observed: onDay('2026-11-14') }), '7450 trusted (register)');
    assert.equal(verdict({ observed: onDay('2026-11-13') }), `7450 stale ${dayNumber('2026-11-13')} (register)`);
  });

  it('always has a date', () => {
    assert.equal(verdict({ observed: null }), '7450 trusted (register)');
  });

  it('becomes stale at midnight in Bucharest, not in UTC', () => {
    const facts = [aFact({ observed: onDay('2026-11-14') })];
    const at = (now: number) => {
      const today = dayNumber(bucharestDay(now));
      return judgeFuel([aFact({ ...facts[0], readAt: now })], NEVER_STUCK, { ...AT_NOON, now, today }).kind;
    };

    assert.equal(at(Date.parse('2026-11-20T21:59:59.999Z')), 'trusted');
    assert.equal(at(Date.parse('2026-11-20T22:00:00Z')), 'doubtful');
  });
});

describe('a stuck price', () => {
  it('is unchanged for at least 14 calendar days while its network moved', () => {
    assert.equal(verdict({ sinceDay: TODAY - 13 }, ALWAYS_STUCK), '7450 trusted (register)');
    assert.equal(verdict({ sinceDay: TODAY - 14 }, ALWAYS_STUCK), `7450 stuck ${TODAY - 14} (register)`);
  });

  it('is trusted if the network did not move either', () => {
    assert.equal(verdict({ sinceDay: TODAY - 300 }, NEVER_STUCK), '7450 trusted (register)');
  });
});

describe('a price doubtful for several reasons', () => {
  const stuck = { sinceDay: TODAY - 20 };
  const stale = { observed: onDay('2026-11-01') };
  const orphaned = { missingSince: NOON - HOUR };

  it('counts as an orphan first, then as stale, then as stuck', () => {
    assert.equal(verdict({ ...stuck, ...stale, ...orphaned }, ALWAYS_STUCK), '7450 orphaned null (register)');
    assert.equal(verdict({ ...stuck, ...stale }, ALWAYS_STUCK), `7450 stale ${dayNumber('2026-11-01')} (register)`);
    assert.equal(verdict({ ...stuck }, ALWAYS_STUCK), `7450 stuck ${TODAY - 20} (register)`);
  });
});

describe('an orphan', () => {
  const missing = (ms: number) => aFact({ missingSince: NOON - ms });

  it('keeps its price for 30 days to the millisecond', () => {
    assert.equal(verdict(missing(30 * DAY)), '7450 orphaned null (register)');
    assert.equal(verdict(missing(30 * DAY + 1)), 'unknown');
  });

  it('stays on the map for 90 days to the millisecond', () => {
    assert.equal(isOnMap(missing(90 * DAY), NOON), true);
    assert.equal(isOnMap(missing(90 * DAY + 1), NOON), false);
    assert.equal(isOnMap(aFact(), NOON), true);
  });
});

describe('an incoherent price', () => {
  function after(verdicts: Partial<Record<Fuel, PriceVerdict>>): Partial<Record<Fuel, string>> {
    const map = new Map(Object.entries(verdicts) as [Fuel, PriceVerdict][]);
    withdrawIncoherent(map);
    return Object.fromEntries([...map].map(([fuel, own]) => [fuel, own.kind]));
  }
  const doubtful = (price: MilliPrice): PriceVerdict => ({
    kind: 'doubtful',
    reason: 'stuck',
    since: TODAY,
    price,
    fact: aFact(),
  });

  it('is a premium price below the standard price of its family, which stays', () => {
    assert.deepEqual(after({ petrol: trusted(7_500), petrol_premium: trusted(7_499) }), {
      petrol: 'trusted',
      petrol_premium: 'incoherent',
    });
    assert.deepEqual(after({ diesel_premium: trusted(7_899), diesel: trusted(7_900) }), {
      diesel_premium: 'incoherent',
      diesel: 'trusted',
    });
  });

  it('is not a price equal to the standard', () => {
    assert.equal(after({ petrol: trusted(7_500), petrol_premium: trusted(7_500) }).petrol_premium, 'trusted');
  });

  it('is judged between trusted prices only', () => {
    assert.equal(after({ petrol: doubtful(9_000), petrol_premium: trusted(7_500) }).petrol_premium, 'trusted');
    assert.equal(after({ petrol: trusted(9_000), petrol_premium: doubtful(7_500) }).petrol_premium, 'doubtful');
    assert.equal(
      after({ petrol: expired('2026-11-18T12:05:00Z'), petrol_premium: trusted(7_500) }).petrol_premium,
      'trusted',
    );
  });

  it('is never judged across families', () => {
    assert.equal(after({ diesel: trusted(9_000), petrol_premium: trusted(7_500) }).petrol_premium, 'trusted');
    assert.equal(
      after({ petrol: trusted(9_000), diesel_premium: trusted(7_500), adblue: trusted(4_000) }).adblue,
      'trusted',
    );
  });
});

describe('the next change', () => {
  it('is the millisecond after 24 h of silence, 30 days and 90 days of absence, whichever comes first', () => {
    const readAt = NOON - HOUR;
    const missingSince = NOON - 30 * DAY + 1;

    assert.equal(nextChangeOf(aFact({ readAt }), NOON), readAt + DAY + 1);
    assert.equal(nextChangeOf(aFact({ readAt, missingSince }), NOON), missingSince + 30 * DAY + 1);
    assert.equal(
      nextChangeOf(aFact({ readAt: NOON - 80 * DAY, missingSince: NOON - 80 * DAY }), NOON),
      NOON + 10 * DAY + 1,
    );
    assert.equal(nextChangeOf(aFact({ readAt: NOON - 2 * DAY }), NOON), Number.POSITIVE_INFINITY);
  });

  const someFact = fc
    .record({
      source: fc.constantFrom('register', 'prices:petrom', 'rompetrol', 'manual'),
      price: fc.constantFrom(null, 5_499, 5_500, 7_450, 12_000, 12_001),
      sinceDaysAgo: fc.integer({ min: 0, max: 30 }),
      changed: fc.boolean(),
      readMsAgo: fc.oneof(fc.integer({ min: 0, max: 3 * DAY }), fc.constantFrom(DAY - 1, DAY, DAY + 1)),
      observedDaysAgo: fc.option(fc.integer({ min: 0, max: 10 })),
      observedHoursAgo: fc.option(fc.integer({ min: 0, max: 48 })),
      missingMsAgo: fc.option(
        fc.oneof(
          fc.integer({ min: 0, max: 100 * DAY }),
          fc.constantFrom(30 * DAY - 1, 30 * DAY, 30 * DAY + 1, 90 * DAY - 1, 90 * DAY, 90 * DAY + 1),
        ),
      ),
    })
    .map(({ sinceDaysAgo, readMsAgo, observedDaysAgo, observedHoursAgo, missingMsAgo, ...fact }) => {
      const at = observedHoursAgo === null ? null : NOON - observedHoursAgo * HOUR;
      const day = at === null ? dayText(TODAY - (observedDaysAgo ?? 0)) : bucharestDay(at);
      return aFact({
        ...fact,
        sinceDay: TODAY - sinceDaysAgo,
        readAt: NOON - readMsAgo,
        observed: observedDaysAgo === null ? null : { day, at, text: null },
        missingSince: missingMsAgo === null ? null : NOON - missingMsAgo,
      });
    });

  const alwaysStuck: StuckPriceDetector = ALWAYS_STUCK;

  it('is never preceded by a change of a verdict or of the map', () => {
    fc.assert(
      fc.property(fc.array(someFact, { maxLength: 4 }), fc.double({ min: 0, max: 1, noNaN: true }), (facts, part) => {
        const end = facts.reduce((next, fact) => Math.min(next, nextChangeOf(fact, NOON)), nextBucharestMidnight(NOON));
        const later = Math.floor(NOON + (end - 1 - NOON) * part);
        for (const now of [later, end - 1]) {
          const moment = { ...AT_NOON, now };
          assert.equal(
            describeVerdict(judgeFuel(facts, alwaysStuck, moment)),
            describeVerdict(judgeFuel(facts, alwaysStuck, AT_NOON)),
          );
          assert.deepEqual(
            facts.map((fact) => isOnMap(fact, now)),
            facts.map((fact) => isOnMap(fact, NOON)),
          );
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not too late: a single valid price changes at that exact instant', () => {
    fc.assert(
      fc.property(someFact, (fact) => {
        fc.pre(fact.price === 7_450 && fact.missingSince === null);
        const before = judgeFuel([fact], NEVER_STUCK, AT_NOON).kind;
        fc.pre(before !== 'expired');
        const now = nextChangeOf(fact, NOON);
        assert.equal(judgeFuel([fact], NEVER_STUCK, { ...AT_NOON, now, ranges: DEFAULT_RANGES }).kind, 'expired');
      }),
    );
  });
});
