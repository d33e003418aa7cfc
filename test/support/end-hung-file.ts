/**
 * Loaded before each test file (END_HUNG_FILE): ends its process, which fails the file, if the process is still there
 * five minutes after any of its tests would have failed. The runner waits for it for ever, whatever keeps it alive.
 */
import { isMainThread } from 'node:worker_threads';
import { RUN, TEST_LIMIT_MS } from './run-settings.ts';

const limitMs = TEST_LIMIT_MS[RUN.length] + 300_000;

if (isMainThread && Number.isFinite(limitMs)) setTimeout(endProcess, limitMs).unref();

function endProcess(): never {
  const active = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`${process.argv[1]} did not end within ${limitMs / 1000} s; still active: ${active}\n`);
  process.exit(1);
}
