import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adviseStop, bestStop, type FuelStop, isOnTheWay, type RefuelTerms, stopCost } from './stop-saving.ts';

const TERMS: RefuelTerms = { litres: 50, litresPer100Km: 10, hourLei: null };
const stop = (price: number, km = 0, minutes = 0): FuelStop => ({ price, detour: { km, minutes } });
const verdictOf = (stops: readonly FuelStop[], terms = TERMS) => adviseStop(stops, terms)?.verdict;

describe('the cost of a stop', () => {
  it('is the fuel bought, and the fuel of the detour at the same price', () => {
    assert.deepEqual(stopCost(stop(8_000, 20, 30), TERMS), { detourFuel: 16, time: 0, total: 416 });
  });

  it('has the time of the driver, if that counts', () => {
    assert.deepEqual(stopCost(stop(8_000, 20, 30), { ...TERMS, hourLei: 60 }), {
      ...{ detourFuel: 16, time: 30, total: 446 },
    });
  });
});

describe('the advice', () => {
  it('is a detour that costs less than it saves against the best stop on the way', () => {
    const [onTheWay, aside] = [stop(9_000), stop(8_000, 10, 10)];
    const advice = adviseStop([onTheWay, aside], TERMS);
    assert.equal(advice?.verdict, 'worth it');
    assert.equal(advice?.best.stop, aside);
    // 450 lei on the way; 400 lei and 8 lei of fuel aside.
    assert.equal(advice?.gain, 42);
    // The mean of both prices makes 425 lei.
    assert.equal(advice?.best.saving, 17);
    assert.deepEqual(advice?.notWorthIt, []);
  });

  it('has the stops that save something, on the way or by a detour that pays', () => {
    const [best, onTheWay, dear, idle] = [stop(8_000, 10, 10), stop(8_500), stop(9_500), stop(8_400, 20, 20)];
    const advice = adviseStop([best, onTheWay, dear, idle], TERMS);
    assert.deepEqual(
      advice?.worthIt.map((each) => each.stop),
      [best, onTheWay],
    );
    assert.equal(advice?.ranked.length, 4);
  });

  it('is no detour that costs more than it saves, and says which were not worth it', () => {
    const [onTheWay, far] = [stop(9_000), stop(8_900, 50, 60)];
    const advice = adviseStop([far, onTheWay], TERMS);
    assert.equal(advice?.verdict, 'not worth it');
    assert.equal(advice?.best.stop, onTheWay);
    assert.deepEqual(
      advice?.notWorthIt.map((each) => each.stop),
      [far],
    );
    assert.equal(advice?.gain, 0);
  });

  it('changes when the time of the driver counts', () => {
    const stops = [stop(9_000), stop(8_000, 10, 60)];
    assert.equal(verdictOf(stops, { ...TERMS, hourLei: 20 }), 'worth it');
    assert.equal(verdictOf(stops, { ...TERMS, hourLei: 50 }), 'not worth it');
  });

  it('is no detour for less than a leu', () => {
    const advice = adviseStop([stop(9_000), stop(8_840, 8, 8)], TERMS);
    assert.equal(advice?.verdict, 'not worth it');
    assert.equal(advice?.ranked[0], advice?.best);
    assert.equal(advice?.ranked.length, 2);
  });

  it('is no detour for less than half a leu a minute, unless the driver says what time costs', () => {
    const stops = [stop(9_000), stop(8_800, 0, 21)];
    assert.equal(verdictOf(stops), 'not worth it');
    assert.equal(verdictOf(stops, { ...TERMS, hourLei: 20 }), 'worth it');
    assert.equal(verdictOf([stop(9_000), stop(8_800, 0, 19)]), 'worth it');
  });

  it('says when no stop is on the way, and is none without a stop', () => {
    assert.equal(verdictOf([stop(9_000, 10, 10)]), 'only detours');
    assert.equal(adviseStop([], TERMS), null);
  });

  it('is judged on a part of the way as on the whole: no detour that does not pay there', () => {
    const [best, onTheWay, idle] = [stop(8_000, 10, 10), stop(9_000), stop(8_900, 0, 21)];
    const ranked = adviseStop([best, onTheWay, idle], TERMS)?.ranked ?? [];
    const without = (left: FuelStop) => ranked.filter((each) => each.stop !== left);
    assert.equal(bestStop(ranked, TERMS).stop, best);
    assert.equal(bestStop(without(best), TERMS).stop, onTheWay);
    assert.equal(bestStop(without(best).slice(0, 1), TERMS).stop, idle);
  });

  it('takes a short detour for none', () => {
    assert.equal(isOnTheWay({ km: 2, minutes: 3 }), true);
    assert.equal(isOnTheWay({ km: 0.5, minutes: 4 }), false);
  });
});
