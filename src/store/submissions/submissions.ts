/**
 * Stores what visitors send, reviews for example, under limits that count what each sender sent earlier; with
 * statements for many submissions at once. Every function rejects if the database does not answer in time.
 */
import type { Kysely } from 'kysely';
import type { DatabaseConnection, Queryable } from '../connection/database-connection.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';
import type { KeyedHash } from '../limits/address-hash.ts';
import { AddressKeySuperseded, holdCurrentKey } from '../limits/address-keys.ts';
import { markTokensUsed } from './captcha-tokens.ts';

/** Something to submit; `senders` = keyed hashes of those whose limits bind it: its client, perhaps its network. */
export type Attempt<S> = { readonly senders: readonly KeyedHash[]; readonly item: S };

/** `token` = the captcha token that the verifier accepted; `null` = it needs none. */
export type Submission<S> = Attempt<S> & { readonly token: string | null };

/** What the insertion returned; `used` = the captcha token was used before; or how long to wait. */
export type SubmissionOutcome<A> = A | 'used' | { readonly waitMs: number };

/** A kind of submission: `S` = what is sent, `E` = what is known of earlier ones, `A` = what its sender is told. */
export type SubmissionKind<S, E, A> = {
  /** Namespace of the advisory locks of senders within this database. */
  readonly lockClass: number;
  /**
   * Selects the columns of `E`, with `clock_timestamp() as now`, of what the senders with the hashes `$1` sent earlier;
   * one row also where there is nothing, in which no sender is named.
   */
  readonly earlierSql: string;
  /** The hashes of the senders of a row, in the order of `senders` of an attempt, in hexadecimal. */
  readonly sendersOf: (row: E) => readonly (string | null)[];
  /** How long the senders of an item must wait, ms; `earlier` = of each of them, in their order. 0 = no wait. */
  readonly waitMs: (earlier: readonly (readonly E[])[], item: S, now: number) => number;
  /** An item as `earlierSql` would return it once it is stored. */
  readonly asEarlier: (item: S, now: number) => E;
  /** Stores items in order, dated `now`; returns what the sender of each is told. */
  readonly insert: (tx: Kysely<Schema>, accepted: readonly Submission<S>[], now: number) => Promise<(item: S) => A>;
};

/** How long the check of the limits may take, and the transaction, before the caller drops the connection. */
const PRECHECK_TIMEOUT = { withinMs: 500 };
const SUBMISSION_TIMEOUT_MS = 1_200;

/** How long the senders of each attempt have to wait, ms; 0 = not at all. Consumes nothing. */
export async function readRetryDelays<S, E, A>(
  kind: SubmissionKind<S, E, A>,
  database: Queryable,
  attempts: readonly Attempt<S>[],
): Promise<number[]> {
  const statement = { text: kind.earlierSql, values: [hashesOf(attempts)] };
  const earlier = new EarlierSubmissions(kind, await database.query<EarlierRow<E>>(statement, PRECHECK_TIMEOUT));
  return attempts.map((attempt) => earlier.waitMs(attempt));
}

/**
 * Adds submissions in order if the limits of their senders have room, and marks their captcha tokens as used even if
 * there is none. Decides under locks of the senders, over all processes, by the database's clock. Rejects with
 * `AddressKeySuperseded`.
 */
export function submit<S, E, A>(
  kind: SubmissionKind<S, E, A>,
  database: Pick<DatabaseConnection, 'transaction'>,
  submitted: readonly Submission<S>[],
  withinMs: number = SUBMISSION_TIMEOUT_MS,
): Promise<SubmissionOutcome<A>[]> {
  const work = async (tx: Kysely<Schema>): Promise<SubmissionOutcome<A>[]> => {
    const senders = submitted.flatMap((each) => each.senders);
    const lockKeys = senders.map(({ current }) => current.readInt32BE());
    const locked = await runRaw(tx, LOCK, [kind.lockClass, lockKeys, senders[0]?.key]);
    // The probe of an outage submits nothing.
    if (locked.length === 0 && submitted.length > 0) throw new AddressKeySuperseded();
    const rows = await runRaw<EarlierRow<E>>(tx, kind.earlierSql, [hashesOf(submitted)]);
    const earlier = new EarlierSubmissions(kind, rows);
    const unusedTokens = await markTokensUsed(
      tx,
      submitted.flatMap(({ token }) => token ?? []),
    );
    const refusals = submitted.map((each) => {
      // Also for one that is refused for another reason: a token is valid once.
      const isTokenValid = each.token === null || unusedTokens.delete(each.token);
      const waitMs = earlier.waitMs(each);
      if (waitMs > 0) return { waitMs };
      if (!isTokenValid) return 'used' as const;
      earlier.add(each);
      return null;
    });
    const accepted = submitted.filter((_, at) => refusals[at] === null);
    const answerTo = accepted.length === 0 ? null : await kind.insert(tx, accepted, earlier.now);
    return submitted.map(({ item }, at) => refusals[at] ?? (answerTo as NonNullable<typeof answerTo>)(item));
  };
  return database.transaction(work, { withinMs });
}

type EarlierRow<E> = E & { readonly now: number };

/** What the senders of some attempts sent earlier. */
class EarlierSubmissions<S, E, A> {
  readonly now: number;
  readonly #kind: SubmissionKind<S, E, A>;
  /** By the place of the sender in an attempt, and its hash. */
  readonly #stored: ReadonlyMap<string, E[]>;
  /** By the current hash; what is added is found under it. */
  readonly #bySender = new Map<string, E[]>();

  constructor(kind: SubmissionKind<S, E, A>, rows: readonly EarlierRow<E>[]) {
    this.#kind = kind;
    this.now = (rows[0] as EarlierRow<E>).now;
    const bySender = rows.flatMap((row) =>
      kind.sendersOf(row).flatMap((hash, place) => (hash === null ? [] : [{ name: `${place} ${hash}`, row }])),
    );
    this.#stored = new Map(
      [...Map.groupBy(bySender, ({ name }) => name)].map(([name, own]) => [name, own.map(({ row }) => row)]),
    );
  }

  waitMs({ senders, item }: Attempt<S>): number {
    return this.#kind.waitMs(
      senders.map((sender, place) => this.#of(sender, place)),
      item,
      this.now,
    );
  }

  add({ senders, item }: Attempt<S>): void {
    const added = this.#kind.asEarlier(item, this.now);
    for (const [place, sender] of senders.entries()) this.#of(sender, place).push(added);
  }

  #of({ current, earlier }: KeyedHash, place: number): E[] {
    const [name, earlierName] = [current, earlier].map((hash) => hash && `${place} ${hash.toString('hex')}`);
    const known = this.#bySender.get(name as string) ?? [
      ...(this.#stored.get(name as string) ?? []),
      ...(this.#stored.get(earlierName ?? '') ?? []),
    ];
    this.#bySender.set(name as string, known);
    return known;
  }
}

/** The hashes under which earlier submissions of the senders may be stored. */
const hashesOf = (some: readonly Pick<Attempt<unknown>, 'senders'>[]) =>
  some.flatMap(({ senders }) =>
    senders.flatMap(({ current, earlier }) => (earlier === null ? [current] : [current, earlier])),
  );

/**
 * Locks senders in a fixed order, so that two processes never deadlock. No row = the key of the hashes is superseded.
 */
const LOCK = `
  with held as materialized (${holdCurrentKey('$3')})
  select pg_advisory_xact_lock($1, key) from (select distinct unnest($2::int[]) as key from held order by key) as keys`;
