/** The mock's reviews: some of a few stations; whatever is posted is answered as the contract says, and not stored. */
import type { ReviewEndpointDependencies } from '../../api/endpoints/reviews.ts';
import { EXAMPLE_STATION } from '../../domain/stations/station-slug.ts';
import { SIMULATED_REVIEWS } from '../../simulation/country/simulated-reviews.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { StationReviews } from '../../store/reviews/reviews.ts';
import { MOCK_NOW } from './mock-moment.ts';

const NONE: StationReviews = { count: 0, stars: 0, newest: [] };
const DAY_MS = 86_400_000;

/** Reviews of the example station and the first others; any token proves that its sender is human. */
export function mockReviews({ records }: Snapshot): ReviewEndpointDependencies {
  const byStation = reviewsByStation([...new Set([EXAMPLE_STATION.id, ...records.map(({ station }) => station.id)])]);
  const of = (station: string) => byStation.get(station) ?? NONE;
  return {
    challengeFor: null,
    read: (station) => Promise.resolve(of(station)),
    submit({ station, rating, nickname, comment, token }) {
      const needsApproval = nickname !== null || comment !== null;
      if (needsApproval && token === '') return Promise.resolve({ kind: 'no captcha' });
      const { count, stars } = of(station);
      const ratings = needsApproval ? { count, stars } : { count: count + 1, stars: stars + rating };
      return Promise.resolve({ kind: 'added', answer: { needsApproval, ratings } });
    },
  };
}

function reviewsByStation(stations: readonly string[]): ReadonlyMap<string, StationReviews> {
  const all = SIMULATED_REVIEWS.map(({ station, ...review }, at) => {
    const createdAt = MOCK_NOW - (SIMULATED_REVIEWS.length - at) * DAY_MS;
    return { station: stations[station] ?? '', review: { id: at + 1, createdAt, ...review } };
  });
  return new Map(
    [...Map.groupBy(all, ({ station }) => station)].map(([station, own]) => {
      const newest = own.map(({ review }) => review).reverse();
      return [station, { count: own.length, stars: newest.reduce((sum, { rating }) => sum + rating, 0), newest }];
    }),
  );
}
