/** Checks the database, and the work that it has recorded. */
import type { Config } from '../../config/config.ts';
import { hasNoDatabase } from '../../config/follower-settings.ts';
import { readArchivingStatus } from '../../store/backup/archiving-status.ts';
import { readBackupStatus } from '../../store/backup/backup-runs.ts';
import { readBillingStatus } from '../../store/billing/billing-status.ts';
import { readFeedProgress } from '../../store/changes/feed-progress.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { DatabaseMisconfigured, messageOf } from '../../store/database-errors.ts';
import { existingHome } from '../../store/embedded/root-data-dir.ts';
import {
  type Activity,
  type DatabaseStatus,
  readActivity,
  readDatabaseStatus,
} from '../../store/maintenance/database-status.ts';
import { readMaintenanceTimes } from '../../store/maintenance/maintenance-times.ts';
import { migrationState } from '../../store/migrations/applied-migrations.ts';
import { mayMigrate, RUN_MIGRATE_AS_OWNER } from '../../store/migrations/migration-rights.ts';
import { readWebhookStatus } from '../../store/webhooks/webhook-status.ts';
import { durationText, type Finding, fail, gigabytes, pass } from '../reports/finding.ts';
import { activityFindings, maintenanceFinding } from './activity-checks.ts';
import { archivingFinding, backupFindings } from './backup-checks.ts';
import { feedFinding, webhooksFinding } from './feed-checks.ts';
import { poolerFindings, withDirectDatabase } from './pooler-checks.ts';
import { connectionsFinding } from './process-checks.ts';
import { replicaFindings } from './replica-checks.ts';
import { billingFindings } from './selling-checks.ts';
import { readRunning, unorderedFinding } from './stripe-checks.ts';

const COMMITS = 'commits';
const MAX_CLOCK_SKEW_MS = 2_000;
const NOT_CHECKED = 'sources, worker, maintenance, backups, push and the feed of changes were not checked';

export type DatabaseCheck = {
  readonly config: Config;
  /** The serving processes on one address that are planned; `null` = none are. */
  readonly processes: number | null;
  readonly open: () => Promise<Database<Schema>>;
  readonly clock: () => number;
};

/** Runs one check after another, as long as the one before allows it. Never rejects. */
export async function databaseFindings({ config, processes, open, clock }: DatabaseCheck): Promise<Finding[]> {
  const findings: Finding[] = [];
  // Stripe and the database take their time beside each other: a slow one costs no finding of the other.
  const runningAtStripe = readRunning(config);
  try {
    if (hasNoDatabase(config)) return [pass('database', 'none: the server at FOLLOW_URL is followed')];
    if (config.DATABASE_URL === null && existingHome(config.DATA_DIR) === null) {
      return [
        fail('database', `there is none yet in ${config.DATA_DIR}; ${NOT_CHECKED}`, 'serve or migrate creates it'),
      ];
    }
    const database = await open();
    try {
      const condition = await readDatabaseStatus(database, clock);
      findings.push(...conditionFindings({ ...condition, isPooled: database.isPooled }, config, processes));
      findings.push(archivingFinding(await readArchivingStatus(database.kysely)));
      const ofPooler = await poolerFindings(config, database);
      findings.push(...ofPooler, await migrationFinding(config, database, !hasFailed('direct address', ofPooler)));
      if (hasFailed('migrations', findings)) return findings;
      findings.push(...(await replicaFindings(config, database)));
      const activity = await readActivity(database, config.SOURCES);
      findings.push(clockFinding(condition, activity, clock()), ...activityFindings(activity, config, clock()));
      findings.push(maintenanceFinding(await readMaintenanceTimes(database.kysely), clock()));
      findings.push(await feedFinding({ read: () => readFeedProgress(database), clock }));
      findings.push(...backupFindings(await readBackupStatus(database.kysely, clock()), config, clock()));
      findings.push(webhooksFinding(await readWebhookStatus(database.kysely)));
      findings.push(...billingFindings(await readBillingStatus(database), config));
      const running = await runningAtStripe;
      if (running !== null) findings.push(await unorderedFinding(running, database.kysely));
    } finally {
      await database.close();
    }
  } catch (error) {
    findings.push(fail('database', `${messageOf(error)}; ${NOT_CHECKED}`, adviceFor(error, config)));
  }
  return findings;
}

function hasFailed(name: string, findings: readonly Finding[]): boolean {
  return findings.some(({ check, ok }) => check === name && !ok);
}

function adviceFor(error: unknown, { DATABASE_URL }: Config): string {
  if (error instanceof DatabaseMisconfigured) return 'do what the message says';
  return DATABASE_URL === null
    ? 'read keeper.log and postgres.log beside the data, and check the disk'
    : 'check that the server runs, that it can be reached from here, and DATABASE_URL';
}

function conditionFindings(
  condition: DatabaseStatus & { readonly isPooled: boolean },
  { DATABASE_URL, DATA_DIR }: Config,
  processes: number | null,
): Finding[] {
  const { version, encoding, timezone, readOnly, bytes } = condition;
  const where = DATABASE_URL === null ? `embedded in ${existingHome(DATA_DIR)}` : 'by DATABASE_URL';
  const detail = `PostgreSQL ${version}, ${where}, ${gigabytes(bytes)}, ${encoding}, time zone ${timezone} (ours is UTC)`;
  return [
    readOnly
      ? readOnlyFinding(condition, detail)
      : encoding !== 'UTF8'
        ? fail('database', `${detail}; the encoding must be UTF8`, 'create a new database with encoding UTF8')
        : pass('database', detail),
    commitsFinding(condition),
    connectionsFinding(condition, processes),
  ];
}

function readOnlyFinding({ isStandby }: DatabaseStatus, detail: string): Finding {
  return isStandby
    ? fail(
        'database',
        `${detail}; it is a standby, which stores nothing`,
        'point DATABASE_URL to the primary server, or to a proxy that follows it (docs/HIGH-AVAILABILITY.md)',
      )
    : fail(
        'database',
        `${detail}; it is read-only`,
        'reset default_transaction_read_only of the role and the database',
      );
}

/** Whether what was answered as counted or stored survives a crash, and the loss of the server. */
function commitsFinding({ synchronousCommit, hasSynchronousStandby }: DatabaseStatus): Finding {
  const advice = 'set it to on, for the role, the database and the server (docs/HIGH-AVAILABILITY.md)';
  if (synchronousCommit === 'off')
    return fail(COMMITS, 'synchronous_commit is off: a crash of the server loses accepted counts', advice);
  if (synchronousCommit === 'local' && hasSynchronousStandby)
    return fail(COMMITS, 'synchronous_commit is local: a fail-over to a standby loses accepted counts', advice);
  const kept = hasSynchronousStandby ? 'a crash, and a fail-over to the synchronous standby' : 'a crash';
  return pass(COMMITS, `synchronous_commit is ${synchronousCommit}: accepted counts survive ${kept}`);
}

/** @param isDirectUsable whether the direct address leads to the server, where one is set. */
async function migrationFinding(config: Config, database: Database<Schema>, isDirectUsable: boolean): Promise<Finding> {
  try {
    const { pending, newer } = await migrationState(database);
    const alsoNewer =
      newer.length === 0 ? '' : `, and of a newer release ${newer.join(', ')}: back up with that release`;
    if (pending.length === 0) return pass('migrations', `all are applied${alsoNewer}`);
    return fail(
      'migrations',
      `not applied yet: ${pending.join(', ')}; ${NOT_CHECKED}`,
      await howToMigrate(config, database, isDirectUsable),
    );
  } catch (error) {
    if (!(error instanceof DatabaseMisconfigured)) throw error;
    return fail('migrations', `${error.message}; ${NOT_CHECKED}`, 'use the version of Pompa that fits the database');
  }
}

/** By the role that would apply what is pending: where a direct address is set, that of this one. */
async function howToMigrate(
  { DATABASE_DIRECT_URL: direct, DATA_DIR: dataDir }: Config,
  database: Database<Schema>,
  isDirectUsable: boolean,
): Promise<string> {
  const ofDirect = async (url: string) =>
    isDirectUsable ? withDirectDatabase(url, dataDir, mayMigrate).catch(() => null) : null;
  const may = await (direct === null ? mayMigrate(database) : ofDirect(direct));
  if (may === null)
    return 'first correct DATABASE_DIRECT_URL, or make it reachable (see direct address): migrations are applied there';
  return may ? 'run pompa migrate, or start serve' : RUN_MIGRATE_AS_OWNER;
}

/** Limits and leases use the database's clock, price verdicts use each process's own. */
function clockFinding({ clockOffsetMs, marginMs }: DatabaseStatus, { publishedAt }: Activity, now: number): Finding {
  const skewMs = Math.max(0, Math.abs(clockOffsetMs) - marginMs);
  const direction = clockOffsetMs > 0 ? 'behind' : 'ahead of';
  const advice = 'synchronise both machines by NTP (timedatectl)';
  if (skewMs > MAX_CLOCK_SKEW_MS)
    return fail('clock', `ours is ${durationText(skewMs)} ${direction} the database's`, advice);
  if (publishedAt !== null && publishedAt > now + 600_000) {
    return fail('clock', `the newest data are dated ${durationText(publishedAt - now)} from now`, advice);
  }
  return pass('clock', `within ${Math.ceil((skewMs + marginMs) / 10) / 100} s of the database's`);
}
