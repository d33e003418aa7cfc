/**
 * What each network charges nationwide, day by day: a slow walk of the country's level, followed by every network at
 * its own distance in steps of 1 to 10 bani every 1 to 4 days. Levels of autumn 2026.
 */
import { type DayNumber, dayNumber } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import { randomFraction, randomInteger } from './seeded-random.ts';
import { type NetworkId, networkProfile } from './simulated-networks.ts';

type FuelFamily = 'petrol' | 'diesel' | 'lpg';

const COUNTRY_LEVEL: Readonly<Record<FuelFamily, MilliPrice>> = { petrol: 9_400, diesel: 10_500, lpg: 4_620 };
/** How strongly the country's level reverts to its mean, and how far from the mean it may be. */
const MEAN_REVERSION = 0.985;
const MAX_DEVIATION: MilliPrice = 300;
/** Its speed persists for some days, so that prices have trends, and changes a little every day. */
const MOMENTUM = 0.85;
const DAILY_IMPULSE: MilliPrice = 12;
/** LPG moves half as much as petrol and diesel. */
const VOLATILITY: Readonly<Record<FuelFamily, number>> = { petrol: 1, diesel: 1, lpg: 0.5 };

const BAN: MilliPrice = 10;
const LONGEST_PAUSE_DAYS = 4;
const LARGEST_STEP_BANI = 10;

/** The walks begin here; earlier days have the level of this one. */
const FIRST_DAY = dayNumber('2025-01-01');

/** The price levels of a simulated country. Walks are computed lazily and cached. */
export class PriceLevels {
  readonly #seed: number;
  readonly #country = new Map<FuelFamily, { moves: number[]; speed: number }>();
  readonly #network = new Map<string, { levels: MilliPrice[]; nextChange: number }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The network's nationwide price of a fuel in its report of a day; for LPG the level its stations vary around. */
  levelOn(network: NetworkId, fuel: RoadFuel, day: DayNumber): MilliPrice {
    const { priceOffsets } = networkProfile(network);
    if (fuel === 'petrol_premium') return this.#levelAt(network, 'petrol', day) + priceOffsets.petrol_premium;
    if (fuel === 'diesel_premium') return this.#levelAt(network, 'diesel', day) + priceOffsets.diesel_premium;
    return this.#levelAt(network, fuel, day);
  }

  #levelAt(network: NetworkId, family: FuelFamily, day: DayNumber): MilliPrice {
    const key = `${network} ${family}`;
    let walk = this.#network.get(key);
    if (!walk) {
      walk = { levels: [roundToBan(this.#target(network, family, 0))], nextChange: this.#pause(key, 0) };
      this.#network.set(key, walk);
    }
    const at = Math.max(0, day - FIRST_DAY);
    while (walk.levels.length <= at) {
      const next = walk.levels.length;
      const before = walk.levels[next - 1] as MilliPrice;
      if (next < walk.nextChange) {
        walk.levels.push(before);
      } else {
        walk.levels.push(before + this.#step(key, this.#target(network, family, next) - before, next));
        walk.nextChange = next + this.#pause(key, next);
      }
    }
    return walk.levels[at] as MilliPrice;
  }

  /** A change is never zero: a network that changes its price changes it by at least one ban. */
  #step(key: string, distance: MilliPrice, at: number): MilliPrice {
    const bani = Math.max(-LARGEST_STEP_BANI, Math.min(LARGEST_STEP_BANI, Math.round(distance / BAN)));
    return BAN * (bani || (randomFraction(this.#seed, 'step', key, at) < 0.5 ? -1 : 1));
  }

  #pause(key: string, at: number): number {
    return randomInteger(1, LONGEST_PAUSE_DAYS, this.#seed, 'pause', key, at);
  }

  #target(network: NetworkId, family: FuelFamily, at: number): number {
    return COUNTRY_LEVEL[family] + networkProfile(network).priceOffsets[family] + this.#countryMove(family, at);
  }

  #countryMove(family: FuelFamily, at: number): number {
    let walk = this.#country.get(family);
    if (!walk) {
      walk = { moves: [0], speed: 0 };
      this.#country.set(family, walk);
    }
    const farthest = MAX_DEVIATION * VOLATILITY[family];
    while (walk.moves.length <= at) {
      const push =
        (2 * randomFraction(this.#seed, 'country', family, walk.moves.length) - 1) * DAILY_IMPULSE * VOLATILITY[family];
      walk.speed = walk.speed * MOMENTUM + push;
      const moved = (walk.moves.at(-1) as number) * MEAN_REVERSION + walk.speed;
      walk.moves.push(Math.max(-farthest, Math.min(farthest, moved)));
    }
    return walk.moves[at] as number;
  }
}

function roundToBan(milli: number): MilliPrice {
  return BAN * Math.round(milli / BAN);
}
