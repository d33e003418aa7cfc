/** Runs a process that does one task (`child-task.ts`), and waits for its report. */
import { spawn } from 'node:child_process';

export type ChildProgram = {
  /** Path of the program, which calls `runChildTask`. */
  readonly file: string;
  /** Most megabytes of JavaScript objects. */
  readonly heapMb: number;
};

/** It did not end by itself: out of memory, or killed by somebody else. */
export class ChildKilled extends Error {}

/** As bin/pompa sets them: freed memory goes back to the system. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
/** What is kept of the output: a report and a message are far shorter. */
const MAX_OUTPUT = 10_000;

/**
 * Rejects with what the process says if it fails, with `ChildKilled` if it was killed, and with the reason of the
 * signal once it has ended by it.
 */
export async function runChild<Task, Report>(program: ChildProgram, task: Task, signal: AbortSignal): Promise<Report> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...runtimeFlags(program), program.file], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment(),
  });
  // Without a reader of its input it has ended, which is noticed below.
  child.stdin.on('error', () => undefined);
  // Its input stays open: when it closes, this process has gone.
  child.stdin.write(`${JSON.stringify(task)}\n`);
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const stop = () => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.once('error', reject);
    child.once('close', (code, killedBy) => resolve(killedBy ?? String(code)));
    const ending = await promise;
    signal.throwIfAborted();
    if (ending === '0') return JSON.parse(output()) as Report;
    if (ending.startsWith('SIG')) throw new ChildKilled(`the process was killed by ${ending}`);
    throw new Error(reasonOf(errors(), ending));
  } finally {
    signal.removeEventListener('abort', stop);
    child.stdin.destroy();
  }
}

/** In one line: a trace of Node.js ends with its version. */
function reasonOf(errors: string, ending: string): string {
  const lines = errors.trim().split('\n');
  return lines.find((line) => /^\w*Error\b.*: /.test(line)) ?? (lines.at(-1) || `the process ended with ${ending}`);
}

function runtimeFlags({ heapMb }: ChildProgram): string[] {
  return [
    ...[`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4', '--heap-growing-percent=40'],
    '--disable-warning=ExperimentalWarning',
  ];
}

/** Without what is for this process only: options of a debugger, and what a test runner or coverage collects. */
function environment(): NodeJS.ProcessEnv {
  const ours = { NODE_OPTIONS: undefined, NODE_TEST_CONTEXT: undefined, NODE_V8_COVERAGE: undefined };
  return { ...ALLOCATOR, ...process.env, ...ours };
}

/** Returns the end of what the stream has brought. */
function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-MAX_OUTPUT);
  });
  return () => text;
}
