/** Reviews for tests about other things, and for the examples of the documentation. */
import type { DriverReportService } from '../../../src/api/endpoints/driver-report-submission.ts';
import type { ReviewEndpointDependencies } from '../../../src/api/endpoints/reviews.ts';
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';

/** Reviews while the database is unavailable. */
export const NO_REVIEWS: ReviewEndpointDependencies = {
  challengeFor: null,
  read: () => Promise.resolve(null),
  submit: () => Promise.resolve({ kind: 'unavailable' }),
};

/** Reports of drivers likewise. */
export const NO_REPORTS: DriverReportService = {
  ranges: DEFAULT_RANGES,
  readAccepted: () => Promise.resolve(null),
  submit: () => Promise.resolve({ kind: 'unavailable' }),
};

/** Two reviews of every station; accepts every further one. */
export const SOME_REVIEWS: ReviewEndpointDependencies = {
  ...NO_REVIEWS,
  read: () =>
    Promise.resolve({
      count: 2,
      stars: 9,
      newest: [
        {
          id: 12,
          nickname: 'Ana',
          rating: 4,
          comment: 'Curat, fără coadă.',
          createdAt: Date.parse('2026-11-19T16:05:09Z'),
        },
        { id: 7, nickname: null, rating: 5, comment: null, createdAt: Date.parse('2026-06-01T05:30:00Z') },
      ],
    }),
  submit: () => Promise.resolve({ kind: 'added', answer: { needsApproval: false, ratings: { count: 2, stars: 9 } } }),
};
