import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type AcceptedReport,
  type EarlierReport,
  type ReportSubject,
  reportWaitMs,
  type ShownPrice,
  stillHolds,
} from './driver-report.ts';
import type { Fuel } from './fuel.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const NOW = Date.parse('2026-11-23T12:00:00Z');
const HERE: ReportSubject = { station: 'here', fuel: 'petrol' };

const sent = (agoMs: number, about: Partial<EarlierReport> = {}): EarlierReport => ({
  ...{ ...HERE, at: NOW - agoMs, state: 'open' },
  ...about,
});
const elsewhere = (count: number, agoMs: number): EarlierReport[] =>
  Array.from({ length: count }, (_, n) => sent(agoMs, { station: `station ${n}` }));
const wait = (ofClient: readonly EarlierReport[], ofNetwork: readonly EarlierReport[] = ofClient, about = HERE) =>
  reportWaitMs({ ofClient, ofNetwork }, about, NOW);

describe('a driver may report', () => {
  test('the same fuel of a station once in seven days, and others at once', () => {
    assert.equal(wait([]), 0);
    assert.equal(wait([sent(HOUR)]), WEEK - HOUR);
    assert.equal(wait([sent(WEEK)]), 0);
    assert.equal(wait([sent(HOUR, { fuel: 'diesel' }), sent(HOUR, { station: 'there' })]), 0);
    assert.equal(wait([sent(HOUR)], [], { station: 'here', fuel: null }), 0);
    assert.equal(wait([sent(HOUR, { fuel: null })], [], { station: 'here', fuel: null }), WEEK - HOUR);
  });

  test('the same fuel again once the report was accepted', () => {
    assert.equal(wait([sent(HOUR, { state: 'accepted' })]), 0);
  });

  test('ten prices in 24 hours', () => {
    assert.equal(wait(elsewhere(9, HOUR)), 0);
    assert.equal(wait(elsewhere(10, HOUR)), 23 * HOUR);
    assert.equal(wait([...elsewhere(9, HOUR), ...elsewhere(1, 5 * HOUR)]), 19 * HOUR);
    assert.equal(wait(elsewhere(10, DAY)), 0);
  });

  test('as one of a network: a hundred in 24 hours, ten of one station in seven days', () => {
    assert.equal(wait([], elsewhere(99, HOUR)), 0);
    assert.equal(wait([], elsewhere(100, HOUR)), 23 * HOUR);
    const ofStation = (count: number, state: EarlierReport['state'] = 'open') =>
      Array.from({ length: count }, () => sent(2 * DAY, { fuel: 'lpg', state }));
    assert.equal(wait([], ofStation(9)), 0);
    assert.equal(wait([], ofStation(10)), 5 * DAY);
    assert.equal(wait([], ofStation(10, 'accepted')), 0);
    assert.equal(wait([], ofStation(10, 'rejected')), 0, 'what a moderator refused takes nothing from the others');
    assert.equal(
      wait(
        [],
        elsewhere(100, HOUR).map((each) => ({ ...each, state: 'rejected' })),
      ),
      23 * HOUR,
    );
  });

  test('two things of one station in seven days, so that no address uses up what its network may report', () => {
    const two = [sent(DAY, { fuel: 'diesel' }), sent(3 * DAY, { fuel: 'lpg' })];
    assert.equal(wait(two.slice(1)), 0);
    assert.equal(wait(two), 4 * DAY);
    assert.equal(wait(two.map((each) => ({ ...each, state: 'rejected' }))), 4 * DAY);
    assert.equal(wait(two.map((each) => ({ ...each, state: 'accepted' }))), 0);
    assert.equal(wait(two, two, { station: 'there', fuel: 'petrol' }), 0);
  });
});

describe('an accepted report', () => {
  const report: AcceptedReport = {
    kind: 'price',
    fuel: 'petrol',
    shownPrice: 7_450,
    seenPrice: 7_590,
    createdAt: NOW,
    decidedAt: NOW + HOUR,
  };
  /** 23 November 2026. */
  const TODAY = Math.floor(NOW / DAY);
  const shown = (petrol: ShownPrice, diesel: ShownPrice = { price: 7_800, changedOn: TODAY - 3 }) =>
    new Map<Fuel, ShownPrice>([
      ['petrol', petrol],
      ['diesel', diesel],
    ]);

  test('holds until the source publishes another price of the fuel', () => {
    assert.equal(stillHolds(report, shown({ price: 7_450, changedOn: TODAY - 2 })), true);
    assert.equal(stillHolds(report, shown({ price: 7_450, changedOn: null })), true);
    assert.equal(stillHolds(report, shown({ price: 7_590, changedOn: TODAY })), false);
    assert.equal(stillHolds(report, shown({ price: null, changedOn: null })), false);
    assert.equal(stillHolds(report, new Map()), false);
  });

  test('ends when the price came back after another one', () => {
    assert.equal(stillHolds(report, shown({ price: 7_450, changedOn: TODAY })), true);
    assert.equal(stillHolds(report, shown({ price: 7_450, changedOn: TODAY + 1 })), false);
  });

  test('of a price that was not shown holds until one is', () => {
    const unknown = { ...report, shownPrice: null };
    assert.equal(stillHolds(unknown, shown({ price: null, changedOn: null })), true);
    assert.equal(stillHolds(unknown, shown({ price: 7_590, changedOn: TODAY })), false);
  });

  test('about the whole station holds until any of its prices changes', () => {
    const closed: AcceptedReport = { ...report, kind: 'closed', fuel: null, shownPrice: null, seenPrice: null };
    const petrol = { price: 7_450, changedOn: TODAY - 2 };
    assert.equal(stillHolds(closed, shown(petrol)), true);
    assert.equal(stillHolds(closed, shown(petrol, { price: 7_790, changedOn: TODAY + 1 })), false);
  });
});
