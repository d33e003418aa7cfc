import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayText, startOfBucharestDay } from '../../domain/days.ts';
import { EPOCH, exampleCountry, stationOf, stationsWithAnomaly } from './example-country.ts';
import { historyDays, type SimulatedDayPrice } from './simulated-history.ts';
import { priceAt } from './simulated-prices.ts';
import { registerKey } from './simulated-station.ts';

const country = exampleCountry();
const { epochDay } = country;
const rows = (from: number, to: number): SimulatedDayPrice[] => [...historyDays(country, from, to, (key) => key)];
const lastDays = rows(epochDay - 6, epochDay);
const dayValue = (key: string, fuel: string, day: number) =>
  lastDays.find((row) => row.station === key && row.fuel === fuel && row.date === dayText(day))?.price ?? null;

describe('history of the simulated country', () => {
  it('equals what a collection at the end of each day finds', () => {
    for (const day of [epochDay - 60, epochDay - 1]) {
      const instant = startOfBucharestDay(day + 1) - 1_000;
      const values = new Map(rows(day, day).map(({ station, fuel, price }) => [`${station} ${fuel}`, price]));
      let compared = 0;
      for (const station of country.stations.filter(({ anomalies }) => anomalies.length === 0)) {
        for (const fuel of station.fuels) {
          assert.equal(values.get(`${registerKey(station)} ${fuel}`), priceAt(country, station, fuel, instant));
          compared += 1;
        }
      }
      assert.ok(compared > 5_000);
    }
  });

  it('covers every day of the window, oldest first, about 5,600 values a day', () => {
    const days = [...new Set(lastDays.map(({ date }) => date))];
    assert.deepEqual(
      days,
      Array.from({ length: 7 }, (_, at) => dayText(epochDay - 6 + at)),
    );
    assert.ok(lastDays.length / 7 > 5_500 && lastDays.length / 7 < 5_700, String(lastDays.length));
  });

  it('ends where a unit fails, and has no price of zero', () => {
    for (const station of stationsWithAnomaly(country, 'ill-unit')) {
      assert.notEqual(dayValue(registerKey(station), 'petrol', epochDay - 6), null);
      assert.equal(dayValue(registerKey(station), 'petrol', epochDay - 5), null);
    }
    assert.ok(lastDays.every(({ price }) => price > 0));
  });

  it('serves the last price of an orphan for 30 days', () => {
    const [orphan] = country.anomalies.filter(({ kind }) => kind === 'orphan');
    assert.ok(orphan?.fuel && orphan.since !== null);
    const { station: key, fuel, since } = orphan;
    const last = dayValue(key, fuel, since - 1);
    assert.notEqual(last, null);
    assert.equal(dayValue(key, fuel, since), last);
    assert.equal(dayValue(key, fuel, epochDay), last);
    const much = rows(since + 29, since + 30).filter((row) => row.station === key && row.fuel === fuel);
    assert.deepEqual(much, [{ date: dayText(since + 29), station: key, fuel, price: last, doubtful: true }]);
  });

  it('has a value until a price is withdrawn or unknown, and none while it is', () => {
    for (const kind of ['out-of-range', 'premium-below-standard', 'price-zero', 'price-missing'] as const) {
      for (const { station, fuel, since } of country.anomalies.filter((anomaly) => anomaly.kind === kind)) {
        assert.ok(fuel && since !== null);
        assert.equal(dayValue(station, fuel, since), null, `${kind} ${station}`);
        assert.notEqual(dayValue(station, fuel, since - 1), null, `${kind} ${station}`);
      }
    }
  });

  it('keeps the standing price of a stuck station', () => {
    for (const { station, fuel, since } of country.anomalies.filter(({ kind }) => kind === 'stuck')) {
      const standing = priceAt(country, stationOf(country, station), fuel ?? 'diesel', EPOCH);
      assert.ok(since !== null);
      assert.equal(dayValue(station, fuel ?? 'diesel', epochDay), standing);
    }
  });

  it('marks a price as doubtful from the day on which the rules would doubt it', () => {
    for (const [kind, days] of [
      ['orphan', 0],
      ['stale', 7],
      ['stuck', 14],
    ] as const) {
      for (const { station, fuel, since } of country.anomalies.filter((anomaly) => anomaly.kind === kind)) {
        assert.ok(since !== null);
        const own = rows(since + days - 1, since + days).filter((row) => row.station === station);
        const found = own.filter((row) => row.fuel === (fuel ?? 'diesel')).map(({ doubtful }) => doubtful);
        assert.deepEqual(found, [false, true], `${kind} ${station}`);
      }
    }
    assert.ok(lastDays.filter(({ doubtful }) => doubtful).length < lastDays.length / 100);
  });

  it('leaves out stations that the caller does not know, and translates the keys of the others', () => {
    const known = [...historyDays(country, epochDay, epochDay, (key) => (key === 'R1001' ? 'abc' : undefined))];
    assert.ok(known.length >= 2 && known.every(({ station }) => station === 'abc'));
  });
});
