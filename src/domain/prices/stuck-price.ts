/** Whether a price stands still while the rest of its network moves. Rule 26, `blocat`. */
import { firstIndexThat } from '../../algorithms/binary-search.ts';
import type { DayNumber } from '../days.ts';
import type { SourcePrice, StuckPriceDetector } from './price-verdict.ts';

/** A price is never stuck if its network has fewer other stations than this. */
export const MIN_OTHER_STATIONS = 3;

/**
 * Takes the facts of one source, network and fuel: those of all stations that still report a price. A price is stuck
 * when at least half of the *other* stations changed theirs after its `sinceDay`.
 */
export function stuckPriceDetector(facts: readonly SourcePrice[]): StuckPriceDetector {
  const changeDays = facts
    .filter(({ changed }) => changed)
    .map(({ sinceDay }) => sinceDay)
    .sort((a, b) => a - b);
  return {
    isStuck(fact) {
      const others = facts.length - 1;
      // The fact itself never counts: its own change is not after its own `sinceDay`.
      return others >= MIN_OTHER_STATIONS && 2 * (changeDays.length - countUpTo(changeDays, fact.sinceDay)) >= others;
    },
  };
}

/** The number of sorted days on or before `day`. */
function countUpTo(sorted: readonly DayNumber[], day: DayNumber): number {
  return firstIndexThat((index) => (sorted[index] as DayNumber) > day, 0, sorted.length);
}
