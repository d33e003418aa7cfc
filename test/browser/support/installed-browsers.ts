/** The browsers of this machine: Debian's Chromium and Firefox, or what stands in for them elsewhere; and Java. */
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';

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
  if (installDebianPackages(packages) && NAMES.every((name) => findBrowser(name) !== null)) return null;
  return `pompa: the tests in browsers need ${packages.join(' and ')} on the PATH: install them, then try again`;
}

function findBrowser(browser: BrowserName): string | null {
  return findProgram(...PROGRAMS[browser]);
}
