/** The tables of backups and drills as Kysely sees them. */
import type { ColumnType, Generated } from 'kysely';
import type { BackupAnswers } from '../../../domain/backup-answers.ts';
import type { Instant, MaybeInstant } from './column-types.ts';

export type BackupSchema = {
  backup_runs: {
    id: Generated<number>;
    started_at: Instant;
    finished_at: Instant;
    failure: string | null;
    file: string | null;
    bytes: number | null;
    row_count: number | null;
    answers: ColumnType<BackupAnswers | null, string | null, string | null>;
    sent_at: MaybeInstant;
    send_tried_at: MaybeInstant;
    send_failure: string | null;
  };
  restore_drills: {
    id: Generated<number>;
    started_at: Instant;
    finished_at: Instant;
    file: string;
    compared: string[];
    differences: string[];
    failure: string | null;
  };
};
