/** What visitors submit, reviews for example: limits, captcha, store, in the order of rule 39. */
import { batched } from '../../concurrency/batch.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type KeyedHash, type KeyedHasher, withCurrentKey } from '../../store/limits/address-hash.ts';
import {
  type Attempt,
  readRetryDelays,
  type Submission,
  type SubmissionKind,
  type SubmissionOutcome,
  submit,
} from '../../store/submissions/submissions.ts';
import type { Log } from '../response/log.ts';
import type { CaptchaCheck } from './captcha-check.ts';

/** Who submits something. */
export type Sender = {
  /** The client, as limits count it. */
  readonly client: string;
  /** The captcha token; `''` = none was sent; `null` = none is needed. */
  readonly token: string | null;
};

/** The result of a submission; `unavailable` = the database does not answer. */
export type SubmissionResult<A> =
  | { readonly kind: 'added'; readonly answer: A }
  | { readonly kind: 'limited'; readonly waitMs: number }
  | { readonly kind: 'no captcha' }
  | { readonly kind: 'unavailable' };

/** After these times submissions count as unavailable. One with a token waits for the precheck, then to be added. */
const SUBMISSION_TIMEOUT_MS = { precheck: 600, add: 1_300 };

/** Short, because a single visitor should not wait for others to join the batch. */
const BATCH_WINDOW_MS = 2;

export type BatchedQueries = <Q, A>(
  timeoutMs: number,
  runBatch: (database: DatabaseConnection, items: readonly Q[]) => Promise<readonly A[]>,
) => (one: Q) => Promise<A | null>;

/**
 * Returns what makes queries of one kind of thing. Requests go to the database in batches, so that a flood holds one
 * connection at a time; `null` = the database does not answer, which is logged as `outageText`.
 */
export function createQueries(
  database: DatabaseConnection,
  log: Pick<Log, 'warn'>,
  outageText: string,
): BatchedQueries {
  const outage = new WarnOnce({ warn: (why) => log.warn({ why }, outageText) });
  return <Q, A>(
    timeoutMs: number,
    runBatch: (database: DatabaseConnection, items: readonly Q[]) => Promise<readonly A[]>,
  ) => {
    const query = batched<Q, A>({
      intervalMs: BATCH_WINDOW_MS,
      timeoutMs,
      runBatch: (items) => runBatch(database, items),
    });
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
}

type SubmitterOptions<S, E, A> = {
  readonly kind: SubmissionKind<S, E, A>;
  readonly queries: BatchedQueries;
  /** Makes the keyed hashes that identify senders. */
  readonly hasher: KeyedHasher;
  /** The senders whose limits bind what a client submits, as `kind` expects them. */
  readonly sendersOf: (client: string) => readonly string[];
  /** `null` = there is none: whatever needs a token is refused. */
  readonly captcha: CaptchaCheck | null;
};

/** Returns the function that submits an item. */
export function createSubmitter<S, E, A extends object>({
  kind,
  queries,
  hasher,
  sendersOf,
  captcha,
}: SubmitterOptions<S, E, A>): (item: S, sender: Sender) => Promise<SubmissionResult<A>> {
  type Unhashed<T> = T & { readonly client: string };
  const hashed = <T extends { readonly client: string }>(some: readonly T[]) =>
    some.map((each) => ({ ...each, senders: sendersOf(each.client).map((name): KeyedHash => hasher.hash(name)) }));
  const limitWaitMs = queries<Unhashed<Omit<Attempt<S>, 'senders'>>, number>(
    SUBMISSION_TIMEOUT_MS.precheck,
    (database, attempts) => readRetryDelays(kind, database, hashed(attempts)),
  );
  const add = queries<Unhashed<Omit<Submission<S>, 'senders'>>, SubmissionOutcome<A>>(
    SUBMISSION_TIMEOUT_MS.add,
    (database, items) => withCurrentKey(hasher, () => submit(kind, database, hashed(items))),
  );
  return async (item, { client, token }) => {
    if (token !== null) {
      const waitMs = await limitWaitMs({ client, item });
      if (waitMs === null) return { kind: 'unavailable' };
      if (waitMs > 0) return { kind: 'limited', waitMs };
      const isPerson = (await captcha?.isAccepted(token, client)) ?? false;
      if (!isPerson) return { kind: 'no captcha' };
    }
    const used = token === null || captcha === null ? null : captcha.identityOf(token);
    const added = await add({ client, item, token: used });
    if (added === null) return { kind: 'unavailable' };
    if (added === 'used') return { kind: 'no captcha' };
    return isWait(added) ? { kind: 'limited', waitMs: added.waitMs } : { kind: 'added', answer: added };
  };
}

function isWait(outcome: object): outcome is { readonly waitMs: number } {
  return 'waitMs' in outcome;
}
