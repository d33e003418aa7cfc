/** What running services do at the signals of an operator. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, type TestContext, test } from 'node:test';
import { waitFor } from '../support/database/embedded-database.ts';
import { startPompa } from '../support/processes/pompa-process.ts';

/** Longer than any of these tests. */
const LONG_DELAY = '300';
const WITHIN_MS = 15_000;
/** A service without any database serves nothing, and is ready. */
const NO_DATABASE = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', PORT: '0', LOG_LEVEL: 'info' };

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-stopping-'));
});
after(() => rmSync(folder, { recursive: true }));

/** Starts a command, and resolves when it has printed, or logged, such a line. */
async function start(t: TestContext, args: string, line: RegExp, settings: Readonly<Record<string, string>> = {}) {
  const child = startPompa(folder, args.split(' '), { ...NO_DATABASE, ...settings });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream as NodeJS.ReadableStream }).on('line', (text) => lines.push(text));
  const has = (pattern: RegExp) => lines.some((text) => pattern.test(text));
  await waitFor(`${line} of ${args}`, WITHIN_MS, () => has(line) || child.exitCode !== null);
  assert.ok(has(line), lines.join('\n'));
  const address = () => /listening on (\S+)/.exec(lines.join('\n'))?.[1] ?? assert.fail();
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  return { child, lines, has, address, exited };
}

async function readiness(address: string): Promise<unknown[]> {
  const answer = await fetch(`${address}/readyz`, { headers: { Connection: 'close' } });
  return [answer.status, await answer.json()];
}

for (const args of ['serve --no-worker', 'serve --no-worker --processes 2']) {
  describe(`pompa ${args} with STOP_DELAY`, () => {
    test('goes on answering new connections after SIGTERM, is not ready, and a second signal ends it', async (t) => {
      const { child, address, exited, has } = await start(t, args, /listening on/, { STOP_DELAY: LONG_DELAY });
      assert.deepEqual(await readiness(address()), [200, { status: 'ok' }]);
      child.kill('SIGTERM');
      await waitFor('503 at /readyz', WITHIN_MS, async () => (await readiness(address()))[0] === 503);
      // The system gives each connection to one of the processes.
      for (let asked = 0; asked < 10; asked += 1) {
        assert.deepEqual(await readiness(address()), [503, { status: 'stopping' }]);
        const answer = await fetch(`${address()}/livez`, { headers: { Connection: 'close' } });
        assert.equal(answer.status, 200);
      }
      assert.ok(has(/stops in 300 s/));
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [130, null]);
    });

    test('ends by itself when the time is over', async (t) => {
      const { child, address, exited } = await start(t, args, /listening on/, { STOP_DELAY: '1' });
      const asked = performance.now();
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
      assert.ok(performance.now() - asked >= 1_000);
      await assert.rejects(readiness(address()));
    });
  });
}

for (const [args, line] of [
  ['serve --no-worker', /listening on/],
  ['worker', /database/],
] as const) {
  test(`pompa ${args} ignores SIGHUP without a terminal, says what reloads, and still stops at SIGTERM`, async (t) => {
    const { child, exited, has } = await start(t, args, line);
    child.kill('SIGHUP');
    await waitFor('the line', WITHIN_MS, () => has(/SIGHUP is ignored: serve --processes N reloads at it/));
    assert.equal(child.exitCode, null);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
}
