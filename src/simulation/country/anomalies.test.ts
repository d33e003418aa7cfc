import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucharestDay, dayNumber } from '../../domain/days.ts';
import { DEFAULT_RANGES, isInRange, STANDARD_GRADE_OF } from '../../domain/fuel.ts';
import { createGazetteer } from '../../domain/places/gazetteer.ts';
import { backfillDays } from './anomalies.ts';
import {
  counties,
  DAY_MS,
  EPOCH,
  exampleCountry,
  localities,
  stationOf,
  stationsWithAnomaly,
} from './example-country.ts';
import { BUCHAREST } from './placement.ts';
import { bucharestTime, isUnitFailing, priceAt, registerQuote, reportDay } from './simulated-prices.ts';
import type { Anomaly, AnomalyKind } from './simulated-station.ts';

const country = exampleCountry();
const gazetteer = createGazetteer(localities, counties);
const ofKind = (kind: AnomalyKind): Anomaly[] => country.anomalies.filter((anomaly) => anomaly.kind === kind);
const countyOf = (siruta: number) => {
  const unit = country.units.find((candidate) => candidate.siruta === siruta);
  return gazetteer.countyByCode(unit?.county ?? '') ?? null;
};

describe('anomalies', () => {
  it('are a few of every kind, at most one per station, none in Bucharest', () => {
    const counts = Object.fromEntries(
      [...Map.groupBy(country.anomalies, ({ kind }) => kind)].map(([kind, own]) => [kind, own.length]),
    );
    const { 'ill-unit': ill, ...others } = counts;
    assert.deepEqual(others, {
      stuck: 3,
      stale: 2,
      orphan: 3 + 36,
      'premium-below-standard': 2,
      'out-of-range': 3,
      'price-zero': 2,
      'price-missing': 1,
      'two-products': 2,
      'wrong-county': 2,
      'swapped-coordinates': 1,
      'no-coordinates': 2,
    });
    assert.ok(ill && ill >= 2 && ill <= 4);
    assert.equal(new Set(country.anomalies.map(({ station }) => station)).size, country.anomalies.length);
    assert.ok(country.anomalies.every(({ siruta }) => siruta !== BUCHAREST));
    assert.deepEqual(
      country.stations
        .flatMap(({ anomalies }) => anomalies)
        .map(({ station }) => station)
        .sort(),
      country.anomalies.map(({ station }) => station).sort(),
    );
  });

  it('exist for other seeds, too', () => {
    for (const seed of [1, 2, 3])
      assert.equal(new Set(exampleCountry(seed).anomalies.map(({ kind }) => kind)).size, 12);
  });

  for (const later of [0, 30]) {
    const now = EPOCH + later * DAY_MS;
    const moment = bucharestTime(now);

    describe(`${later} days after the epoch`, () => {
      it('a stuck price has stood still for at least 14 days while most of its network moved', () => {
        for (const { station: key, fuel, since } of ofKind('stuck')) {
          const station = stationOf(country, key);
          const stuckFuel = fuel ?? 'petrol';
          assert.ok(since !== null && moment.day - since >= 14);
          const price = priceAt(country, station, stuckFuel, now);
          for (let back = 0; back < 14; back += 1) {
            assert.equal(priceAt(country, station, stuckFuel, now - back * DAY_MS), price);
          }
          const others = country.stations.filter(
            ({ network, anomalies }) => network === station.network && anomalies.length === 0,
          );
          const moved = others.filter((other) => {
            const today = priceAt(country, other, stuckFuel, now);
            return [1, 2, 3, 4, 5].some((back) => priceAt(country, other, stuckFuel, now - back * DAY_MS) !== today);
          });
          assert.ok(moved.length / others.length > 0.9);
          assert.ok(moment.day - reportDay(station, moment) <= 1, 'it still reports every day');
        }
      });

      it('a stale station last reported at least 7 days ago', () => {
        for (const station of stationsWithAnomaly(country, 'stale')) {
          assert.ok(moment.day - reportDay(station, moment) >= 7);
          assert.ok(station.fuels.every((fuel) => priceAt(country, station, fuel, now) !== null));
        }
      });

      it('an orphan was sent and has vanished, its price recent enough to be served', () => {
        const fresh = ofKind('orphan').filter(({ since }) => since && since <= moment.day && moment.day - since < 30);
        assert.ok(fresh.length >= 1);
        for (const { station: key, fuel, since } of fresh) {
          const station = stationOf(country, key);
          for (const gone of fuel ? [fuel] : station.fuels) {
            assert.equal(registerQuote(country, station, gone, moment).kind, 'absent');
            const before = { day: (since ?? 0) - 1, minute: 1_439 };
            assert.equal(registerQuote(country, station, gone, before).kind, 'priced');
          }
        }
      });

      it('a premium price is below the standard one', () => {
        for (const { station: key, fuel } of ofKind('premium-below-standard')) {
          const station = stationOf(country, key);
          const standard = fuel && STANDARD_GRADE_OF[fuel];
          assert.ok(fuel && standard && standard !== 'adblue');
          const [premium, plain] = [priceAt(country, station, fuel, now), priceAt(country, station, standard, now)];
          assert.ok(premium !== null && plain !== null && premium < plain);
          assert.ok(isInRange(premium, fuel, DEFAULT_RANGES));
        }
      });

      it('prices are out of range, zero or missing', () => {
        for (const { station, fuel } of ofKind('out-of-range')) {
          assert.ok(fuel);
          const price = priceAt(country, stationOf(country, station), fuel, now);
          assert.ok(price !== null && !isInRange(price, fuel, DEFAULT_RANGES));
        }
        for (const [kind, sentPrice] of [
          ['price-zero', 0],
          ['price-missing', null],
        ] as const) {
          for (const { station, fuel } of ofKind(kind)) {
            assert.ok(fuel);
            const posting = registerQuote(country, stationOf(country, station), fuel, moment);
            assert.deepEqual(posting, { kind: 'unpriced', sentPrice });
          }
        }
      });

      it('one unit fails, and answered before', () => {
        const [ill] = ofKind('ill-unit');
        assert.ok(ill);
        assert.equal(isUnitFailing(country, ill.siruta, moment.day), true);
        assert.equal(isUnitFailing(country, ill.siruta, (ill.since ?? 0) - 1), false);
        assert.equal(country.units.filter(({ siruta }) => isUnitFailing(country, siruta, moment.day)).length, 1);
      });
    });
  }

  it('coordinates are suspect, swapped or missing exactly where injected', () => {
    const odd = ['wrong-county', 'swapped-coordinates', 'no-coordinates'] as const;
    const injected = new Set(odd.flatMap((kind) => ofKind(kind)).map(({ station }) => station));
    for (const { lat, lng, declared, siruta, anomalies } of country.stations) {
      const [anomaly] = anomalies;
      if (!anomaly || !injected.has(anomaly.station)) assert.deepEqual(declared, { lat, lng });
      else if (anomaly.kind === 'no-coordinates') assert.equal(declared, null);
      else assert.ok(declared && gazetteer.suspectCoordinates(declared, countyOf(siruta)), anomaly.station);
    }
    for (const { lat, lng, declared } of stationsWithAnomaly(country, 'swapped-coordinates')) {
      assert.deepEqual(declared, { lat: lng, lng: lat });
    }
  });

  it('leave a gap, not an error: another station of the unit still sells an orphaned fuel', () => {
    const latest = { day: country.epochDay + 800, minute: 600 };
    for (const { station: key, siruta, fuel } of ofKind('orphan')) {
      for (const gone of fuel ? [fuel] : stationOf(country, key).fuels) {
        assert.ok(
          country.stations.some(
            (s) => s.siruta === siruta && registerQuote(country, s, gone, latest).kind !== 'absent',
          ),
          `${key} ${gone}`,
        );
      }
    }
  });

  it('include an orphan on every day of the first two years, so that the flag always has an example', () => {
    for (let day = country.epochDay; day < country.epochDay + 730; day += 1) {
      const fresh = ofKind('orphan').filter(({ since }) => since !== null && since <= day && day - since < 30);
      assert.ok(fresh.length > 0, `day ${day - country.epochDay}`);
    }
  });

  it('can be judged from the backfilled days: stuck for 14 days, sent once, answered once', () => {
    const days = backfillDays(country.epochDay);
    const begins = (kind: AnomalyKind) =>
      Math.min(...ofKind(kind).map(({ since }) => since ?? Number.POSITIVE_INFINITY));
    assert.equal(country.epochDay, dayNumber(bucharestDay(EPOCH)));
    assert.ok(days.some((day) => day >= begins('stuck') && country.epochDay - day >= 14));
    assert.ok(days.some((day) => day < begins('orphan')) && days.some((day) => day < begins('ill-unit')));
    assert.deepEqual(
      days,
      [...days].sort((a, b) => a - b),
    );
  });
});
