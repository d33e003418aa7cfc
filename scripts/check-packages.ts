/** Exits with 1 and says why, if the packages here are not the locked ones; `--development` = the tools included. */
import path from 'node:path';
import { packageMismatch } from '../src/app/installed-packages.ts';

const root = path.resolve(import.meta.dirname, '..');
const mismatch = packageMismatch(root, { development: process.argv.includes('--development') });
if (mismatch !== null) {
  console.error(`pompa: ${mismatch}`);
  process.exitCode = 1;
}
