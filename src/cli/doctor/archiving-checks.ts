/** Checks the archiving of the server's log, on which point-in-time recovery rests. */
import type { ArchivingStatus } from '../../store/backup/archiving-status.ts';
import { durationText, type Finding, fail, pass } from './finding.ts';

const CHECK = 'point-in-time recovery';
/** The worker writes every few hours. */
const MAX_SILENCE_MS = 86_400_000;

export function archivingFinding(status: ArchivingStatus): Finding {
  const { mode, hasMethod, needsRestart, timeoutSeconds, archivedAt, failedAt, now } = status;
  if (mode === 'off') {
    if (!hasMethod && !needsRestart) return pass(CHECK, 'not set up: archive_mode is off (docs/BACKUPS.md)');
    const what = needsRestart
      ? 'archive_mode is on only after a restart'
      : 'archive_command is set, but archive_mode is off';
    const advice = needsRestart
      ? 'restart PostgreSQL'
      : 'alter system set archive_mode = on, then restart PostgreSQL (docs/BACKUPS.md)';
    return fail(CHECK, `${what}: nothing is archived`, advice);
  }
  if (!hasMethod)
    return fail(
      CHECK,
      'archive_mode is on, but neither archive_command nor archive_library is set: the log piles up on the disk',
      'set archive_command (docs/BACKUPS.md)',
    );
  if (failedAt !== null && (archivedAt === null || failedAt > archivedAt))
    return fail(
      CHECK,
      `archiving fails, the last time ${durationText(now - failedAt)} ago: the log piles up on the disk`,
      "read PostgreSQL's log; with pgBackRest, pgbackrest check says what is wrong",
    );
  if (archivedAt === null) return pass(CHECK, 'archive_mode is on; nothing was archived yet');
  const last = `the last segment was archived ${durationText(now - archivedAt)} ago`;
  if (now - archivedAt > MAX_SILENCE_MS)
    return fail(
      CHECK,
      `${last}: later changes would be lost`,
      'alter system set archive_timeout = 300, then select pg_reload_conf()',
    );
  const lost =
    timeoutSeconds === 0 ? 'whenever one is full: set archive_timeout' : `every ${timeoutSeconds} s at the latest`;
  return pass(CHECK, `${last}, one follows ${lost}`);
}
