/** Takes reviews in and gives them out: limits, captcha, store, in the order of decision 39. */
import type { Captcha } from '../../clients/captcha.ts';
import { batched } from '../../concurrency/batch.ts';
import type { Database } from '../../store/connection/database.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type Ratings, readReviews, type StationReviews } from '../../store/reviews/reviews.ts';
import {
  type Added,
  addReviews,
  type NewReview,
  type Posted,
  type Wish,
  waitsToReview,
} from '../../store/reviews/submit-reviews.ts';
import type { Log } from '../response/log.ts';

type Pool = Database['pool'];

type Submission = NewReview & {
  /** Where it comes from, as limits count it. */
  readonly client: string;
  /** `''` = none was sent. */
  readonly token: string;
};

/** What became of a review; `unavailable` = the database cannot be asked. */
export type Submitted =
  | { readonly kind: 'added'; readonly waits: boolean; readonly ratings: Ratings }
  | { readonly kind: 'limited'; readonly waitMs: number }
  | { readonly kind: 'no captcha' }
  | { readonly kind: 'unavailable' };

export type ReviewDesk = {
  /** What is approved of a station; `null` = it cannot be told now. */
  read(station: string): Promise<StationReviews | null>;
  submit(submission: Submission): Promise<Submitted>;
};

export type ReviewDeskParts = {
  /** `null` = it is not there yet. */
  readonly database: () => Pool | null;
  /** The keyed hash under which a client is kept; `null` = that cannot be told yet. */
  readonly hash: (client: string) => Buffer | null;
  /** `null` = none is configured: nothing with text is taken. */
  readonly captcha: Captcha | null;
  readonly log: Pick<Log, 'warn'>;
};

/** Whoever waits longer is told that reviews are unavailable; one with text waits for a look, then for its adding. */
const PATIENCE_MS = { read: 1_700, look: 600, add: 1_300 };

/** Whoever reads alone should not wait for company. */
const APART_MS = 2;

/** Puts a desk together. Many questions go to the database as few, so that a flood holds one connection at a time. */
export function createReviewDesk({ database, hash, captcha, log }: ReviewDeskParts): ReviewDesk {
  const tell = outages(log);
  const asking = <Q, A>(patienceMs: number, ask: (pool: Pool, questions: readonly Q[]) => Promise<readonly A[]>) => {
    const question = batched<Q, A>({
      apartMs: APART_MS,
      patienceMs,
      ask: (questions) => {
        const pool = database();
        return pool === null ? Promise.reject(new Error('there is no database yet')) : ask(pool, questions);
      },
    });
    /** The answer; `null` = the database cannot be asked. */
    return async (one: Q): Promise<A | null> => {
      try {
        const answer = await question(one);
        tell(null);
        return answer;
      } catch (error) {
        tell(messageOf(error));
        return null;
      }
    };
  };
  const read = asking<string, StationReviews>(PATIENCE_MS.read, readReviews);
  const wait = asking<Wish, number>(PATIENCE_MS.look, waitsToReview);
  const add = asking<Posted, Added>(PATIENCE_MS.add, (pool, posted) => addReviews(pool, posted));
  const accepts = captchaCheck(captcha, log);
  return {
    read,
    async submit({ client: address, token, ...review }) {
      const client = hash(address);
      if (client === null) return { kind: 'unavailable' };
      const waits = review.nickname !== null || review.comment !== null;
      if (waits) {
        const waitMs = await wait({ client, station: review.station });
        if (waitMs === null) return { kind: 'unavailable' };
        if (waitMs > 0) return { kind: 'limited', waitMs };
        if (!(await accepts(token))) return { kind: 'no captcha' };
      }
      const added = await add({ client, review, token: waits ? token : null });
      if (added === null) return { kind: 'unavailable' };
      if (added === 'used') return { kind: 'no captcha' };
      return 'waitMs' in added ? { kind: 'limited', waitMs: added.waitMs } : { kind: 'added', waits, ratings: added };
    },
  };
}

/** Whether a token is good; what is wrong on our side or the verifier's is told when it begins. */
function captchaCheck(captcha: Captcha | null, log: Pick<Log, 'warn'>): (token: string) => Promise<boolean> {
  let told = false;
  return async (token) => {
    if (captcha === null || token === '') return false;
    const verdict = await captcha.verify(token);
    const failed = typeof verdict === 'object';
    if (failed && !told)
      log.warn({ why: verdict.failed }, 'the captcha cannot be verified: reviews with text are refused');
    told = failed;
    return verdict === 'accepted';
  };
}

/** Tells when an outage begins. */
function outages(log: Pick<Log, 'warn'>): (why: string | null) => void {
  let told = false;
  return (why) => {
    if (why !== null && !told) log.warn({ why }, 'reviews can neither be read nor written');
    told = why !== null;
  };
}
