/**
 * Packages of tests that need more than the project does, installed from a lockfile of their own when they first run.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Downloads that stall are tried again soon; by npm's habit each may take five minutes. */
const DOWNLOADS = ['--fetch-timeout=30000', '--fetch-retries=5'];
const INSTALLED_WITHIN_MS = 600_000;

/**
 * Installs the locked packages of a folder unless they are there; no package's own scripts run. False if npm fails, or
 * takes ten minutes.
 */
export function installPackages(folder: string): boolean {
  const lock = path.join(folder, 'package-lock.json');
  const installed = path.join(folder, 'node_modules/.installed-lock');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return true;
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...DOWNLOADS],
    {
      cwd: folder,
      stdio: 'inherit',
      timeout: INSTALLED_WITHIN_MS,
      // The packages may need the Node that we run on rather than the host's.
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    },
  );
  if (status !== 0) return false;
  cpSync(lock, installed);
  return true;
}
