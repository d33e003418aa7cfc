/** Compares what npm installed with the lockfile. Imports no package: this also runs where none is installed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

type LockedPackage = {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly devOptional?: true;
};

/**
 * How the packages in `node_modules` differ from `package-lock.json`, as a sentence for the operator; `null` = they do
 * not. Packages of other platforms may be absent, and those that only developers need unless `development` is set.
 * npm keeps the record of what it installed in `node_modules/.package-lock.json`, with or without `--omit=dev`.
 */
export function packageMismatch(root: string, { development = false } = {}): string | null {
  const installed = readPackages(path.join(root, 'node_modules/.package-lock.json'));
  const locked = readPackages(path.join(root, 'package-lock.json'));
  const advice = `run npm ci --omit=dev in ${root} while nothing runs from there`;
  if (installed === null) return `no packages are installed in ${root}: ${advice}`;
  if (locked === null) return `${path.join(root, 'package-lock.json')} cannot be read`;
  for (const [place, wanted] of Object.entries(locked)) {
    const difference = place === '' ? null : differenceOf(wanted, installed[place], development);
    if (difference === null) continue;
    return `the packages in ${root} are not those of package-lock.json (${place} ${difference}): ${advice}`;
  }
  return null;
}

function differenceOf(wanted: LockedPackage, found: LockedPackage | undefined, development: boolean): string | null {
  if (found === undefined) {
    const mayBeAbsent = wanted.optional || wanted.devOptional || (wanted.dev && !development);
    return mayBeAbsent ? null : 'is missing';
  }
  if (found.version !== wanted.version) return `is ${found.version}, not ${wanted.version}`;
  return found.integrity === wanted.integrity ? null : 'has other contents';
}

/** By folder, `node_modules/NAME`; `null` = there is no such file, or it is no lockfile. */
function readPackages(file: string): Readonly<Record<string, LockedPackage>> | null {
  try {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages?: Record<string, LockedPackage> };
    return packages ?? null;
  } catch {
    return null;
  }
}
