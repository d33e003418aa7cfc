import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayNumber } from '../../domain/days.ts';
import { ROAD_FUELS } from '../../domain/fuel.ts';
import { DAY_MS, EPOCH, exampleCountry } from './example-country.ts';
import { promotionOff } from './promotions.ts';
import { SIMULATED_NETWORKS } from './simulated-networks.ts';
import { bucharestTime, priceAt, reportDay } from './simulated-prices.ts';

const country = exampleCountry();
const ordinary = country.stations.filter(({ anomalies }) => anomalies.length === 0);

describe('prices on the register', () => {
  it('are the same for the same country and instant, whatever the earlier calls', () => {
    const other = exampleCountry();
    for (const station of other.stations) priceAt(other, station, 'petrol', EPOCH + 40 * DAY_MS);
    for (const [at, station] of country.stations.entries()) {
      for (const fuel of ROAD_FUELS) {
        const same = other.stations[at];
        assert.ok(same);
        assert.equal(priceAt(other, same, fuel, EPOCH), priceAt(country, station, fuel, EPOCH));
      }
    }
  });

  it('are those of autumn 2026 where no anomaly is injected, with at most 2 decimals', () => {
    const bounds = {
      petrol: [8_500, 10_050],
      petrol_premium: [9_100, 10_900],
      diesel: [9_450, 11_150],
      diesel_premium: [10_200, 12_100],
      lpg: [4_200, 5_050],
    } as const;
    for (const instant of [EPOCH - 90 * DAY_MS, EPOCH, EPOCH + 30 * DAY_MS]) {
      for (const station of ordinary) {
        for (const fuel of station.fuels) {
          const price = priceAt(country, station, fuel, instant);
          assert.ok(price !== null && price >= bounds[fuel][0] && price <= bounds[fuel][1], `${fuel} ${price}`);
          assert.equal(price % 10, 0);
        }
      }
    }
  });

  it('are one nationwide price at Petrom, and differ a little from town to town at the others', () => {
    for (const { id } of SIMULATED_NETWORKS) {
      const own = ordinary.filter(
        (station) =>
          station.network === id &&
          [0, 1, 2, 3].every((back) => promotionOff(station, country.epochDay - back, country.seed) === 0),
      );
      for (const fuel of ['petrol', 'diesel'] as const) {
        const prices = own.map((station) => priceAt(country, station, fuel, EPOCH) ?? 0);
        if (id === 'PETROM') assert.equal(new Set(prices).size, 1);
        else assert.ok(new Set(prices).size > 5, `${id} ${fuel}`);
        assert.ok(Math.max(...prices) - Math.min(...prices) <= 2 * 60 + 100, `${id} ${fuel}`);
      }
    }
  });

  it('have promotions of three days at a few stations, never at Petrom nor on premium alone', () => {
    const days = Array.from({ length: 30 }, (_, index) => country.epochDay - index);
    const offs = ordinary.map((station) => days.map((day) => promotionOff(station, day, country.seed)));
    const share = offs.filter((each) => each.some((off) => off > 0)).length / offs.length;
    assert.ok(share > 0.05 && share < 0.15, String(share));
    for (const [at, { network }] of ordinary.entries())
      for (const off of offs[at] ?? []) assert.ok(off === 0 || (network !== 'PETROM' && off >= 300 && off <= 400));
  });

  it('differ for LPG from place to place', () => {
    const lukoil = ordinary.filter(({ network, fuels }) => network === 'LUKOIL' && fuels.includes('lpg'));
    assert.ok(new Set(lukoil.map((station) => priceAt(country, station, 'lpg', EPOCH))).size > 10);
  });

  it('move: over 90 days every ordinary station has many prices, yet few a week', () => {
    for (const station of ordinary.slice(0, 100)) {
      const days = Array.from({ length: 90 }, (_, back) => priceAt(country, station, 'diesel', EPOCH - back * DAY_MS));
      const changes = days.filter((price, at) => at > 0 && price !== days[at - 1]).length;
      assert.ok(changes >= 22 && changes <= 60, String(changes));
    }
  });

  it('are dated 0 to 2 days back, two days only where a network reports with delay', () => {
    for (let hour = 0; hour < 48; hour += 1) {
      const moment = bucharestTime(EPOCH + hour * 3_600_000);
      for (const station of ordinary) {
        const lag = moment.day - reportDay(station, moment);
        assert.ok(lag >= 0 && lag <= (station.network === 'GAZPROM' ? 2 : 1), `${station.network} ${lag}`);
      }
    }
  });

  it('are null for a fuel that a station does not sell', () => {
    const without = ordinary.find(({ fuels }) => !fuels.includes('lpg'));
    assert.ok(without);
    assert.equal(priceAt(country, without, 'lpg', EPOCH), null);
  });
});

describe('wall clock of Bucharest', () => {
  it('reads winter and summer time', () => {
    assert.deepEqual(bucharestTime(EPOCH), { day: dayNumber('2026-11-21'), minute: 600 });
    assert.deepEqual(bucharestTime(Date.parse('2026-07-01T21:30:00Z')), { day: dayNumber('2026-07-02'), minute: 30 });
  });

  it('never makes a report newer than the clock on the days on which clocks change', () => {
    for (const day of ['2026-03-29', '2026-10-25']) {
      for (let minute = 0; minute < 30 * 60; minute += 10) {
        const moment = bucharestTime(Date.parse(`${day}T00:00:00Z`) - 3 * 3_600_000 + minute * 60_000);
        for (const station of ordinary.slice(0, 200)) {
          const at = reportDay(station, moment) * 1440 + station.reportMinute;
          assert.ok(at <= moment.day * 1440 + moment.minute);
        }
      }
    }
  });
});
