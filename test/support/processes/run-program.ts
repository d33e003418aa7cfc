/** Runs a program to its end. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

type RunOptions = { readonly cwd: string; readonly env?: NodeJS.ProcessEnv };

/** What the program writes to stdout; fails with all that it wrote when it does not exit with 0. */
export async function runProgram(command: readonly string[], { cwd, env = {} }: RunOptions): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, `${command.join(' ')}\n${out}${err}`);
  return out;
}
