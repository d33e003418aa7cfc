import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { END_HUNG_FILE, RUN_VARIABLE } from './run-settings.ts';

function runFile(code: string) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, [...END_HUNG_FILE, '--input-type=module', '--eval', code], {
    env: { ...env, [RUN_VARIABLE]: JSON.stringify({ length: 'short', hungAfterMs: 1 }) },
    encoding: 'utf8',
  });
}

test('a file that something keeps alive after its tests is ended, and fails', () => {
  const code = `import { test } from 'node:test'; test('is done', () => void setInterval(() => undefined, 1e6));`;
  const { status, stdout, stderr } = runFile(code);
  assert.match(stdout, /is done/);
  assert.match(stderr, /^the test file: no test began for 0\.001 s, and it did not end; active: .*Timeout/m);
  assert.equal(status, 1);
});

test('one that ends by itself is not held up, and gives no child the flags', () => {
  const { status, stderr } = runFile('process.stderr.write(process.execArgv.join());');
  assert.equal(status, 0);
  assert.match(stderr, /^--input-type=module,--eval,/);
});
