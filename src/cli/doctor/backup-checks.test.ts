/** What doctor says of backups, each misconfigured on purpose. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { type ArchivingStatus, readArchivingStatus } from '../../store/backup/archiving-status.ts';
import type { BackupStatus, Drill, GoodBackup } from '../../store/backup/backup-runs.ts';
import { backupName } from '../../worker/backups/backup-folder.ts';
import { ensureInstallationId } from '../../worker/backups/installation-id.ts';
import type { Finding } from '../reports/finding.ts';
import { archivingFinding, backupFindings } from './backup-checks.ts';
import { backupFolderFindings, spaceFinding } from './backup-folder-checks.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FILE = 'pompa-20261120T000005Z.backup';

const GOOD: GoodBackup = {
  ...{
    id: 1,
    startedAt: NOW - 10 * HOUR,
    seconds: 9.5,
    file: FILE,
    bytes: 11_000_000,
    rows: 5,
    sentAt: NOW - 9 * HOUR,
  },
  ...{ sendTriedAt: NOW - 9 * HOUR, sendFailure: null },
  answers: { now: NOW, program: '1', ranges: DEFAULT_RANGES, inService: null, answers: {} },
};
const DRILL: Drill = {
  ...{ startedAt: NOW - 3 * DAY, seconds: 12, file: FILE, compared: ['keys', 'usage'], differences: [], failure: null },
};
const HEALTHY: BackupStatus = {
  last: GOOD,
  lastSentAt: GOOD.sentAt,
  failure: null,
  drill: DRILL,
  drillPassedAt: DRILL.startedAt,
  ahead: null,
};
const CONFIG = { BACKUP_DIR: '/srv/backups', BACKUP_COMMAND: ['rclone', 'copy', '{}', 'away:'] };

const line = ({ check, ok, detail, advice }: Finding) =>
  `${ok ? 'ok' : 'BAD'} ${check}: ${detail}${advice === null ? '' : ` -> ${advice}`}`;
const bad = (status: Partial<BackupStatus>, config = CONFIG) =>
  backupFindings({ ...HEALTHY, ...status }, config, NOW)
    .filter(({ ok }) => !ok)
    .map(line);

describe('doctor says of the backups', () => {
  test('how old the newest is, where it was taken, and when the last drill was', () => {
    assert.deepEqual(backupFindings(HEALTHY, CONFIG, NOW).map(line), [
      `ok backups: the newest is 10 hours old, 11.0 MB, made in 9.5 s: ${FILE}`,
      'ok backups elsewhere: the newest was taken there 9 hours ago',
      `ok drill: the last one was 3 days ago: ${FILE} gave the same 2 answers, 12 s`,
    ]);
    assert.deepEqual(backupFindings(HEALTHY, { BACKUP_DIR: null, BACKUP_COMMAND: null }, NOW).map(line), [
      'ok backups: none are made by the worker, since BACKUP_DIR is unset',
    ]);
  });

  test('that none was made for two days, or that the last try failed, and why', () => {
    const worker = 'is a worker running with this BACKUP_DIR? Read its log';
    assert.deepEqual(bad({ last: { ...GOOD, startedAt: NOW - 49 * HOUR } }), [
      `BAD backups: the newest is 2 days old -> ${worker}`,
    ]);
    assert.deepEqual(bad({ last: null, drill: null, drillPassedAt: null }), [
      `BAD backups: there is none yet -> ${worker}`,
    ]);
    assert.deepEqual(bad({ failure: { at: NOW - 60_000 * 4, why: '/srv/x cannot be written: the disk is full' } }), [
      'BAD backups: the newest is 10 hours old; the last try, 4 minutes ago, failed: /srv/x cannot be written: the disk is full -> mend what the message says; the worker tries again every ten minutes',
    ]);
  });

  test('that one is recorded in the future', () => {
    assert.deepEqual(bad({ ahead: NOW + 3 * DAY }), [
      'BAD backups: a backup or drill is recorded 3 days from now, and is left out until then -> synchronise the machines of the workers by NTP (timedatectl), and the database',
    ]);
  });

  test('that the newest was not taken elsewhere', () => {
    const unsent = { ...GOOD, sentAt: null, sendFailure: 'rclone ended with 3: no space' };
    assert.deepEqual(bad({ last: unsent }), [
      'BAD backups elsewhere: the newest was not taken there: rclone ended with 3: no space -> run BACKUP_COMMAND yourself, as the user of the worker; the worker tries again every hour',
    ]);
    const untried = { ...unsent, sendFailure: null, sendTriedAt: null };
    assert.deepEqual(bad({ last: untried }), []);
    assert.match(
      bad({ last: { ...untried, startedAt: NOW - 25 * HOUR } }).join(),
      /^BAD backups elsewhere: .*never taken there/,
    );
  });

  test('that there was no drill for a month, or that one failed or found other answers', () => {
    assert.deepEqual(bad({ drill: null, drillPassedAt: null }), [
      'BAD drill: there was none yet -> run pompa restore --drill',
    ]);
    assert.deepEqual(bad({ drill: { ...DRILL, startedAt: NOW - 32 * DAY } }), [
      'BAD drill: the last one was 32 days ago -> run pompa restore --drill',
    ]);
    assert.match(
      bad({ drill: { ...DRILL, differences: ['/statii', 'keys'] } }).join(),
      /^BAD drill: the last one was 3 days ago and failed: other answers than at its moment: \/statii, keys; one passed 3 days ago -> run pompa restore --drill again/,
    );
    assert.match(
      bad({ drill: { ...DRILL, failure: 'it is damaged' }, drillPassedAt: null }).join(),
      /failed: it is damaged; none has passed/,
    );
  });
});

describe('doctor says of this machine', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-checks-'));
  after(() => rmSync(folder, { recursive: true }));
  const place = path.join(folder, 'backups');
  const check = async (more: object = {}) =>
    (await backupFolderFindings({ DATA_DIR: folder, BACKUP_DIR: place, BACKUP_COMMAND: null, ...more }, folder)).map(
      line,
    );

  test('that the folder does not exist, is a file, or is open to others', async () => {
    const advice = 'create it for the user that the worker runs as (mode 0700), or mount its disk';
    assert.deepEqual(await check(), [`BAD backup folder: ${place} does not exist -> ${advice}`]);
    writeFileSync(place, '');
    assert.match((await check()).join(), /^BAD backup folder: .* cannot be written to: .*ENOTDIR/);
    rmSync(place);
    mkdirSync(place, { mode: 0o700 });
    assert.match(
      (await check()).join(),
      /^ok backup folder: .* are free at .*; it is on the disk of DATA_DIR, which no backup there survives$/,
    );
    chmodSync(place, 0o777);
    assert.deepEqual(await check(), [
      `BAD backup folder: other users of this machine can write to ${place} -> chmod go-w ${place}`,
    ]);
  });

  test('that the folder also has backups of another installation', async () => {
    const [elsewhere, dataDir] = [path.join(folder, 'shared'), path.join(folder, 'data')];
    mkdirSync(elsewhere, { mode: 0o700 });
    const own = backupName(await ensureInstallationId(dataDir), NOW);
    const shared = { BACKUP_DIR: elsewhere, DATA_DIR: dataDir };
    writeFileSync(path.join(elsewhere, own), '');
    assert.equal((await check(shared)).length, 1);
    writeFileSync(path.join(elsewhere, FILE), '');
    const theirs = backupName(await ensureInstallationId(path.join(folder, 'other')), NOW);
    writeFileSync(path.join(elsewhere, theirs), '');
    const [first] = [theirs, FILE].sort();
    assert.equal(
      (await check(shared)).at(-1),
      `BAD backup folder: ${elsewhere} has backups of another installation, of another DATA_DIR or of a release up to 0.2.0, which are never deleted: ${first} and 1 more -> set BACKUP_DIR to a folder of its own for each installation, and delete those that nobody needs`,
    );
  });

  test('that the folder is on a full disk', () => {
    assert.equal(
      line(spaceFinding('/srv/backups', 200_000_000, false)),
      'BAD backup folder: only 0.20 GB are free at /srv/backups -> free some space there, or set BACKUP_KEEP to fewer',
    );
  });

  test('that the program of BACKUP_COMMAND is not there', async () => {
    const program = path.join(folder, 'send');
    const found = async (name: string) => (await check({ BACKUP_COMMAND: [name, '{}'] })).at(-1);
    const advice = 'install it, or name it with its whole path';
    assert.equal(await found('send'), `BAD BACKUP_COMMAND: there is no program send that may be run -> ${advice}`);
    writeFileSync(program, '', { mode: 0o600 });
    assert.match((await found(program)) ?? '', /^BAD BACKUP_COMMAND/);
    chmodSync(program, 0o700);
    assert.equal(await found('send'), `ok BACKUP_COMMAND: runs ${program}`);
  });
});

describe('doctor says of archiving', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());
  const WORKING: ArchivingStatus = {
    ...{ mode: 'on', needsRestart: false, hasMethod: true, timeoutSeconds: 300 },
    ...{ archivedAt: NOW - 240_000, failedAt: null, now: NOW },
  };
  const said = (status: Partial<ArchivingStatus>) => line(archivingFinding({ ...WORKING, ...status }));

  test('what any user may see on a server without it', async () => {
    const status = await readArchivingStatus(database.kysely);
    assert.equal(
      line(archivingFinding(status)),
      'ok point-in-time recovery: not set up: archive_mode is off (docs/BACKUPS.md)',
    );
  });

  test('what is wrong with it', () => {
    assert.equal(
      said({}),
      'ok point-in-time recovery: the last segment was archived 4 minutes ago, one follows every 300 s at the latest',
    );
    const off =
      /^BAD .*archive_command is set, but archive_mode is off: nothing is archived -> alter system set archive_mode = on/;
    assert.match(said({ mode: 'off' }), off);
    assert.match(
      said({ mode: 'off', needsRestart: true }),
      /^BAD .*only after a restart: nothing is archived -> restart PostgreSQL$/,
    );
    assert.match(
      said({ hasMethod: false }),
      /^BAD .*neither archive_command nor archive_library is set: the log piles up/,
    );
    assert.match(said({ failedAt: NOW - 120_000 }), /^BAD .*archiving fails, the last time 2 minutes ago/);
    assert.match(
      said({ archivedAt: NOW - 2 * DAY }),
      /^BAD .*2 days ago: later changes would be lost -> .*archive_timeout/,
    );
  });
});
