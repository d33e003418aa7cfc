/** Checks the files on disk, and the free space. */
import { type Dirent, existsSync, statSync } from 'node:fs';
import { access, constants, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { trialLeftovers } from '../../store/backup/trial-leftovers.ts';
import { codeOf, messageOf } from '../../store/database-errors.ts';
import { existingHome, setAsideHomes } from '../../store/embedded/root-data-dir.ts';
import { readLastGood } from '../../store/prices/last-good.ts';
import { type Finding, fail, gigabytes, pass } from '../reports/finding.ts';

/** A day of archives and the growth of the database need a tenth of it. */
const MIN_FREE_BYTES = 1e9;

/** Checks the folders of DATA_DIR and of the embedded database. Never rejects. */
export async function diskFindings({ DATA_DIR }: { DATA_DIR: string }): Promise<Finding[]> {
  const checks = [folder(DATA_DIR), disk(DATA_DIR), archive(DATA_DIR), lastGood(DATA_DIR)];
  return [...(await Promise.all(checks)).flat(), ...setAside(DATA_DIR), ...(await killedTrials())];
}

/** Databases that outlived their DATA_DIR, with all personal data in them. */
function setAside(dataDir: string): Finding[] {
  try {
    return setAsideHomes(dataDir).map((folder) =>
      fail(
        'earlier data',
        `${folder} holds the database of a DATA_DIR that was deleted`,
        `to delete it: rm -r ${folder}`,
      ),
    );
  } catch {
    // The check of the database reports an invalid descriptor.
    return [];
  }
}

/** Databases of nightly backups, drills and `restore --check` that a kill left behind. */
async function killedTrials(): Promise<Finding[]> {
  const folders = await trialLeftovers(Date.now()).catch(() => []);
  return folders.map((folder) =>
    fail(
      'earlier data',
      `${folder} is left of a killed nightly backup, drill or restore --check`,
      'the next one removes it',
    ),
  );
}

async function folder(dataDir: string): Promise<Finding> {
  try {
    if (existsSync(dataDir)) {
      await rm(await mkdtemp(path.join(dataDir, '.doctor-')), { recursive: true });
      return pass('data folder', `${dataDir} is writable`);
    }
    await access(nearestExisting(dataDir), constants.W_OK);
    return pass('data folder', `${dataDir} does not exist yet and can be created`);
  } catch (error) {
    return fail('data folder', `${dataDir} cannot be written to: ${messageOf(error)}`, accessAdvice(error, dataDir));
  }
}

/** What to do where the system refuses to write to the folder. */
function accessAdvice(error: unknown, dataDir: string): string {
  if (codeOf(error) === 'EROFS')
    return `mount a volume there, or list it in ReadWritePaths= of the systemd unit: its file system is read-only`;
  const user = process.getuid === undefined ? 'the user that Pompa runs as' : `user ${process.getuid()}`;
  return `make ${user} its owner (chown -R ${process.getuid?.() ?? 'USER'} ${dataDir}), or set DATA_DIR to another folder`;
}

/** The folder itself, or its nearest existing parent. */
function nearestExisting(folder: string): string {
  let existing = folder;
  while (!existsSync(existing)) existing = path.dirname(existing);
  return existing;
}

async function disk(dataDir: string): Promise<Finding[]> {
  const folders = [dataDir, databaseFolder(dataDir)].map(nearestExisting);
  const devices = new Map(folders.reverse().map((place) => [statSync(place).dev, place]));
  const found = await Promise.all([...devices.values()].map(spaceFinding));
  return found.filter((finding) => finding !== null);
}

/** The folder of the embedded database, which may lie on a disk of its own. */
function databaseFolder(dataDir: string): string {
  try {
    return existingHome(dataDir) ?? dataDir;
  } catch {
    return dataDir;
  }
}

async function spaceFinding(place: string): Promise<Finding | null> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(place).catch(() => UNKNOWN_DISK);
  if (blocks === 0) return null;
  const detail = `${gigabytes(bavail * bsize)} of ${gigabytes(blocks * bsize)} are free at ${place}`;
  const advice = 'free some space: a full disk stops collections; the archive holds 30 days of raw answers';
  if (bavail * bsize < MIN_FREE_BYTES) return fail('disk', detail, advice);
  if (files > 0 && ffree < 1_000) return fail('disk', `only ${ffree} more files can be created at ${place}`, advice);
  return pass('disk', detail);
}

const UNKNOWN_DISK = { bavail: 0, blocks: 0, bsize: 0, files: 0, ffree: 0 };

async function archive(dataDir: string): Promise<Finding> {
  const root = path.join(dataDir, 'archive');
  try {
    const entries = existsSync(root) ? await readdir(root, { recursive: true, withFileTypes: true }) : [];
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(sizeOf));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    return pass('archive', files.length === 0 ? 'empty' : `${files.length} runs, ${gigabytes(bytes)}`);
  } catch (error) {
    return fail('archive', `${root} cannot be read: ${messageOf(error)}`, 'make the user that Pompa runs as its owner');
  }
}

/** 0 for a file that was removed in the meantime. */
async function sizeOf({ parentPath, name }: Dirent): Promise<number> {
  return (await stat(path.join(parentPath, name)).catch(() => ({ size: 0 }))).size;
}

async function lastGood(dataDir: string): Promise<Finding> {
  const damage: string[] = [];
  const kept = await readLastGood(dataDir, (why) => damage.push(why)).catch((error) => {
    damage.push(messageOf(error));
    return null;
  });
  const [why] = damage;
  if (kept !== null && why === undefined) return pass('last good state', `version ${kept.facts.version}, intact`);
  if (why === undefined) return pass('last good state', 'none yet; serve writes it after each publication');
  if (/\b(EACCES|EPERM)\b/.test(why)) return fail('last good state', why, 'see the check of the data folder');
  return fail('last good state', why, `remove ${dataDir}/last-good.*: serve writes them after the next publication`);
}
