/** `pompa mock` as a developer starts it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { errorSentence, runPompa, startPompa } from '../support/processes/pompa-process.ts';

const run = promisify(execFile);
let folder: string;
let child: ReturnType<typeof startPompa>;
/** What it has printed once it listens. */
let lines: string[];
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-mock-'));
  child = startPompa(folder, ['mock'], { PORT: '0' });
  let out = '';
  for await (const text of child.stdout ?? []) {
    out += text;
    if (out.split('\n').length > 3) break;
  }
  lines = out.trimEnd().split('\n');
});
after(async () => {
  child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

describe('pompa mock', () => {
  test('prints its address and two requests that work in a shell', async () => {
    const [first = '', ...curls] = lines;
    assert.match(first, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(curls.length, 2);
    const [prices, refusal] = await Promise.all(curls.map((line) => run('sh', ['-c', line])));
    assert.ok(JSON.parse(prices?.stdout ?? '').total > 3);
    assert.match(refusal?.stdout ?? '', /^HTTP\/1\.1 429 [\s\S]*next_allowed/);
  });

  test('says that its port is in use, and writes no file', async () => {
    const port = new URL(lines[0]?.split(' ').at(-1) ?? '').port;
    const second = await runPompa(folder, ['mock'], { PORT: port });
    assert.match(errorSentence(second), /another process uses this address; set PORT to a free port/);
    assert.deepEqual(await readdir(folder), []);
  });

  test('ends at once with 0 when it is told to', async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
});
