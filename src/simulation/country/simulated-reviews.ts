/** What simulated visitors say of a few stations; any text is marked as simulated. */
import { SIMULATED_MARK } from './labels.ts';

export type SimulatedReview = {
  /** Index of the reviewed station, from 0. */
  readonly station: number;
  readonly rating: number;
  readonly nickname: string | null;
  readonly comment: string | null;
};

/** Oldest first; the last one is for the operator to approve. */
export const SIMULATED_REVIEWS: readonly SimulatedReview[] = [
  { station: 0, rating: 4, nickname: null, comment: null },
  { station: 0, rating: 5, nickname: 'Ioana', comment: `${SIMULATED_MARK} Stație curată, personal amabil.` },
  { station: 1, rating: 3, nickname: 'Mihai', comment: `${SIMULATED_MARK} Coadă la pompa de GPL, altfel în regulă.` },
  { station: 1, rating: 5, nickname: null, comment: null },
  { station: 0, rating: 2, nickname: null, comment: `${SIMULATED_MARK} Spălătoria era închisă.` },
];
