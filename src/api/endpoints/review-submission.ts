/** Accepts and returns reviews. */
import { clientNetwork } from '../../domain/access/client-network.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import type { KeyedHasher } from '../../store/limits/address-hash.ts';
import { type Ratings, readReviews, type StationReviews } from '../../store/reviews/reviews.ts';
import { type NewReview, REVIEW_SUBMISSIONS } from '../../store/reviews/submit-reviews.ts';
import type { Log } from '../response/log.ts';
import type { CaptchaCheck } from './captcha-check.ts';
import { createQueries, createSubmitter, type SubmissionResult } from './submission.ts';

export type ReviewSubmission = NewReview & {
  /** The client, as limits count it. */
  readonly client: string;
  /** `''` = none was sent. */
  readonly token: string;
};

/** The result of a submitted review. */
export type ReviewResult = SubmissionResult<{ readonly needsApproval: boolean; readonly ratings: Ratings }>;

export type ReviewService = {
  /** The approved reviews of a station; `null` = the database does not answer. */
  read(station: string): Promise<StationReviews | null>;
  submit(submission: ReviewSubmission): Promise<ReviewResult>;
};

export type ReviewServiceDependencies = {
  readonly database: DatabaseConnection;
  /** Makes the keyed hashes that identify clients. */
  readonly hasher: KeyedHasher;
  /** `null` = there is none: every review with text is refused. */
  readonly captcha: CaptchaCheck | null;
  readonly log: Pick<Log, 'warn'>;
};

/** After this time reviews count as unavailable. */
const READ_TIMEOUT_MS = 1_700;

/** Creates the service. */
export function createReviewService({ database, hasher, captcha, log }: ReviewServiceDependencies): ReviewService {
  const queries = createQueries(database, log, 'reviews can neither be read nor written');
  const read = queries<string, StationReviews>(READ_TIMEOUT_MS, readReviews);
  const add = createSubmitter({
    ...{ kind: REVIEW_SUBMISSIONS, queries, hasher, captcha },
    sendersOf: (client) => [client, clientNetwork(client)],
  });
  return {
    read,
    async submit({ client, token, ...review }) {
      const needsApproval = review.nickname !== null || review.comment !== null;
      const result = await add(review, { client, token: needsApproval ? token : null });
      return result.kind === 'added' ? { kind: 'added', answer: { needsApproval, ratings: result.answer } } : result;
    },
  };
}
