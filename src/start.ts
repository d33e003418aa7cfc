/**
 * What `bin/pompa` runs: main.ts, unless the packages are not the locked ones. Imports no package itself, so that it
 * can say so.
 */
import path from 'node:path';
import { packageMismatch } from './app/installed-packages.ts';

const mismatch = packageMismatch(path.resolve(import.meta.dirname, '..'));
if (mismatch === null) {
  await import('./main.ts');
} else {
  process.stderr.write(`pompa: ${mismatch}\n`);
  process.exitCode = 1;
}
