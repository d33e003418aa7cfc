/** `pompa mock` as a developer starts it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { errorSentence, runPompa, startPompa } from '../support/processes/pompa-process.ts';

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

/** Sends what a command of curl would send. */
async function asked(curl: string) {
  const [, name = '', value = ''] = /-H '([^:]+): ([^']*)'/.exec(curl) ?? [];
  const target = /'?(http:[^' ]+)'?$/.exec(curl)?.[1] ?? '';
  const response = await fetch(target, { headers: { [name]: value } });
  return { status: response.status, json: (await response.json()) as { total?: number } };
}

describe('pompa mock', () => {
  test('prints its address and two requests that work', async () => {
    const [first = '', ...curls] = lines;
    assert.match(first, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(curls.length, 2);
    const [prices, refusal] = await Promise.all(curls.map(asked));
    assert.ok(prices?.status === 200 && (prices.json.total ?? 0) > 3);
    assert.ok(refusal?.status === 429 && 'next_allowed' in refusal.json);
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
