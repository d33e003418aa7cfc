/** What the suite says in a copy of the project: which tests failed there, within a bounded time. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Told } from '../children/tests.ts';
import { CHECKS } from './fault.ts';
import { ROOT, type Scratch } from './scratch.ts';

export type Outcome = {
  readonly passed: number;
  /** Titles of the tests that failed; of a group only where none of its tests did. */
  readonly failed: readonly string[];
  /** Files that ended without any of their tests failing: they could not be loaded, or broke off. */
  readonly broken: readonly string[];
  /** The test under way when the time was up. */
  readonly hungIn: string | null;
};

type Failure = Extract<Told, { failed: string }>;
export type Bounds = { readonly concurrency: number; readonly limitMs: number; readonly signal: AbortSignal };

/** Runs test files in a copy; ends them, with all that they started, when they take too long. */
export async function runTests(scratch: Scratch, files: readonly string[], bounds: Bounds): Promise<Outcome> {
  const { concurrency, limitMs, signal } = bounds;
  signal.throwIfAborted();
  const child = spawn(process.execPath, [path.join(ROOT, 'bench/children/tests.ts'), String(concurrency), ...files], {
    cwd: scratch.root,
    env: environmentOf(scratch),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  const failures: Failure[] = [];
  let passed = 0;
  let under = 'the start';
  let hungIn: string | null = null;
  child.on('message', (told: Told) => {
    if ('begun' in told) under = told.begun;
    else if ('passed' in told) passed += 1;
    else failures.push(told);
  });
  const give = () => {
    hungIn = under;
    killGroup(child);
  };
  const limit = setTimeout(give, limitMs);
  signal.addEventListener('abort', give, { once: true });
  await once(child, 'close');
  clearTimeout(limit);
  signal.removeEventListener('abort', give);
  signal.throwIfAborted();
  return { passed, ...sorted(failures), hungIn };
}

/** Runs one of the checks that are no tests; its name when it objects. */
export function runCheck({ root }: Scratch, name: keyof typeof CHECKS, limitMs: number): Outcome {
  const { status } = spawnSync(process.execPath, [...CHECKS[name]], { cwd: root, stdio: 'ignore', timeout: limitMs });
  const failed = status === 0 ? [] : [`the check “${name}”`];
  return { passed: 1 - failed.length, failed, broken: [], hungIn: null };
}

function sorted(failures: readonly Failure[]): Pick<Outcome, 'failed' | 'broken'> {
  const titled = failures.filter(({ failed }) => failed !== '');
  const inside = ({ file, failed }: Failure) =>
    titled.some((other) => other.file === file && other.failed.startsWith(`${failed}: `));
  const failed = titled.filter((failure) => !failure.suite || !inside(failure)).map(({ failed: title }) => title);
  const whole = failures.filter(({ failed: title }) => title === '').map(({ file }) => file);
  return { failed, broken: whole.filter((file) => !titled.some((other) => other.file === file)) };
}

/**
 * Only what tests need: no setting of the caller's reaches a planted fault. The zone is far from Bucharest, as in
 * scripts/test.
 */
function environmentOf({ temporary }: Scratch): NodeJS.ProcessEnv {
  const { PATH, POMPA_TEST_DATABASE_URL } = process.env;
  return { PATH, POMPA_TEST_DATABASE_URL, HOME: temporary, TMPDIR: temporary, TZ: 'America/Los_Angeles' };
}

/** The tests' own processes and what they started; keepers of embedded databases end with their last user. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
