/** Publications: serialised and atomic; versions only grow. */
import { type Kysely, sql } from 'kysely';
import { type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { withIdleTimeout } from '../connection/idle-timeout.ts';
import type { Schema } from '../connection/schema.ts';
import { loadFacts } from './load-facts.ts';
import { NOTE_MIGRATION, storePackedFacts } from './packed-facts.ts';

/** Channel on which every publication is announced; the payload is its version. */
export const PUBLICATION_CHANNEL = 'pompa_publication';

/** Changed past days are recorded for this many publications; a reader further behind reads all days again. */
const CHANGED_DAYS_KEPT = 2_000;

export type Publication = { version: number; publishedAt: number | null; updatedAt: number | null };

/**
 * How long a publication waits for the one before it, and how long a statement that writes its rows may take. Other
 * publications wait no longer than this for one whose process has gone silent.
 */
const PREPARE_LOCK = sql`select set_config('statement_timeout', '5min', true),
  set_config('idle_in_transaction_session_timeout', '15s', true), ${NOTE_MIGRATION}`;
const SET_WRITE_TIMEOUT = sql`set local statement_timeout = '1min'`;
/** Somewhat longer than the server allows: after this time without an answer the connection is lost. */
const LOCK_IDLE_TIMEOUT_MS = 315_000;
const WRITE_IDLE_TIMEOUT_MS = 65_000;

/** Runs the transaction of a publication, with a longer time-out for its large writes. */
export function publicationTransaction<T>(db: Kysely<Schema>, work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
  return withIdleTimeout(WRITE_IDLE_TIMEOUT_MS, () => db.transaction().execute(work));
}

/** Locks the one publication row for the rest of the transaction: no other process publishes meanwhile. */
export async function lockPublication(tx: Kysely<Schema>): Promise<Publication> {
  await PREPARE_LOCK.execute(tx);
  const only = tx.selectFrom('publication').selectAll().forUpdate();
  const row = await withIdleTimeout(LOCK_IDLE_TIMEOUT_MS, () => only.executeTakeFirstOrThrow());
  await SET_WRITE_TIMEOUT.execute(tx);
  return publicationOf(row);
}

type PublicationRow = { version: number; published_at: number | null; updated_at: number | null };

function publicationOf({ version, published_at, updated_at }: PublicationRow): Publication {
  return { version, publishedAt: published_at, updatedAt: updated_at };
}

/** The version readers should hold. Rejects with `DatabaseUnavailable` if the database does not answer soon. */
export async function currentVersion(database: Queryable): Promise<number> {
  const [row] = await database.query<{ version: number }>(VERSION, VERSION_TIMEOUT);
  if (row === undefined) throw new Error('the publication row is missing');
  return row.version;
}

const VERSION = { text: 'select version from publication' };
const VERSION_TIMEOUT = { withinMs: 2_000 };

/** The current version within a transaction. */
export async function publishedVersion(tx: Kysely<Schema>): Promise<number> {
  return (await tx.selectFrom('publication').select('version').executeTakeFirstOrThrow()).version;
}

/**
 * Ends a publication: a new version, announced at commit. `publishedAt` and `updatedAt` never move back. Call it last
 * in the transaction that holds `lockPublication`. `facts`: what `loadFacts` has read after the last change to them; by
 * default it reads them.
 */
export async function completePublication(
  tx: Kysely<Schema>,
  {
    publishedAt,
    updatedAt,
    changedDays,
    facts,
  }: {
    publishedAt: number | null;
    updatedAt: number | null;
    changedDays: readonly DayNumber[];
    facts?: PublishedFacts;
  },
): Promise<number> {
  const instant = (at: number | null) => (at === null ? null : new Date(at));
  const { rows } = await sql<PublicationRow>`
    update publication set version = version + 1,
      published_at = greatest(published_at, ${instant(publishedAt)}::timestamptz),
      updated_at = greatest(updated_at, ${instant(updatedAt)}::timestamptz)
    returning version, published_at, updated_at`.execute(tx);
  const publication = publicationOf(rows[0] as PublicationRow);
  const { version } = publication;
  await storePackedFacts(tx, { ...(facts ?? (await loadFacts(tx))), ...publication });
  await sql`
    insert into changed_days (version, day) select ${version}, unnest(${changedDays.map(dayText)}::date[])
    on conflict do nothing`.execute(tx);
  await tx
    .deleteFrom('changed_days')
    .where('version', '<=', version - CHANGED_DAYS_KEPT)
    .execute();
  await sql`select pg_notify(${PUBLICATION_CHANNEL}, ${String(version)})`.execute(tx);
  return version;
}

/** Past days rewritten by publications after `version` up to the current one; `null` = too far behind to know. */
export async function daysChangedSince(
  db: Kysely<Schema>,
  version: number,
  current: number,
): Promise<DayNumber[] | null> {
  if (current - version >= CHANGED_DAYS_KEPT) return null;
  const rows = await db.selectFrom('changed_days').select('day').distinct().where('version', '>', version).execute();
  return rows.map(({ day }) => dayNumber(day)).sort((a, b) => a - b);
}

/**
 * Runs `work` on the facts of one moment: it does not see later publications. Rejects where the publication is older
 * than `leastVersion`, as on a replica that lags.
 */
export function inReadSnapshot<T>(
  db: Kysely<Schema>,
  work: (tx: Kysely<Schema>) => Promise<T>,
  leastVersion = 0,
): Promise<T> {
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return transaction.execute(async (tx) => {
    const version = leastVersion === 0 ? 0 : await publishedVersion(tx);
    if (version < leastVersion) throw new Error(`it has publication ${version}, and ${leastVersion} was announced`);
    return work(tx);
  });
}
