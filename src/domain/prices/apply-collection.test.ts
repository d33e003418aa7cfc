import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { aKnownPrice, aReading, DAY, HOUR, onDay } from '../../../test/support/builders/facts-builders.ts';
import { NOON, TODAY } from '../../../test/support/builders/snapshot-builders.ts';
import { dayNumber } from '../days.ts';
import { Rejections, type UnitOutcome } from '../reports/observation.ts';
import {
  applyReadings,
  type CollectionChanges,
  type KnownPrice,
  type StationReading,
  settleUnits,
} from './apply-collection.ts';

const UNIT = '54975:petrol';
const READ = new Set([UNIT]);
const NONE_READ = new Set<string>();

type Swept = CollectionChanges & { readonly rejected: Record<string, number> };

function sweep(known: readonly KnownPrice[], readings: readonly StationReading[], answered = READ, now = NOON): Swept {
  const rejections = new Rejections();
  const changes = applyReadings('register', known, readings, answered, now, rejections);
  return { ...changes, rejected: rejections.counts() };
}

/** The only fact of the only station after a sweep. */
function factAfter(known: readonly KnownPrice[], readings: readonly StationReading[], answered = READ): KnownPrice {
  const { factsAfter } = sweep(known, readings, answered);
  assert.equal(factsAfter.length, 1);
  return factsAfter[0] as KnownPrice;
}

describe('a row seen for the first time', () => {
  it('is a fact and an observation, but not a change', () => {
    const { changedFacts, observations, priceChanges } = sweep([], [aReading()]);

    assert.equal(changedFacts.length, 1);
    assert.deepEqual(observations, [
      {
        station: 'aaaaaaaaaaaa',
        fuel: 'petrol',
        source: 'register',
        price: 7_450,
        missing: false,
        observed: { day: '2026-11-19', at: null, text: '19.11.2026' },
      },
    ]);
    assert.equal(priceChanges, 0);
  });

  it('counts as unchanged since the observation’s own day', () => {
    const fact = factAfter([], [aReading({ observed: onDay('2026-10-01') })]);
    assert.equal(fact.sinceDay, dayNumber('2026-10-01'));
    assert.equal(fact.changed, false);
  });

  it('counts as unchanged since the run’s day in Bucharest if it has no date', () => {
    const afterMidnight = Date.parse('2026-11-20T22:30:00Z');
    const { factsAfter } = sweep([], [aReading({ observed: null })], READ, afterMidnight);
    assert.equal(factsAfter[0]?.sinceDay, dayNumber('2026-11-21'));
  });
});

describe('a row seen again', () => {
  const before = aKnownPrice({ observed: onDay('2026-11-18'), sinceDay: TODAY - 9, changed: true });

  it('keeps its first day, takes the later observation, and adds no observation if the price is the same', () => {
    const { changedFacts, observations, priceChanges } = sweep([before], [aReading({ observed: onDay('2026-11-20') })]);

    assert.equal(changedFacts[0]?.sinceDay, TODAY - 9);
    assert.equal(changedFacts[0]?.changed, true);
    assert.deepEqual(changedFacts[0]?.observed, onDay('2026-11-20'));
    assert.deepEqual(observations, []);
    assert.equal(priceChanges, 0);
  });

  it('changes nothing at all if it is identical', () => {
    const { changedFacts, observations } = sweep([before], [aReading({ observed: onDay('2026-11-18') })]);
    assert.deepEqual([changedFacts, observations], [[], []]);
  });

  it('changes on the observation’s day if the price differs', () => {
    const swept = sweep([before], [aReading({ price: 7_500, observed: onDay('2026-11-19') })]);

    assert.equal(swept.changedFacts[0]?.sinceDay, dayNumber('2026-11-19'));
    assert.equal(swept.changedFacts[0]?.changed, true);
    assert.equal(swept.observations.length, 1);
    assert.equal(swept.priceChanges, 1);
  });

  it('belongs to the unit that delivered it last', () => {
    const { changedFacts, observations } = sweep(
      [before],
      [aReading({ unit: '55259:petrol', observed: before.observed })],
    );
    assert.equal(changedFacts[0]?.unit, '55259:petrol');
    assert.deepEqual(observations, []);
  });

  it('loses its price if the new one is invalid', () => {
    const { changedFacts, observations } = sweep([before], [aReading({ price: null })]);
    assert.equal(changedFacts[0]?.price, null);
    assert.equal(observations[0]?.price, null);
  });

  it('does not count as changed if it had no price before', () => {
    assert.equal(factAfter([aKnownPrice({ price: null, changed: true })], [aReading()]).changed, false);
  });
});

describe('an older reading', () => {
  const known = aKnownPrice({ price: 7_500, observed: onDay('2026-11-19') });

  it('is refused: importing yesterday’s file again changes nothing', () => {
    const { changedFacts, observations, rejected } = sweep(
      [known],
      [aReading({ price: 7_100, observed: onDay('2026-11-18') })],
    );
    assert.deepEqual([changedFacts, observations], [[], []]);
    assert.deepEqual(rejected, { older_than_known: 1 });
  });

  it('is recognised by the instant if both have one', () => {
    const timed = (at: number) => ({ day: '2026-11-19', at, text: null });
    const before = aKnownPrice({ price: 7_500, observed: timed(NOON) });

    assert.equal(factAfter([before], [aReading({ price: 7_100, observed: timed(NOON - 1) })]).price, 7_500);
    assert.equal(factAfter([before], [aReading({ price: 7_100, observed: timed(NOON) })]).price, 7_100);
  });

  it('is accepted if it is of the same day or has no day', () => {
    assert.equal(factAfter([known], [aReading({ price: 7_100, observed: onDay('2026-11-19') })]).price, 7_100);
    assert.equal(factAfter([known], [aReading({ price: 7_100, observed: null })]).price, 7_100);
  });

  it('still proves that the row exists: it ends an orphan and prevents one', () => {
    const older = aReading({ price: 7_100, observed: onDay('2026-11-18') });
    assert.equal(factAfter([known], [older]).missingSince, null);

    const { factsAfter, observations } = sweep([{ ...known, missingSince: NOON - DAY }], [older]);

    assert.equal(factsAfter[0]?.missingSince, null);
    assert.equal(factsAfter[0]?.price, 7_500);
    assert.deepEqual(
      observations.map(({ price, missing }) => ({ price, missing })),
      [{ price: 7_500, missing: false }],
    );
  });
});

describe('a row that a sweep lacks', () => {
  it('is missing since that sweep if its unit was read', () => {
    const { changedFacts, observations } = sweep([aKnownPrice()], []);
    assert.equal(changedFacts[0]?.missingSince, NOON);
    assert.equal(changedFacts[0]?.price, 7_450);
    assert.equal(observations[0]?.missing, true);
  });

  it('stays as it is if its unit failed', () => {
    const { changedFacts, observations, factsAfter } = sweep([aKnownPrice()], [], NONE_READ);
    assert.deepEqual([changedFacts, observations], [[], []]);
    assert.equal(factsAfter[0]?.missingSince, null);
  });

  it('stays missing since the first sweep that lacked it', () => {
    const { changedFacts, factsAfter } = sweep([aKnownPrice({ missingSince: NOON - DAY })], []);
    assert.deepEqual(changedFacts, []);
    assert.equal(factsAfter[0]?.missingSince, NOON - DAY);
  });

  it('is no longer missing once it returns, and keeps its first day if the price is the same', () => {
    const { changedFacts, observations } = sweep(
      [aKnownPrice({ missingSince: NOON - DAY, sinceDay: TODAY - 20 })],
      [aReading()],
    );
    assert.equal(changedFacts[0]?.missingSince, null);
    assert.equal(changedFacts[0]?.sinceDay, TODAY - 20);
    assert.equal(observations[0]?.missing, false);
  });

  it('is not affected by another fuel or station that is missing', () => {
    const other = aKnownPrice({ fuel: 'diesel', unit: '54975:diesel' });
    const { factsAfter } = sweep([aKnownPrice(), other], [aReading()]);
    assert.ok(factsAfter.every(({ missingSince }) => missingSince === null));
  });
});

describe('two rows of one station and fuel', () => {
  it('count as one: the second is refused and counted', () => {
    const { factsAfter, rejected } = sweep([], [aReading({ price: 7_100 }), aReading({ price: 7_900 })]);
    assert.deepEqual(
      factsAfter.map(({ price }) => price),
      [7_100],
    );
    assert.deepEqual(rejected, { second_row_of_station_and_fuel: 1 });
  });
});

describe('any sweep', () => {
  const station = fc.constantFrom('aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc');
  const fuel = fc.constantFrom('petrol' as const, 'diesel' as const);
  const unit = fc.constantFrom('1:petrol', '1:diesel', '2:petrol');
  const price = fc.constantFrom(null, 7_100, 7_200);
  const observed = fc.constantFrom(
    null,
    onDay('2026-11-18'),
    onDay('2026-11-19'),
    { day: '2026-11-19', at: NOON - 20 * HOUR, text: null },
    { day: '2026-11-19', at: NOON - 19 * HOUR, text: 'ieri' },
  );
  const aKnown = fc
    .record({ station, fuel, unit, price, observed, missingSince: fc.constantFrom(null, NOON - DAY) })
    .map(aKnownPrice);
  const someKnown = fc.uniqueArray(aKnown, { selector: (fact) => `${fact.station} ${fact.fuel}` });
  const someReadings = fc.array(fc.record({ station, fuel, unit, price, observed }).map(aReading), { maxLength: 8 });
  const someUnits = fc.subarray(['1:petrol', '1:diesel', '2:petrol']).map((units) => new Set(units));

  it('changes nothing when it is replayed', () => {
    fc.assert(
      fc.property(someKnown, someReadings, someUnits, (known, readings, answered) => {
        const once = sweep(known, readings, answered);
        const twice = sweep(once.factsAfter, readings, answered, NOON + HOUR);
        assert.deepEqual([twice.changedFacts, twice.observations, twice.priceChanges], [[], [], 0]);
        assert.deepEqual(twice.factsAfter, once.factsAfter);
      }),
      { numRuns: 2_000 },
    );
  });

  it('orphans no row of a unit that was not read', () => {
    fc.assert(
      fc.property(someKnown, someReadings, someUnits, (known, readings, answered) => {
        const { changedFacts } = sweep(known, readings, answered);
        for (const fact of changedFacts) if (fact.missingSince === NOON) assert.ok(answered.has(fact.unit));
      }),
    );
  });

  it('keeps every fact and reports every difference', () => {
    fc.assert(
      fc.property(someKnown, someReadings, someUnits, (known, readings, answered) => {
        const { factsAfter, changedFacts } = sweep(known, readings, answered);
        const differing = factsAfter.filter((fact) => !known.includes(fact));
        assert.deepEqual(new Set(changedFacts), new Set(differing));
        assert.ok(factsAfter.length >= known.length);
      }),
    );
  });
});

describe('how the units of a run count', () => {
  const settle = (outcome: UnitOutcome, before = 0) => {
    const { answered, failed, notFoundCounts } = settleUnits(new Map([[UNIT, outcome]]), new Map([[UNIT, before]]));
    assert.notEqual(answered.has(UNIT), failed.has(UNIT));
    return { answered: answered.has(UNIT), notFound: notFoundCounts.get(UNIT) };
  };

  it('read and empty units count as answered, failed ones do not', () => {
    assert.equal(settle('read').answered, true);
    assert.equal(settle('empty').answered, true);
    assert.equal(settle('failed').answered, false);
  });

  it('a unit that refuses counts as failed twice, and as empty the third time in a row', () => {
    assert.deepEqual(settle('not-found', 0), { answered: false, notFound: 1 });
    assert.deepEqual(settle('not-found', 1), { answered: false, notFound: 2 });
    assert.equal(settle('not-found', 2).answered, true);
  });

  it('another failure between two that were not found restarts the count', () => {
    assert.deepEqual(settle('failed', 2), { answered: false, notFound: 0 });
  });
});
