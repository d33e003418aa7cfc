/** Whether the server archives its log for point-in-time recovery, as far as any user may see. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

export type ArchivingStatus = {
  /** `off`, `on` or `always`, as it is now. */
  readonly mode: string;
  /** Whether another mode is set that only a restart of the server brings. */
  readonly needsRestart: boolean;
  /** Whether a command or library for archiving is set, in whatever mode. */
  readonly hasMethod: boolean;
  /** Longest time until a segment is archived, seconds; 0 = until it is full. */
  readonly timeoutSeconds: number;
  /** Epoch ms by the server's clock; `null` = never since its statistics were reset. */
  readonly archivedAt: number | null;
  readonly failedAt: number | null;
  readonly now: number;
};

export async function readArchivingStatus(db: Kysely<Schema>): Promise<ArchivingStatus> {
  // What SHOW gives for the command while the mode is off is not what is set.
  const { rows } = await sql<ArchivingStatus>`
    select current_setting('archive_mode') as mode,
      (select pending_restart from pg_settings where name = 'archive_mode') as "needsRestart",
      exists (select from pg_settings
        where name in ('archive_command', 'archive_library') and coalesce(reset_val, '') <> '') as "hasMethod",
      (select setting::int from pg_settings where name = 'archive_timeout') as "timeoutSeconds",
      last_archived_time as "archivedAt", last_failed_time as "failedAt", clock_timestamp() as now
    from pg_stat_archiver`.execute(db);
  return rows[0] as ArchivingStatus;
}
