/** A process that does one task: what it may lack, and how the reason of its failure is told. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { runChild } from './run-child.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-child-'));
after(() => rmSync(folder, { recursive: true }));
const never = new AbortController().signal;
const CHILD_TASK = JSON.stringify(import.meta.resolve('./child-task.ts'));

/** Runs a program whose work doubles a number, after these lines. */
function run(name: string, before: string): Promise<number> {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `import os from 'node:os';
    ${before}
    const { runChildTask } = await import(${CHILD_TASK});
    await runChildTask(async ({ of }) => 2 * of);`,
  );
  return runChild({ file, heapMb: 64 }, { of: 21 }, never);
}

describe('a process that does one task', () => {
  test('does it with a low priority, and also where that is forbidden', async () => {
    const wish = 'os.setPriority = (priority) => { if (priority !== 10) process.exit(9); };';
    assert.equal(await run('allowed', wish), 42);
    const refusal = `os.setPriority = () => { throw new Error('operation not permitted'); };`;
    assert.equal(await run('forbidden', refusal), 42);
  });

  test('that fails is told by its error, not by the trace of Node.js', async () => {
    await assert.rejects(run('thrown', `throw new TypeError('no such thing');`), {
      message: 'TypeError: no such thing',
    });
    await assert.rejects(run('plain', `throw new Error('not so');`), { message: 'Error: not so' });
    await assert.rejects(run('said', `console.error('a warning\\nthe disk is full'); process.exit(3);`), {
      message: 'the disk is full',
    });
    await assert.rejects(run('silent', 'process.exit(4);'), { message: 'the process ended with 4' });
  });

  test('that is killed is told by the signal, whatever it wrote before', async () => {
    const kill = `console.error('a warning'); process.kill(process.pid, 'SIGKILL'); for (;;);`;
    await assert.rejects(run('killed', kill), { message: 'the process was killed by SIGKILL' });
  });
});
