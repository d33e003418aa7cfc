/**
 * What `bin/pompa` runs: main.ts, unless the packages are not the locked ones. Imports no package itself, so that it
 * can say so.
 */
import path from 'node:path';
import { packageMismatch } from './app/installed-packages.ts';

// Until main.ts decides: by default it would end the process.
process.on('SIGHUP', () => undefined);
const mismatch = packageMismatch(path.resolve(import.meta.dirname, '..'));
if (mismatch === null) {
  await import('./main.ts');
} else {
  process.stderr.write(`pompa: ${mismatch}\n`);
  process.exitCode = 1;
}
