/**
 * Loaded before each test file (END_HUNG_FILE): ends its process, which fails the file, if no test has begun for five
 * minutes longer than a test may take. The runner waits for the process for ever, whatever keeps it alive. Not ended is
 * a process whose event loop is blocked, and the runner also waits for children of it that print to its output.
 */
import { beforeEach } from 'node:test';
import { isMainThread } from 'node:worker_threads';
import { RUN, TEST_LIMIT_MS } from './run-settings.ts';

const limitMs = RUN.hungAfterMs ?? TEST_LIMIT_MS[RUN.length] + 300_000;

// Processes that a test forks get these flags, too, unless they are removed.
if (isMainThread) process.execArgv.splice(process.execArgv.indexOf(import.meta.url) - 1, 2);
if (isMainThread && Number.isFinite(limitMs)) {
  const timer = setTimeout(endProcess, limitMs).unref();
  beforeEach(() => {
    timer.refresh();
  });
}

function endProcess(): never {
  const active = process.getActiveResourcesInfo().join(', ');
  const file = process.argv[1] ?? 'the test file';
  process.stderr.write(`${file}: no test began for ${limitMs / 1000} s, and it did not end; active: ${active}\n`);
  process.exit(1);
}
