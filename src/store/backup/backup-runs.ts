/** What was backed up, sent elsewhere and drilled, and when. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { BackupAnswers } from '../../domain/backup-answers.ts';
import type { Schema } from '../connection/schema.ts';
import type { BackupSchema } from '../connection/tables/backup-schema.ts';

/** A backup that was restored for a check. */
export type GoodBackup = {
  readonly id: number;
  /** The moment of its data, epoch ms. */
  readonly startedAt: number;
  readonly seconds: number;
  /** Its name in the folder of backups. */
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  readonly answers: BackupAnswers;
  /** When it was sent elsewhere, when that was tried last, and why it failed; epoch ms. */
  readonly sentAt: number | null;
  readonly sendTriedAt: number | null;
  readonly sendFailure: string | null;
};

export type Drill = {
  /** Epoch ms. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly file: string;
  readonly compared: readonly string[];
  readonly differences: readonly string[];
  readonly failure: string | null;
};

export type BackupStatus = {
  readonly last: GoodBackup | null;
  /** When a backup was last sent elsewhere, not always the newest; epoch ms. */
  readonly lastSentAt: number | null;
  /** The newest try, if it failed. */
  readonly failure: { readonly at: number; readonly why: string } | null;
  readonly drill: Drill | null;
  /** When a drill last passed, epoch ms. */
  readonly drillPassedAt: number | null;
  /** The latest moment recorded by a clock that was ahead, epoch ms: such runs and drills are left out above. */
  readonly ahead: number | null;
};

/** Runs and drills are forgotten then. */
const OLDEST = sql<number>`clock_timestamp() - interval '400 days'`;
const MAX_REASON_LENGTH = 500;
/** Clocks of several machines differ, and are set back a little. */
const MAX_AHEAD_MS = 600_000;

/** As of a moment, epoch ms. */
export async function readBackupStatus(db: Kysely<Schema>, now: number): Promise<BackupStatus> {
  const latestMs = now + MAX_AHEAD_MS;
  const latest = sql<number>`${new Date(latestMs)}::timestamptz`;
  const last = await goodBackups(db).where('started_at', '<=', latest).limit(1).executeTakeFirst();
  const newest = await db
    .selectFrom('backup_runs')
    .select(['started_at', 'failure'])
    .where('started_at', '<=', latest)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const sent = await db
    .selectFrom('backup_runs')
    .select((eb) => eb.fn.max('sent_at').as('at'))
    .where('sent_at', '<=', latest)
    .executeTakeFirst();
  const drills = db
    .selectFrom('restore_drills')
    .selectAll()
    .where('started_at', '<=', latest)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc');
  const drill = await drills.limit(1).executeTakeFirst();
  const passed = await drills
    .where('failure', 'is', null)
    .where('differences', '=', sql<string[]>`'{}'`)
    .limit(1)
    .executeTakeFirst();
  return {
    last: last === undefined ? null : goodBackup(last),
    lastSentAt: sent?.at ?? null,
    failure: newest?.failure ? { at: newest.started_at, why: newest.failure } : null,
    drill: drill === undefined ? null : drillOf(drill),
    drillPassedAt: passed?.started_at ?? null,
    ahead: await latestAfter(db, latestMs),
  };
}

async function latestAfter(db: Kysely<Schema>, latestMs: number): Promise<number | null> {
  const newest = await db
    .selectFrom('backup_runs')
    .select('started_at')
    .unionAll(db.selectFrom('restore_drills').select('started_at'))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && newest.started_at > latestMs ? newest.started_at : null;
}

/** The good backups, newest first. */
export async function listGoodBackups(db: Kysely<Schema>): Promise<GoodBackup[]> {
  return (await goodBackups(db).execute()).map(goodBackup);
}

function goodBackups(db: Kysely<Schema>) {
  return db
    .selectFrom('backup_runs')
    .selectAll()
    .where('failure', 'is', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc');
}

export type BackupOutcome = Pick<GoodBackup, 'file' | 'bytes' | 'rows' | 'answers'> | { readonly failure: string };

/** Times in epoch ms. Forgets what is older than 400 days. */
export async function recordBackup(
  db: Kysely<Schema>,
  { startedAt, finishedAt }: { readonly startedAt: number; readonly finishedAt: number },
  outcome: BackupOutcome,
): Promise<void> {
  const result =
    'failure' in outcome
      ? { failure: outcome.failure.slice(0, MAX_REASON_LENGTH) }
      : {
          ...{ file: outcome.file, bytes: outcome.bytes, row_count: outcome.rows },
          answers: JSON.stringify(outcome.answers),
        };
  const times = { started_at: new Date(startedAt), finished_at: new Date(finishedAt) };
  await db
    .insertInto('backup_runs')
    .values({ ...times, ...result })
    .execute();
  await db.deleteFrom('backup_runs').where('started_at', '<', OLDEST).execute();
  await db.deleteFrom('restore_drills').where('started_at', '<', OLDEST).execute();
}

/** Records that a backup was sent elsewhere; `failure` = why it was not. `at` in epoch ms. */
export async function recordSending(db: Kysely<Schema>, id: number, at: number, failure: string | null): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({
      send_tried_at: new Date(at),
      send_failure: failure?.slice(0, MAX_REASON_LENGTH) ?? null,
      ...(failure === null && { sent_at: new Date(at) }),
    })
    .where('id', '=', id)
    .execute();
}

export async function recordDrill(db: Kysely<Schema>, drill: Drill): Promise<void> {
  await db
    .insertInto('restore_drills')
    .values({
      ...{ started_at: new Date(drill.startedAt), finished_at: new Date(drill.startedAt + drill.seconds * 1_000) },
      ...{ file: drill.file, compared: [...drill.compared], differences: [...drill.differences] },
      failure: drill.failure?.slice(0, MAX_REASON_LENGTH) ?? null,
    })
    .execute();
}

function goodBackup(row: Selectable<BackupSchema['backup_runs']>): GoodBackup {
  return {
    ...{ id: row.id, startedAt: row.started_at, seconds: (row.finished_at - row.started_at) / 1_000 },
    ...{ file: row.file as string, bytes: row.bytes as number, rows: row.row_count as number },
    ...{ answers: row.answers as BackupAnswers, sentAt: row.sent_at },
    ...{ sendTriedAt: row.send_tried_at, sendFailure: row.send_failure },
  };
}

function drillOf(row: Selectable<BackupSchema['restore_drills']>): Drill {
  return {
    ...{ startedAt: row.started_at, seconds: (row.finished_at - row.started_at) / 1_000, file: row.file },
    ...{ compared: row.compared, differences: row.differences, failure: row.failure },
  };
}
