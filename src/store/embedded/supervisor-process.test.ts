import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { SUPERVISOR_LOG } from './supervisor-files.ts';
import { startSupervisor } from './supervisor-process.ts';

/** What a supervisor with this program says of its end. */
async function failureOf(t: TestContext, program: string, runtime = process.execPath): Promise<string | undefined> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'pompa-supervisor-'));
  t.after(() => rmSync(home, { recursive: true }));
  writeFileSync(path.join(home, SUPERVISOR_LOG), '2026-11-22T08:00:00.000Z 7 failed: of an earlier one\n');
  writeFileSync(path.join(home, 'program.mjs'), program);
  const supervisor = startSupervisor({ dataDir: home, home, owner: undefined }, [runtime, `${home}/program.mjs`]);
  await waitFor('the end', 60_000, () => !supervisor.isRunning());
  return supervisor.failure();
}

/** Sets variables of this process until the end of the test. */
function setVariables(t: TestContext, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

describe('a supervisor that cannot start', () => {
  test('reports that its runtime is gone', async (t) => {
    assert.equal(await failureOf(t, '', '/nowhere/node'), 'spawn /nowhere/node ENOENT');
  });

  test('reports what it could not load, without the version of Node.js below that', async (t) => {
    const reason = await failureOf(t, `import 'not-installed';`);
    assert.match(reason ?? '', /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'not-installed'/);
  });

  test('reports the last failure that it logged', async (t) => {
    assert.equal(
      await failureOf(t, `console.log('2026-11-22T09:00:00.000Z 8 failed: the disk failed: full'); process.exit(1);`),
      'the disk failed: full',
    );
    assert.equal(await failureOf(t, 'process.exit(1)'), 'its log says nothing');
  });

  test('has the cache of compiled modules, and no options that were meant for its starter', async (t) => {
    const cache = mkdtempSync(path.join(os.tmpdir(), 'pompa-compiled-'));
    t.after(() => rmSync(cache, { recursive: true }));
    setVariables(t, { NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '--trace-warnings', PGHOST: 'elsewhere' });
    const program = `const { NODE_COMPILE_CACHE, NODE_OPTIONS, PGHOST } = process.env;
      console.log('7 failed: ' + JSON.stringify({ NODE_COMPILE_CACHE, NODE_OPTIONS, PGHOST })); process.exit(1);`;
    assert.deepEqual(JSON.parse((await failureOf(t, program)) ?? ''), { NODE_COMPILE_CACHE: cache });
  });

  test('says nothing after an orderly end', async (t) => {
    assert.equal(await failureOf(t, ''), undefined);
  });
});
