/** Accepts and returns reviews: limits, captcha, store, in the order of rule 39. */

import { batched } from '../../concurrency/batch.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { TokenVerifier } from '../../domain/access/token-verifier.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type KeyedHasher, withCurrentKey } from '../../store/limits/address-hash.ts';
import { type Ratings, readReviews, type StationReviews } from '../../store/reviews/reviews.ts';
import {
  type NewReview,
  readRetryDelays,
  type SubmissionOutcome,
  submitReviews,
} from '../../store/reviews/submit-reviews.ts';
import type { Log } from '../response/log.ts';
import { CaptchaCheck } from './captcha-check.ts';

export type Submission = NewReview & {
  /** The client, as limits count it. */
  readonly client: string;
  /** `''` = none was sent. */
  readonly token: string;
};

type Attempt = Pick<Submission, 'client' | 'station'>;

/** The result of a submission; `unavailable` = the database does not answer. */
export type SubmissionResult =
  | { readonly kind: 'added'; readonly needsApproval: boolean; readonly ratings: Ratings }
  | { readonly kind: 'limited'; readonly waitMs: number }
  | { readonly kind: 'no captcha' }
  | { readonly kind: 'unavailable' };

export type ReviewService = {
  /** The approved reviews of a station; `null` = the database does not answer. */
  read(station: string): Promise<StationReviews | null>;
  submit(submission: Submission): Promise<SubmissionResult>;
};

export type ReviewServiceDependencies = {
  readonly database: DatabaseConnection;
  /** Makes the keyed hashes that identify clients. */
  readonly hasher: KeyedHasher;
  /** `null` = there is none: every review with text is refused. */
  readonly captcha: TokenVerifier | null;
  readonly log: Pick<Log, 'warn'>;
};

/** After these times reviews count as unavailable. A review with text waits for the precheck, then to be added. */
const REVIEW_TIMEOUT_MS = { read: 1_700, precheck: 600, add: 1_300 };

/** Short, because a single reader should not wait for others to join the batch. */
const BATCH_WINDOW_MS = 2;

/** Creates the service. Requests go to the database in batches, so that a flood holds one connection at a time. */
export function createReviewService({ database, hasher, captcha, log }: ReviewServiceDependencies): ReviewService {
  const outage = new WarnOnce({ warn: (why) => log.warn({ why }, 'reviews can neither be read nor written') });
  const batchedQuery = <Q, A>(
    timeoutMs: number,
    runBatch: (database: DatabaseConnection, items: readonly Q[]) => Promise<readonly A[]>,
  ) => {
    const query = batched<Q, A>({
      intervalMs: BATCH_WINDOW_MS,
      timeoutMs,
      runBatch: (items) => runBatch(database, items),
    });
    /** The answer; `null` = the database does not answer. */
    return async (one: Q): Promise<A | null> => {
      try {
        const answer = await query(one);
        outage.succeeded();
        return answer;
      } catch (error) {
        outage.failed(messageOf(error));
        return null;
      }
    };
  };
  const read = batchedQuery<string, StationReviews>(REVIEW_TIMEOUT_MS.read, readReviews);
  const hashed = <T extends { readonly client: string }>(some: readonly T[]) =>
    some.map((each) => ({ ...each, client: hasher.hash(each.client) }));
  const limitWaitMs = batchedQuery<Attempt, number>(REVIEW_TIMEOUT_MS.precheck, (opened, attempts) =>
    readRetryDelays(opened, hashed(attempts)),
  );
  const add = batchedQuery<Attempt & { review: NewReview; token: string | null }, SubmissionOutcome>(
    REVIEW_TIMEOUT_MS.add,
    (opened, posted) => withCurrentKey(hasher, () => submitReviews(opened, hashed(posted))),
  );
  const captchaCheck = captcha === null ? null : new CaptchaCheck({ captcha, log });
  return {
    read,
    async submit({ client, token, ...review }) {
      const needsApproval = review.nickname !== null || review.comment !== null;
      if (needsApproval) {
        const waitMs = await limitWaitMs({ client, station: review.station });
        if (waitMs === null) return { kind: 'unavailable' };
        if (waitMs > 0) return { kind: 'limited', waitMs };
        const isPerson = (await captchaCheck?.isAccepted(token, client)) ?? false;
        if (!isPerson) return { kind: 'no captcha' };
      }
      const used = needsApproval && captcha !== null ? captcha.identityOf(token) : null;
      const added = await add({ client, station: review.station, review, token: used });
      if (added === null) return { kind: 'unavailable' };
      if (added === 'used') return { kind: 'no captcha' };
      return 'waitMs' in added
        ? { kind: 'limited', waitMs: added.waitMs }
        : { kind: 'added', needsApproval, ratings: added };
    },
  };
}
