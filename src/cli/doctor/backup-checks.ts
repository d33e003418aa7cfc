/** Checks backups as the database has recorded them, what took them elsewhere, drills, and the archiving of its log. */
import type { Config } from '../../config/config.ts';
import type { ArchivingStatus } from '../../store/backup/archiving-status.ts';
import type { BackupStatus } from '../../store/backup/backup-runs.ts';
import { durationText, type Finding, fail, pass } from '../reports/finding.ts';
import { problemOf } from '../run-drill.ts';

const DAY_MS = 86_400_000;
/** They are made every night. */
const MAX_AGE_MS = 2 * DAY_MS;
const MAX_DRILL_AGE_MS = 31 * DAY_MS;
const ARCHIVING_CHECK = 'point-in-time recovery';
/** The worker writes every few hours. */
const MAX_SILENCE_MS = DAY_MS;

type BackupConfig = Pick<Config, 'BACKUP_DIR' | 'BACKUP_COMMAND'>;

/** @param now epoch ms */
export function backupFindings(status: BackupStatus, config: BackupConfig, now: number): Finding[] {
  if (config.BACKUP_DIR === null) return [pass('backups', 'none are made by the worker, since BACKUP_DIR is unset')];
  return [...ahead(status, now), backup(status, now), elsewhere(status, config, now), drill(status, now)];
}

function ahead({ ahead: at }: BackupStatus, now: number): Finding[] {
  if (at === null) return [];
  return [
    fail(
      'backups',
      `a backup or drill is recorded ${durationText(at - now)} from now, and is left out until then`,
      'synchronise the machines of the workers by NTP (timedatectl), and the database',
    ),
  ];
}

function backup({ last, failure }: BackupStatus, now: number): Finding {
  const advice = 'is a worker running with this BACKUP_DIR? Read its log';
  const latest = last === null ? 'there is none yet' : `the newest is ${durationText(now - last.startedAt)} old`;
  if (failure !== null)
    return fail(
      'backups',
      `${latest}; the last try, ${durationText(now - failure.at)} ago, failed: ${failure.why}`,
      'mend what the message says; the worker tries again every ten minutes',
    );
  if (last === null || now - last.startedAt > MAX_AGE_MS) return fail('backups', latest, advice);
  return pass('backups', `${latest}, ${(last.bytes / 1e6).toFixed(1)} MB, made in ${last.seconds} s: ${last.file}`);
}

function elsewhere({ last }: BackupStatus, { BACKUP_COMMAND }: BackupConfig, now: number): Finding {
  const check = 'backups elsewhere';
  if (BACKUP_COMMAND === null)
    return pass(check, 'BACKUP_COMMAND is unset: nothing of ours takes them to another place');
  if (last === null) return pass(check, 'there is none to take away yet');
  if (last.sentAt !== null) return pass(check, `the newest was taken there ${durationText(now - last.sentAt)} ago`);
  if (last.sendFailure !== null)
    return fail(
      check,
      `the newest was not taken there: ${last.sendFailure}`,
      'run BACKUP_COMMAND yourself, as the user of the worker; the worker tries again every hour',
    );
  if (now - last.startedAt < DAY_MS) return pass(check, 'the newest is about to be taken there');
  return fail(check, 'the newest was never taken there', 'is a worker running with this BACKUP_COMMAND?');
}

function drill({ last, drill: newest, drillPassedAt }: BackupStatus, now: number): Finding {
  const advice = 'run pompa restore --drill';
  if (newest === null)
    return last === null
      ? pass('drill', 'there is no backup to drill yet')
      : fail('drill', 'there was none yet', advice);
  const when = `the last one was ${durationText(now - newest.startedAt)} ago`;
  const problem = problemOf(newest);
  const passed = drillPassedAt === null ? 'none has passed' : `one passed ${durationText(now - drillPassedAt)} ago`;
  if (problem !== null)
    return fail(
      'drill',
      `${when} and failed: ${problem}; ${passed}`,
      `${advice} again; restore none of these before you know why`,
    );
  if (now - newest.startedAt > MAX_DRILL_AGE_MS) return fail('drill', when, advice);
  return pass('drill', `${when}: ${newest.file} gave the same ${newest.compared.length} answers, ${newest.seconds} s`);
}

/** The archiving of the server's log, on which point-in-time recovery rests. */
export function archivingFinding(status: ArchivingStatus): Finding {
  const { mode, hasMethod, needsRestart, timeoutSeconds, archivedAt, failedAt, now } = status;
  if (mode === 'off') {
    if (!hasMethod && !needsRestart) return pass(ARCHIVING_CHECK, 'not set up: archive_mode is off (docs/BACKUPS.md)');
    const what = needsRestart
      ? 'archive_mode is on only after a restart'
      : 'archive_command is set, but archive_mode is off';
    const advice = needsRestart
      ? 'restart PostgreSQL'
      : 'alter system set archive_mode = on, then restart PostgreSQL (docs/BACKUPS.md)';
    return fail(ARCHIVING_CHECK, `${what}: nothing is archived`, advice);
  }
  if (!hasMethod)
    return fail(
      ARCHIVING_CHECK,
      'archive_mode is on, but neither archive_command nor archive_library is set: the log piles up on the disk',
      'set archive_command (docs/BACKUPS.md)',
    );
  if (failedAt !== null && (archivedAt === null || failedAt > archivedAt))
    return fail(
      ARCHIVING_CHECK,
      `archiving fails, the last time ${durationText(now - failedAt)} ago: the log piles up on the disk`,
      "read PostgreSQL's log; with pgBackRest, pgbackrest check says what is wrong",
    );
  if (archivedAt === null) return pass(ARCHIVING_CHECK, 'archive_mode is on; nothing was archived yet');
  const last = `the last segment was archived ${durationText(now - archivedAt)} ago`;
  if (now - archivedAt > MAX_SILENCE_MS)
    return fail(
      ARCHIVING_CHECK,
      `${last}: later changes would be lost`,
      'alter system set archive_timeout = 300, then select pg_reload_conf()',
    );
  const lost =
    timeoutSeconds === 0 ? 'whenever one is full: set archive_timeout' : `every ${timeoutSeconds} s at the latest`;
  return pass(ARCHIVING_CHECK, `${last}, one follows ${lost}`);
}
