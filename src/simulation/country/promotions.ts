/** Now and then a station sells petrol and diesel cheaper for some days, so that alerts have something to tell. */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice } from '../../domain/fuel.ts';
import { isMotorwayAddress } from '../../domain/stations/motorway-address.ts';
import { randomFraction, randomInteger } from './seeded-random.ts';
import type { SimulatedStation } from './simulated-station.ts';

/** Days in which a station has one promotion at most. */
const PERIOD_DAYS = 10;
const PROMOTION_DAYS = 3;
/** Share of stations that have one in a period. */
const SHARE = 0.04;
/** Enough to be the lowest price of a town although one network is cheap everywhere. */
const BANI_OFF: readonly [least: number, most: number] = [30, 40];

/** What the station takes off its usual price on a day; 0 on motorways and at the network with one national price. */
export function promotionOff(station: SimulatedStation, day: DayNumber, seed: number): MilliPrice {
  if (station.network === 'PETROM' || station.anomalies.length > 0 || isMotorwayAddress(station.address)) return 0;
  const period = Math.floor(day / PERIOD_DAYS);
  const words = [station.network, station.id, period];
  if (randomFraction(seed, 'promotion', ...words) >= SHARE) return 0;
  const begins = period * PERIOD_DAYS + randomInteger(0, PERIOD_DAYS - PROMOTION_DAYS, seed, 'begins', ...words);
  if (day < begins || day >= begins + PROMOTION_DAYS) return 0;
  return 10 * randomInteger(...BANI_OFF, seed, 'off', ...words);
}
