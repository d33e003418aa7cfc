/**
 * What each network charges nationwide, day by day: a slow walk of the country's level, followed by every network at
 * its own distance in steps of 1 to 10 bani every 1 to 4 days. Levels of autumn 2026.
 */
import { type DayNumber, dayNumber } from '../../domain/days.ts';
import type { Milli, RoadFuel } from '../../domain/fuel.ts';
import { habitsOf, type NetworkId } from './networks.ts';
import { chance, whole } from './seeded-random.ts';

type Family = 'petrol' | 'diesel' | 'lpg';

const COUNTRY_LEVEL: Readonly<Record<Family, Milli>> = { petrol: 9_400, diesel: 10_500, lpg: 4_620 };
/** How strongly the country's level is pulled home, and how far from it it may ever be. */
const PULL = 0.985;
const FARTHEST: Milli = 300;
/** Its speed lasts for some days, so that prices have trends, and is pushed a little every day. */
const MOMENTUM = 0.85;
const PUSH: Milli = 12;
/** LPG moves half as much as petrol and diesel. */
const CALM: Readonly<Record<Family, number>> = { petrol: 1, diesel: 1, lpg: 0.5 };

const BAN: Milli = 10;
const LONGEST_PAUSE_DAYS = 4;
const LARGEST_STEP_BANI = 10;

/** The walks begin here; earlier days have the level of this one. */
const FIRST_DAY = dayNumber('2025-01-01');

/** The price levels of a simulated country. Walks are computed as far as they are asked for, and kept. */
export class Levels {
  readonly #seed: number;
  readonly #country = new Map<Family, { moves: number[]; speed: number }>();
  readonly #network = new Map<string, { levels: Milli[]; nextChange: number }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The network's nationwide price of a fuel in its report of a day; for LPG the level its stations vary around. */
  on(network: NetworkId, fuel: RoadFuel, day: DayNumber): Milli {
    const { position } = habitsOf(network);
    if (fuel === 'petrol_premium') return this.#walked(network, 'petrol', day) + position.petrol_premium;
    if (fuel === 'diesel_premium') return this.#walked(network, 'diesel', day) + position.diesel_premium;
    return this.#walked(network, fuel, day);
  }

  #walked(network: NetworkId, family: Family, day: DayNumber): Milli {
    const key = `${network} ${family}`;
    let walk = this.#network.get(key);
    if (!walk) {
      walk = { levels: [roundToBan(this.#target(network, family, 0))], nextChange: this.#pause(key, 0) };
      this.#network.set(key, walk);
    }
    const at = Math.max(0, day - FIRST_DAY);
    while (walk.levels.length <= at) {
      const next = walk.levels.length;
      const before = walk.levels[next - 1] as Milli;
      if (next < walk.nextChange) {
        walk.levels.push(before);
      } else {
        walk.levels.push(before + this.#step(key, this.#target(network, family, next) - before, next));
        walk.nextChange = next + this.#pause(key, next);
      }
    }
    return walk.levels[at] as Milli;
  }

  /** A change is never zero: a network that changes its price changes it by at least one ban. */
  #step(key: string, distance: Milli, at: number): Milli {
    const bani = Math.max(-LARGEST_STEP_BANI, Math.min(LARGEST_STEP_BANI, Math.round(distance / BAN)));
    return BAN * (bani || (chance(this.#seed, 'step', key, at) < 0.5 ? -1 : 1));
  }

  #pause(key: string, at: number): number {
    return whole(1, LONGEST_PAUSE_DAYS, this.#seed, 'pause', key, at);
  }

  #target(network: NetworkId, family: Family, at: number): number {
    return COUNTRY_LEVEL[family] + habitsOf(network).position[family] + this.#countryMove(family, at);
  }

  #countryMove(family: Family, at: number): number {
    let walk = this.#country.get(family);
    if (!walk) {
      walk = { moves: [0], speed: 0 };
      this.#country.set(family, walk);
    }
    const farthest = FARTHEST * CALM[family];
    while (walk.moves.length <= at) {
      const push = (2 * chance(this.#seed, 'country', family, walk.moves.length) - 1) * PUSH * CALM[family];
      walk.speed = walk.speed * MOMENTUM + push;
      const moved = (walk.moves.at(-1) as number) * PULL + walk.speed;
      walk.moves.push(Math.max(-farthest, Math.min(farthest, moved)));
    }
    return walk.moves[at] as number;
  }
}

function roundToBan(milli: number): Milli {
  return BAN * Math.round(milli / BAN);
}
