/** Programs that run as the user of PostgreSQL: started, signalled and ended with all that they have started. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { childrenOf } from '../../support/processes/child-process.ts';
import { asPostgres } from '../../support/processes/postgres-user.ts';

const LIMIT_MS = 60_000;

/** The environment of a program whose home is this folder; it has no other variables. */
const environmentOf = (home: string) => ['env', '-i', `PATH=${process.env.PATH}`, 'LANG=C.UTF-8', `HOME=${home}`];

/** Starts a program, which writes both outputs to an open file. */
export function startAsPostgres(home: string, command: readonly string[], log: number): ChildProcess {
  const [program = '', ...args] = [...asPostgres({ endsWithUs: true }), ...environmentOf(home), ...command];
  return spawn(program, args, { cwd: '/', detached: true, stdio: ['ignore', log, log] });
}

/** Runs a program to its end; resolves with what it wrote to stdout, rejects with both outputs when it fails. */
export async function runAsPostgres(home: string, command: readonly string[]): Promise<string> {
  const [program = '', ...args] = [...asPostgres(), ...environmentOf(home), ...command];
  return (await promisify(execFile)(program, args, { cwd: '/', timeout: LIMIT_MS })).stdout;
}

/** Signals processes and all that they have started, each before its children, so that none starts another one. */
export async function signalTrees(home: string, signal: 'STOP' | 'CONT' | 'KILL', roots: readonly number[]) {
  for (let pids = [...roots]; pids.length > 0; ) {
    const children = signal === 'KILL' ? pids.flatMap(livingChildrenOf) : [];
    await runAsPostgres(home, ['sh', '-c', `kill -${signal} ${pids.join(' ')} 2>/dev/null || true`]);
    pids = signal === 'KILL' ? children : pids.flatMap(livingChildrenOf);
  }
}

/** Resolves when a program that was told to end has ended. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function livingChildrenOf(pid: number): number[] {
  try {
    return childrenOf(pid);
  } catch {
    return [];
  }
}
