import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR } from '../../../test/support/builders/facts-builders.ts';
import { NOON } from '../../../test/support/builders/snapshot-builders.ts';
import {
  checkPlausibility,
  comparedRuns,
  hasEnoughUnits,
  type PastRun,
  type PlausibilityInput,
  summariseRun,
} from './plausibility.ts';

const USUAL = { rows: 1_000, means: { petrol: 7_500 } };

function runAgo(hours: number, outcome: PastRun['outcome'], of: Partial<PastRun> = {}): PastRun {
  return { ...USUAL, at: NOON - hours * HOUR, outcome, ...of };
}

const delivered = (hours: number, rows = 1_000) => runAgo(hours, 'delivered', { rows });
/** Three ordinary runs, newest first. */
const THREE = [delivered(4), delivered(8), delivered(12)];

function judge(input: Partial<PlausibilityInput> & { rows?: number } = {}): string | null {
  const { rows = 1_000, ...rest } = input;
  const growth = { known: 1_000, added: 0, created: 0, limit: 10_000 };
  return checkPlausibility({ now: NOON, run: { ...USUAL, rows }, priceMoves: [], pastRuns: THREE, growth, ...rest });
}

function growth(created: number, known = 1_000, { added = created, limit = 10_000 } = {}) {
  return { known, added, created, limit };
}

/** Prices of 10 RON: some that moved by a share, some that did not move. */
function moves(moved: number, still: number, by = 2_000) {
  const move = (change: number) => ({ before: 10_000, after: 10_000 + change });
  return [...Array.from({ length: moved }, () => move(by)), ...Array.from({ length: still }, () => move(0))];
}

describe('a run has enough answered units', () => {
  it('from 90 % on', () => {
    assert.equal(hasEnoughUnits(90, 100), true);
    assert.equal(hasEnoughUnits(89, 100), false);
    assert.equal(hasEnoughUnits(0, 0), false);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.nat(20_000), (total, answered) => {
        assert.equal(hasEnoughUnits(answered, total), 10 * answered >= 9 * total);
      }),
    );
  });
});

describe('a run with few rows', () => {
  it('is set aside below 60 % of the median of the last delivered runs', () => {
    assert.equal(judge({ rows: 600 }), null);
    assert.equal(judge({ rows: 599 }), '599 valid rows, fewer than 60 % of the usual 1000');
  });

  it('is accepted while fewer than 3 runs were delivered', () => {
    assert.equal(judge({ rows: 10, pastRuns: [delivered(4), delivered(8), runAgo(12, 'set_aside')] }), null);
  });

  it('is compared with the last 7 delivered runs only', () => {
    const small = (runs: number) =>
      Array.from({ length: 9 }, (_, run) => (run < runs ? delivered(run + 1, 100) : delivered(run + 1)));
    assert.equal(judge({ rows: 60, pastRuns: small(4) }), null);
    assert.notEqual(judge({ rows: 59, pastRuns: small(4) }), null);
    assert.equal(judge({ rows: 600, pastRuns: small(3) }), null);
    assert.notEqual(judge({ rows: 599, pastRuns: small(3) }), null);
  });

  it('is compared with the mean of the middle two of an even number of runs', () => {
    const pastRuns = [delivered(1, 100), delivered(2, 200), delivered(3, 300), delivered(4, 400)];
    assert.equal(judge({ rows: 150, pastRuns }), null);
    assert.notEqual(judge({ rows: 149, pastRuns }), null);
  });

  it('is compared with the median whatever the order of the runs', () => {
    const pastRuns = [delivered(1, 900), delivered(2, 100), delivered(3, 1_000)];
    assert.equal(judge({ rows: 540, pastRuns }), null);
    assert.notEqual(judge({ rows: 539, pastRuns }), null);
  });

  it('without any valid row is always set aside', () => {
    assert.equal(judge({ rows: 0, pastRuns: [] }), 'no row carries a valid price');
    assert.notEqual(
      judge({ rows: 0, pastRuns: [runAgo(1, 'set_aside', { rows: 0 }), runAgo(2, 'set_aside', { rows: 0 })] }),
      null,
    );
  });
});

describe('a run in which many prices moved', () => {
  it('is set aside if more than half moved', () => {
    assert.equal(judge({ priceMoves: moves(50, 50) }), null);
    assert.equal(judge({ priceMoves: moves(51, 49) }), '51 of 100 prices moved by more than 15 %');
  });

  it('counts moves of more than 15 %, up or down', () => {
    assert.equal(judge({ priceMoves: moves(10, 0, 1_500) }), null);
    assert.equal(judge({ priceMoves: moves(10, 0, -1_500) }), null);
    assert.notEqual(judge({ priceMoves: moves(10, 0, 1_501) }), null);
    assert.notEqual(judge({ priceMoves: moves(10, 0, -1_501) }), null);
  });

  it('counts exactly, free of floating-point errors at 15 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: -2, max: 2 }), (before, beside) => {
        const after = before + Math.round(before * 0.15) + beside;
        const large = 100 * Math.abs(after - before) > 15 * before;
        assert.equal(judge({ priceMoves: [{ before, after }] }) !== null, large);
      }),
    );
  });

  it('is accepted if the last delivered run is 48 h old or there is none', () => {
    const last = (ms: number) => [runAgo(1, 'set_aside', { rows: 1 }), { ...delivered(0), at: NOON - ms }];
    assert.notEqual(judge({ priceMoves: moves(1, 0), pastRuns: last(48 * HOUR - 1) }), null);
    assert.equal(judge({ priceMoves: moves(1, 0), pastRuns: last(48 * HOUR) }), null);
    assert.equal(judge({ priceMoves: moves(1, 0), pastRuns: [] }), null);
  });

  it('is not judged if no price was known before', () => {
    assert.equal(judge({ priceMoves: [] }), null);
  });
});

describe('a run with new stations', () => {
  it('is set aside if it creates more than a fifth of the known ones, and more than 100', () => {
    assert.equal(judge({ growth: growth(200) }), null);
    assert.equal(judge({ growth: growth(201) }), '201 new stations, more than the 200 that one run may add to 1000');
    assert.equal(judge({ growth: growth(100, 10) }), null);
    assert.notEqual(judge({ growth: growth(101, 10) }), null);
  });

  it('is set aside however often it is repeated', () => {
    const pastRuns = Array.from({ length: 30 }, (_, run) => runAgo(run + 1, 'set_aside'));
    assert.notEqual(judge({ growth: growth(201), pastRuns }), null);
  });

  it('may create any number among the first three, and while none is known', () => {
    assert.equal(judge({ growth: growth(9_000), pastRuns: [delivered(4), delivered(8)] }), null);
    assert.equal(judge({ growth: growth(9_000, 0) }), null);
  });

  it('is set aside if the source would have more ids of stations than its kind may have, even at first', () => {
    assert.equal(judge({ growth: growth(10_000, 0), pastRuns: [] }), null);
    assert.equal(
      judge({ growth: growth(10_001, 0), pastRuns: [] }),
      '10001 ids of stations are new: with the 0 known ones more than the 10000 that a source may have',
    );
    assert.notEqual(judge({ growth: growth(0, 10_000, { added: 1 }) }), null, 'linked to stations known before');
    assert.equal(judge({ growth: growth(0, 10_001) }), null, 'no new one');
  });
});

describe('the third run in a row that agrees with the one before', () => {
  const few = (hours: number, of: Partial<PastRun> = {}) => runAgo(hours, 'set_aside', { rows: 400, ...of });

  it('is accepted within 2 % in rows and in the mean of every fuel', () => {
    assert.equal(judge({ rows: 400, pastRuns: [few(1), few(2), ...THREE] }), null);
    assert.equal(judge({ rows: 408, pastRuns: [few(1), few(2), ...THREE] }), null);
    assert.notEqual(judge({ rows: 409, pastRuns: [few(1), few(2), ...THREE] }), null);
    assert.notEqual(judge({ rows: 391, pastRuns: [few(1), few(2), ...THREE] }), null);
  });

  it('is not accepted when it is only the second', () => {
    assert.notEqual(judge({ rows: 400, pastRuns: [few(1), ...THREE] }), null);
    assert.notEqual(judge({ rows: 400, pastRuns: [few(1), delivered(2), few(3), ...THREE] }), null);
  });

  it('is not accepted if the two before it disagree', () => {
    assert.notEqual(judge({ rows: 400, pastRuns: [few(1), few(2, { rows: 410 }), ...THREE] }), null);
    assert.notEqual(
      judge({ rows: 400, pastRuns: [few(1), few(2, { means: { petrol: 7_600, diesel: 8_000 } }), ...THREE] }),
      null,
    );
  });

  it('is not accepted if its means or fuels differ', () => {
    const pastRuns = [few(1, { means: { petrol: 7_350 } }), few(2, { means: { petrol: 7_350 } }), ...THREE];
    assert.notEqual(judge({ rows: 400, pastRuns }), null);
    const more = [few(1), few(2), ...THREE];
    assert.notEqual(judge({ run: { rows: 400, means: { petrol: 7_500, diesel: 8_000 } }, pastRuns: more }), null);
    assert.notEqual(judge({ run: { rows: 400, means: {} }, pastRuns: more }), null);
  });

  it('is accepted although its prices moved', () => {
    const same = (hours: number) => runAgo(hours, 'set_aside');
    assert.equal(judge({ priceMoves: moves(10, 0), pastRuns: [same(1), same(2), ...THREE] }), null);
    assert.notEqual(judge({ priceMoves: moves(10, 0), pastRuns: [same(1), ...THREE] }), null);
    assert.notEqual(judge({ priceMoves: moves(10, 0), pastRuns: [delivered(1), same(2), ...THREE] }), null);
  });

  it('is accepted only if it agrees: two runs set aside that do not agree with it excuse no moves', () => {
    assert.notEqual(judge({ priceMoves: moves(10, 0), pastRuns: [few(1), few(2), ...THREE] }), null);
  });

  it('is followed by a fourth that is not set aside again for the same few rows', () => {
    const accepted = runAgo(1, 'delivered', { rows: 400 });
    assert.equal(judge({ rows: 400, pastRuns: [accepted, few(2), few(3), ...THREE] }), null);
  });

  it('excuses no moves if the runs before it were delivered: prices may have been swapped', () => {
    assert.notEqual(judge({ priceMoves: moves(10, 0), pastRuns: THREE }), null);
  });
});

describe('the runs that later ones are compared with', () => {
  it('are the last 7 of each outcome, newest first', () => {
    const setAside = Array.from({ length: 40 }, (_, run) => runAgo(run + 1, 'set_aside'));
    const earlier = Array.from({ length: 9 }, (_, run) => delivered(run + 41));
    const compared = [...setAside.slice(0, 7), ...earlier.slice(0, 7)];
    assert.deepEqual(comparedRuns([...setAside, ...earlier]), compared);
    const mixed = [delivered(1), runAgo(2, 'set_aside'), delivered(3)];
    assert.deepEqual(comparedRuns(mixed), mixed);
  });
});

describe('the summary of a run', () => {
  it('holds its number of prices and their mean by fuel', () => {
    const prices = [
      { fuel: 'petrol' as const, price: 7_400 },
      { fuel: 'diesel' as const, price: 8_000 },
      { fuel: 'petrol' as const, price: 7_501 },
    ];
    assert.deepEqual(summariseRun(prices), { rows: 3, means: { diesel: 8_000, petrol: 7_451 } });
    assert.deepEqual(
      Object.keys(summariseRun(prices).means),
      ['diesel', 'petrol'],
      'in a fixed order, whichever came first',
    );
    assert.deepEqual(summariseRun([]), { rows: 0, means: {} });
  });
});
