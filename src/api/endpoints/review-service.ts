/** Takes reviews in and gives them out: limits, captcha, store, in the order of rule 39. */
import type { Captcha } from '../../clients/captcha.ts';
import { batched } from '../../concurrency/batch.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type Ratings, readReviews, type StationReviews } from '../../store/reviews/reviews.ts';
import {
  type NewReview,
  type ReviewAttempt,
  readReviewWaits,
  type SubmissionOutcome,
  type SubmittedReview,
  submitReviews,
} from '../../store/reviews/submit-reviews.ts';
import type { Log } from '../response/log.ts';

type Submission = NewReview & {
  /** Where it comes from, as limits count it. */
  readonly client: string;
  /** `''` = none was sent. */
  readonly token: string;
};

/** What became of a review; `unavailable` = the database cannot be asked. */
export type SubmissionResult =
  | { readonly kind: 'added'; readonly needsApproval: boolean; readonly ratings: Ratings }
  | { readonly kind: 'limited'; readonly waitMs: number }
  | { readonly kind: 'no captcha' }
  | { readonly kind: 'unavailable' };

export type ReviewService = {
  /** What is approved of a station; `null` = it cannot be told now. */
  read(station: string): Promise<StationReviews | null>;
  submit(submission: Submission): Promise<SubmissionResult>;
};

export type ReviewServiceDependencies = {
  readonly database: DatabaseConnection;
  /** The keyed hash under which a client is kept; `null` = that cannot be told yet. */
  readonly hash: (client: string) => Buffer | null;
  /** `null` = none is configured: nothing with text is taken. */
  readonly captcha: Captcha | null;
  readonly log: Pick<Log, 'warn'>;
};

/** Whoever waits longer is told that reviews are unavailable; one with text waits for a look, then for its adding. */
const TIMEOUT_MS = { read: 1_700, precheck: 600, add: 1_300 };

/** Whoever reads alone should not wait for company. */
const BATCH_WINDOW_MS = 2;

/** Puts a desk together. Many questions go to the database as few, so that a flood holds one connection at a time. */
export function buildReviewService({ database, hash, captcha, log }: ReviewServiceDependencies): ReviewService {
  const outage = new WarnOnce({ warn: (why) => log.warn({ why }, 'reviews can neither be read nor written') });
  const batchedQuery = <Q, A>(
    timeoutMs: number,
    ask: (database: DatabaseConnection, questions: readonly Q[]) => Promise<readonly A[]>,
  ) => {
    const query = batched<Q, A>({
      intervalMs: BATCH_WINDOW_MS,
      timeoutMs,
      ask: (questions) => ask(database, questions),
    });
    /** The answer; `null` = the database cannot be asked. */
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
  const read = batchedQuery<string, StationReviews>(TIMEOUT_MS.read, readReviews);
  const limitWaitMs = batchedQuery<ReviewAttempt, number>(TIMEOUT_MS.precheck, readReviewWaits);
  const add = batchedQuery<SubmittedReview, SubmissionOutcome>(TIMEOUT_MS.add, (opened, posted) =>
    submitReviews(opened, posted),
  );
  const verifyCaptcha = createCaptchaCheck(captcha, log);
  return {
    read,
    async submit({ client: address, token, ...review }) {
      const client = hash(address);
      if (client === null) return { kind: 'unavailable' };
      const needsApproval = review.nickname !== null || review.comment !== null;
      if (needsApproval) {
        const waitMs = await limitWaitMs({ client, station: review.station });
        if (waitMs === null) return { kind: 'unavailable' };
        if (waitMs > 0) return { kind: 'limited', waitMs };
        if (!(await verifyCaptcha(token))) return { kind: 'no captcha' };
      }
      const added = await add({ client, review, token: needsApproval ? token : null });
      if (added === null) return { kind: 'unavailable' };
      if (added === 'used') return { kind: 'no captcha' };
      return 'waitMs' in added
        ? { kind: 'limited', waitMs: added.waitMs }
        : { kind: 'added', needsApproval, ratings: added };
    },
  };
}

/** Whether a token is good; what is wrong on our side or the verifier's is told when it begins. */
function createCaptchaCheck(captcha: Captcha | null, log: Pick<Log, 'warn'>): (token: string) => Promise<boolean> {
  const outage = new WarnOnce({
    warn: (why) => log.warn({ why }, 'the captcha cannot be verified: reviews with text are refused'),
  });
  return async (token) => {
    if (captcha === null || token === '') return false;
    const verdict = await captcha.verify(token);
    if (typeof verdict === 'object') outage.failed(verdict.failed);
    else outage.succeeded();
    return verdict === 'accepted';
  };
}
