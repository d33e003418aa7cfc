/** The browsers of this machine: Debian's Chromium and Firefox, or what stands in for them elsewhere; and Java. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The programs of each browser, of which the first one found is used; Java runs the Nu HTML checker. */
const PROGRAMS = {
  chromium: ['chromium', 'google-chrome'],
  firefox: ['firefox-esr', 'firefox'],
  java: ['java'],
} as const;
type BrowserName = keyof typeof PROGRAMS;
/** The packages of Debian that have the first of them. */
const PACKAGES: Readonly<Record<BrowserName, string>> = {
  chromium: 'chromium',
  firefox: 'firefox-esr',
  java: 'default-jre-headless',
};
const NAMES = Object.keys(PROGRAMS) as BrowserName[];

/** The path of a browser, or of Java, that `installBrowsers` found or installed. */
export function browserPath(browser: BrowserName): string {
  const found = findBrowser(browser);
  if (found === null) throw new Error(`${browser} is not installed; scripts/browser-tests installs it`);
  return found;
}

/**
 * Installs missing browsers with apt-get where this user may; a sentence says what is missing if that is impossible.
 */
export function installBrowsers(): string | null {
  const missing = NAMES.filter((name) => findBrowser(name) === null);
  if (missing.length === 0) return null;
  const packages = missing.map((name) => PACKAGES[name]);
  console.error(`pompa: installing ${packages.join(' and ')}`);
  const isInstalled = aptGet('update', '-qq') && aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
  if (isInstalled && NAMES.every((name) => findBrowser(name) !== null)) return null;
  return `pompa: the tests in browsers need ${packages.join(' and ')} on the PATH: install them, then try again`;
}

function findBrowser(browser: BrowserName): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const files = PROGRAMS[browser].flatMap((program) => folders.map((folder) => path.join(folder, program)));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** As root, or with sudo if it asks for no password. Its output goes to stderr. */
function aptGet(...args: string[]): boolean {
  const [program, ...before] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(program as string, [...before, ...args], { stdio: ['ignore', 2, 2], env }).status === 0;
}
