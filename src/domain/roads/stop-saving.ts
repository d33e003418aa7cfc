/** Whether a stop for fuel is worth its detour. Amounts are in lei. */
import { type MilliPrice, meanToBani } from '../fuel.ts';
import type { DistanceAndTime } from './road-access.ts';

/** What a driver says about the stop. */
export type RefuelTerms = {
  /** Litres to buy. */
  readonly litres: number;
  readonly litresPer100Km: number;
  /** What an hour of the driver costs, lei; `null` = time does not count. */
  readonly hourLei: number | null;
};

/** A place to buy fuel, and the detour there. */
export type FuelStop = { readonly price: MilliPrice; readonly detour: DistanceAndTime };

export type StopCost = {
  /** The fuel that the detour burns, at the price of the stop. */
  readonly detourFuel: number;
  readonly time: number;
  /** The litres at the price of the stop, and the two above. */
  readonly total: number;
};

/** What a stop costs in all. */
export function stopCost({ price, detour }: FuelStop, terms: RefuelTerms): StopCost {
  const perLitre = price / 1000;
  const detourFuel = ((detour.km * terms.litresPer100Km) / 100) * perLitre;
  const time = (detour.minutes / 60) * (terms.hourLei ?? 0);
  return { detourFuel, time, total: terms.litres * perLitre + detourFuel + time };
}

/** A detour up to this is none: the built-in roads are no more exact. */
const ON_THE_WAY: DistanceAndTime = { km: 2, minutes: 3 };
/** A detour that gains less is not worth it, lei; the second counts only where no price of the time is given. */
const SMALLEST_GAIN = 1;
const SMALLEST_GAIN_PER_MINUTE = 0.5;

/** Whether a stop needs no detour worth mentioning. */
export function isOnTheWay({ km, minutes }: DistanceAndTime): boolean {
  return km <= ON_THE_WAY.km && minutes <= ON_THE_WAY.minutes;
}

export type RankedStop<S extends FuelStop> = {
  readonly stop: S;
  readonly cost: StopCost;
  /** Against the mean price of all stops; below 0 = costs more. */
  readonly saving: number;
};

export type StopAdvice<S extends FuelStop> = {
  /** The stop to make. */
  readonly best: RankedStop<S>;
  /**
   * `worth it`: it needs a detour that pays. `not worth it`: it is on the way. `only detours`: no stop is on the way.
   */
  readonly verdict: 'worth it' | 'not worth it' | 'only detours';
  /** What the best stop saves against the best one on the way; 0 unless the verdict is `worth it`. */
  readonly gain: number;
  readonly mean: MilliPrice;
  /** Every stop, the best one first, then by total cost. */
  readonly ranked: readonly RankedStop<S>[];
  /** The best stop, then those that save something, on the way or by a detour that pays; by total cost. */
  readonly worthIt: readonly RankedStop<S>[];
  /** Cheaper at the pump than the best stop, but not worth their detour; cheapest first. */
  readonly notWorthIt: readonly RankedStop<S>[];
};

/** Compares stops; `null` if there is none. */
export function adviseStop<S extends FuelStop>(stops: readonly S[], terms: RefuelTerms): StopAdvice<S> | null {
  const mean = meanToBani(stops.map(({ price }) => price));
  if (mean === null) return null;
  const ranked = stops
    .map((stop) => {
      const cost = stopCost(stop, terms);
      return { stop, cost, saving: (terms.litres * mean) / 1000 - cost.total };
    })
    .sort((a, b) => a.cost.total - b.cost.total);
  const onTheWay = firstOnTheWay(ranked);
  const pays = (each: RankedStop<S>) => paysAgainst(onTheWay, each, terms);
  const best = bestStop(ranked, terms);
  const bestFirst = [best, ...ranked.filter((each) => each !== best)];
  const isWorthIt = (each: RankedStop<S>): boolean =>
    each.saving > 0 && pays(each) && (onTheWay !== undefined || each.stop.price >= best.stop.price);
  const worthIt = bestFirst.filter((each) => each === best || isWorthIt(each));
  return {
    best,
    verdict: onTheWay === undefined ? 'only detours' : best === onTheWay ? 'not worth it' : 'worth it',
    gain: best === onTheWay ? 0 : gainAgainst(onTheWay, best),
    mean,
    ranked: bestFirst,
    worthIt,
    notWorthIt: ranked
      .filter((each) => each.stop.price < best.stop.price && !worthIt.includes(each))
      .sort((a, b) => a.stop.price - b.stop.price),
  };
}

/**
 * The stop to make: the first on the way, or one before it whose detour pays against that.
 * @param ranked At least one, the cheapest in all first.
 */
export function bestStop<S extends FuelStop>(ranked: readonly RankedStop<S>[], terms: RefuelTerms): RankedStop<S> {
  const onTheWay = firstOnTheWay(ranked);
  return ranked.find((each) => paysAgainst(onTheWay, each, terms)) as RankedStop<S>;
}

function firstOnTheWay<S extends FuelStop>(ranked: readonly RankedStop<S>[]): RankedStop<S> | undefined {
  return ranked.find(({ stop }) => isOnTheWay(stop.detour));
}

/** Whether a stop is on the way, or its detour gains enough against the best one that is. */
function paysAgainst<S extends FuelStop>(
  onTheWay: RankedStop<S> | undefined,
  each: RankedStop<S>,
  { hourLei }: RefuelTerms,
): boolean {
  if (onTheWay === undefined || isOnTheWay(each.stop.detour)) return true;
  const perMinute = hourLei === null ? SMALLEST_GAIN_PER_MINUTE : 0;
  return gainAgainst(onTheWay, each) >= Math.max(SMALLEST_GAIN, perMinute * each.stop.detour.minutes);
}

function gainAgainst<S extends FuelStop>(onTheWay: RankedStop<S> | undefined, { cost }: RankedStop<S>): number {
  return onTheWay === undefined ? 0 : onTheWay.cost.total - cost.total;
}
