import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TODAY } from '../../test/support/builders/snapshot-builders.ts';
import { FUELS, type Fuel, type MilliPrice } from '../domain/fuel.ts';
import { HISTORY_DAYS, PriceHistory, type StationHistory } from './price-history.ts';

const NOTHING_NOW = () => null;
const PETROL = 1 << FUELS.indexOf('petrol');

/** Prices of one day in the order of the fuels; unnamed ones are missing. */
function priced(some: Partial<Record<Fuel, MilliPrice>>): (MilliPrice | null)[] {
  return FUELS.map((fuel) => some[fuel] ?? null);
}

function seriesOf(
  history: PriceHistory,
  today = TODAY,
  now: (fuel: Fuel) => MilliPrice | null = NOTHING_NOW,
): StationHistory {
  const series = history.of('a', today, now);
  assert.ok(series);
  return series;
}

describe('the history of a station', () => {
  it('holds the stored days, with gaps as null', () => {
    const history = new PriceHistory();
    history.putDay({ station: 'a', prices: priced({ petrol: 7_100, lpg: 3_500 }) }, TODAY - 5);
    history.putDay({ station: 'a', prices: priced({ petrol: 7_300 }) }, TODAY - 3);

    const { price, fuels, firstDay } = seriesOf(history);

    assert.deepEqual(
      [5, 4, 3, 2, 1].map((ago) => price('petrol', TODAY - ago)),
      [7_100, null, 7_300, null, null],
    );
    assert.equal(price('lpg', TODAY - 3), null);
    assert.deepEqual(fuels, ['petrol', 'lpg']);
    assert.equal(firstDay, TODAY - 5);
  });

  it('ends with the price being served, whatever was stored for today', () => {
    const history = new PriceHistory();
    history.putDay({ station: 'a', prices: priced({ petrol: 7_100 }) }, TODAY);
    const { price } = seriesOf(history, TODAY, (fuel) => (fuel === 'petrol' ? 7_450 : null));
    assert.equal(price('petrol', TODAY), 7_450);
  });

  it('covers 90 days including today, and no future day', () => {
    const history = new PriceHistory();
    for (let ago = 95; ago >= 1; ago -= 1) {
      history.putDay({ station: 'a', prices: priced({ petrol: 7_000 + ago }) }, TODAY - ago);
    }
    const { price, firstDay } = seriesOf(history);

    assert.equal(price('petrol', TODAY - 89), 7_089);
    assert.equal(price('petrol', TODAY - 90), null);
    assert.equal(price('petrol', TODAY + 1), null);
    assert.equal(firstDay, TODAY - 95);
  });

  it('shows no price from 90 days earlier on a skipped day', () => {
    const history = new PriceHistory();
    history.putDay({ station: 'a', prices: priced({ petrol: 7_100, diesel: 7_900 }) }, TODAY - 91);
    history.putDay({ station: 'a', prices: priced({ petrol: 7_200 }) }, TODAY - 88);
    history.putDay({ station: 'a', prices: priced({ diesel: 8_000 }) }, TODAY - 1, 1 << FUELS.indexOf('diesel'));

    const { price } = seriesOf(history);

    assert.equal(price('petrol', TODAY - 1), null);
    assert.equal(price('diesel', TODAY - 1), 8_000);
    assert.equal(seriesOf(history, TODAY + 3).price('petrol', TODAY + 2), null);
  });

  it('is not changed by a day older than the window', () => {
    const history = new PriceHistory();
    history.putDay({ station: 'a', prices: priced({ petrol: 7_100 }) }, TODAY - 1);
    history.putDay({ station: 'a', prices: priced({ petrol: 6_000 }) }, TODAY - 91);
    history.clearDay(TODAY - 91);
    assert.equal(seriesOf(history).price('petrol', TODAY - 1), 7_100);
    assert.equal(seriesOf(history).firstDay, TODAY - 91);
  });

  it('is unknown if no price was ever known', () => {
    const history = new PriceHistory();
    history.putDay({ station: 'a', prices: priced({}) }, TODAY - 1);
    assert.equal(history.of('a', TODAY, NOTHING_NOW), undefined);
  });

  it('starts today with the price being served', () => {
    const { firstDay, fuels } = seriesOf(new PriceHistory(), TODAY, (fuel) => (fuel === 'adblue' ? 4_990 : null));
    assert.equal(firstDay, TODAY);
    assert.deepEqual(fuels, ['adblue']);
  });

  it('remembers fuels and the first day from before the window', () => {
    const history = new PriceHistory();
    history.noteKnown('a', TODAY - 400, PETROL);
    const { firstDay, fuels, price } = seriesOf(history);
    assert.equal(firstDay, TODAY - 400);
    assert.deepEqual(fuels, ['petrol']);
    assert.equal(price('petrol', TODAY - 10), null);
  });

  it('keeps the other fuels when only some are stored', () => {
    const history = new PriceHistory();
    history.putDay({ station: 'a', prices: priced({ petrol: 7_100, diesel: 7_900 }) }, TODAY - 1);
    history.putDay({ station: 'a', prices: priced({ petrol: 7_200 }) }, TODAY - 1, PETROL);
    const { price } = seriesOf(history);
    assert.deepEqual([price('petrol', TODAY - 1), price('diesel', TODAY - 1)], [7_200, 7_900]);
  });

  it('is the same after being stored on disk', () => {
    const history = new PriceHistory();
    history.putDay({ station: 'a', prices: priced({ petrol: 7_100 }) }, TODAY - 1);
    const again = new PriceHistory(new Map(structuredClone(history.content())));
    assert.equal(seriesOf(again).price('petrol', TODAY - 1), 7_100);
  });
});

describe('any sequence of days', () => {
  const aPrice = fc.option(fc.integer({ min: 1, max: 20_000 }));
  const prices = fc.array(aPrice, { minLength: FUELS.length, maxLength: FUELS.length });
  const station = fc.constantFrom('a', 'b');
  const aStep = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        step: fc.constant('put' as const),
        station,
        prices,
        ago: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 120 })),
        mask: fc.oneof(fc.constant(63), fc.nat(63)),
      }),
    },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('clear' as const), ago: fc.integer({ min: 1, max: 95 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        step: fc.constant('days' as const),
        days: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 200 })),
      }),
    },
  );

  it('gives the same as a plain list of days', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 30 }), (steps) => {
        const history = new PriceHistory();
        const known = new Map<string, MilliPrice>();
        const firstDays = new Map<string, number>();
        let today = 20_000;
        for (const step of steps) {
          if (step.step === 'days') today += step.days;
          else if (step.step === 'clear') {
            history.clearDay(today - step.ago);
            for (const key of known.keys()) if (key.startsWith(`${today - step.ago} `)) known.delete(key);
          } else {
            history.putDay(step, today - step.ago, step.mask);
            FUELS.forEach((fuel, index) => {
              if (!((step.mask >> index) & 1)) return;
              const key = `${today - step.ago} ${step.station} ${fuel}`;
              const price = step.prices[index] ?? null;
              if (price === null) known.delete(key);
              else {
                known.set(key, price);
                firstDays.set(step.station, Math.min(today - step.ago, firstDays.get(step.station) ?? today));
              }
            });
          }
        }
        for (const id of ['a', 'b']) {
          const series = history.of(id, today, NOTHING_NOW);
          assert.equal(series?.firstDay, firstDays.get(id));
          for (let day = today - 100; day <= today + 1; day += 1) {
            const inWindow = day > today - HISTORY_DAYS && day < today;
            for (const fuel of FUELS) {
              const expected = (inWindow && known.get(`${day} ${id} ${fuel}`)) || null;
              assert.equal(series?.price(fuel, day) ?? null, expected, `${id} ${fuel} on ${today} - ${today - day}`);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
