/** The program as an operator runs it: real processes in their own folder. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const PROGRAM = path.resolve(import.meta.dirname, '../../../bin/pompa');

export type PompaResult = { readonly code: number | null; readonly out: string; readonly err: string };

/** Starts `bin/pompa` with these settings and no others; the shell runs `before` first. */
export function startPompa(
  folder: string,
  args: readonly string[],
  settings: Record<string, string>,
  before = ':',
): ChildProcess {
  return spawn('sh', ['-c', `${before}; exec "$0" "$@"`, PROGRAM, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs `bin/pompa` until it exits. */
export async function runPompa(
  folder: string,
  args: readonly string[],
  settings: Record<string, string>,
  before?: string,
): Promise<PompaResult> {
  const child = startPompa(folder, args, settings, before);
  const output = { out: '', err: '' };
  child.stdout?.on('data', (text) => {
    output.out += text;
  });
  child.stderr?.on('data', (text) => {
    output.err += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Starts `serve` and returns the address it listens on; `end` stops it and waits. */
export async function servePompa(
  folder: string,
  settings: Record<string, string>,
): Promise<{ address: string; end(): Promise<void> }> {
  const child = startPompa(folder, ['serve', '--no-worker'], { PORT: '0', ...settings });
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  const exited = once(child, 'exit');
  for await (const text of child.stdout ?? []) {
    const address = /listening on (\S+)/.exec(String(text))?.[1];
    if (address === undefined) continue;
    return {
      address,
      async end() {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error(`serve ended: ${err}`);
}

/** The only line on stderr; fails when there are more, such as a stack trace. */
export function errorSentence({ err }: PompaResult): string {
  assert.doesNotMatch(err, /\n\s+at /, 'no stack trace');
  const lines = err.trim().split('\n');
  assert.equal(lines.length, 1, err);
  return lines[0] as string;
}
