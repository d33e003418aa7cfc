/** Checks the folder of the nightly backups and the program that takes them elsewhere, on this machine. */
import { accessSync, constants, statSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { codeOf, messageOf } from '../../store/database-errors.ts';
import { backupsOfOthers } from '../../worker/backups/backup-folder.ts';
import { readInstallationId } from '../../worker/backups/installation-id.ts';
import { type Finding, fail, gigabytes, pass } from '../reports/finding.ts';

/** Some backups of a year of data, and a new one beside them. */
const MIN_FREE_BYTES = 500_000_000;

const FOLDER = 'backup folder';

type BackupConfig = Pick<Config, 'BACKUP_DIR' | 'BACKUP_COMMAND' | 'DATA_DIR'>;

/** Never rejects. */
export async function backupFolderFindings(config: BackupConfig, search = process.env.PATH ?? ''): Promise<Finding[]> {
  const { BACKUP_DIR, BACKUP_COMMAND } = config;
  if (BACKUP_DIR === null) return [];
  const program = BACKUP_COMMAND?.[0];
  return [
    await folder(BACKUP_DIR, config),
    ...(await others(BACKUP_DIR, config)),
    ...(program === undefined ? [] : [command(program, search, BACKUP_DIR)]),
  ];
}

/** Backups that this installation never deletes, with all personal data in them. */
async function others(place: string, { DATA_DIR }: BackupConfig): Promise<Finding[]> {
  const installation = await readInstallationId(DATA_DIR).catch(() => null);
  const names = await backupsOfOthers(place, installation).catch(() => []);
  const [first] = names;
  if (first === undefined) return [];
  const which = names.length === 1 ? first : `${first} and ${names.length - 1} more`;
  return [
    fail(
      FOLDER,
      `${place} has backups of another installation, of another DATA_DIR or of a release up to 0.2.0, which are never deleted: ${which}`,
      'set BACKUP_DIR to a folder of its own for each installation, and delete those that nobody needs',
    ),
  ];
}

async function folder(place: string, { BACKUP_COMMAND, DATA_DIR }: BackupConfig): Promise<Finding> {
  try {
    await rm(await mkdtemp(path.join(place, '.doctor-')), { recursive: true });
    const found = statSync(place);
    if ((found.mode & 0o022) !== 0)
      return fail(FOLDER, `other users of this machine can write to ${place}`, `chmod go-w ${place}`);
    const { bavail, bsize } = await statfs(place);
    const alone = BACKUP_COMMAND === null && statSync(DATA_DIR, { throwIfNoEntry: false })?.dev === found.dev;
    return spaceFinding(place, bavail * bsize, alone);
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be written to: ${messageOf(error)}`;
    return fail(
      FOLDER,
      `${place} ${why}`,
      'create it for the user that the worker runs as (mode 0700), or mount its disk',
    );
  }
}

/** @param alone whether it is on the disk of DATA_DIR, and nothing takes the backups elsewhere */
export function spaceFinding(place: string, freeBytes: number, alone: boolean): Finding {
  const free = `${gigabytes(freeBytes)} are free at ${place}`;
  if (freeBytes < MIN_FREE_BYTES)
    return fail(FOLDER, `only ${free}`, 'free some space there, or set BACKUP_KEEP to fewer');
  return pass(FOLDER, `${free}${alone ? '; it is on the disk of DATA_DIR, which no backup there survives' : ''}`);
}

function command(program: string, search: string, cwd: string): Finding {
  const check = 'BACKUP_COMMAND';
  const places = program.includes('/')
    ? [path.resolve(cwd, program)]
    : search.split(path.delimiter).map((each) => path.join(each, program));
  const found = places.find(isExecutable);
  if (found !== undefined) return pass(check, `runs ${found}`);
  return fail(check, `there is no program ${program} that may be run`, 'install it, or name it with its whole path');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
