/** What simulated visitors say of a few stations; any text is marked as simulated. */
import { SIMULATED_MARK } from './station-names.ts';

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
  {
    station: 2,
    rating: 5,
    nickname: 'Andrei',
    comment: `${SIMULATED_MARK} Cafea bună și toalete curate, oprim mereu aici.`,
  },
  { station: 2, rating: 4, nickname: 'Dana', comment: `${SIMULATED_MARK} Prețul de la pompă este cel de pe totem.` },
  {
    station: 3,
    rating: 1,
    nickname: null,
    comment: `${SIMULATED_MARK} O singură pompă mergea, am așteptat 20 de minute.`,
  },
  { station: 3, rating: 3, nickname: null, comment: null },
  { station: 4, rating: 4, nickname: 'Radu', comment: `${SIMULATED_MARK} Aer și apă gratuite, parcare mare.` },
  { station: 5, rating: 5, nickname: null, comment: null },
  { station: 0, rating: 2, nickname: null, comment: `${SIMULATED_MARK} Spălătoria era închisă.` },
];
