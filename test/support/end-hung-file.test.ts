import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { END_HUNG_FILE, RUN_VARIABLE } from './run-settings.ts';

/** Runs a test file with this code, which counts as hung after so many ms. */
function runFile(code: string, hungAfterMs: number) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, [...END_HUNG_FILE, '--input-type=module', '--eval', code], {
    env: { ...env, [RUN_VARIABLE]: JSON.stringify({ length: 'short', hungAfterMs }) },
    encoding: 'utf8',
  });
}

test('a file that something keeps alive is ended, and fails', () => {
  const { status, stderr } = runFile('setInterval(() => undefined, 1e6);', 1);
  assert.match(stderr, /^the test file: no test began for 0\.001 s, and it did not end; active: /m);
  assert.equal(status, 1);
});

test('one that ends by itself is not held up, and gives no child the flags', () => {
  const { status, stderr } = runFile('process.stderr.write(process.execArgv.join());', 3_600_000);
  assert.equal(status, 0);
  assert.match(stderr, /^--input-type=module,--eval,/);
});
