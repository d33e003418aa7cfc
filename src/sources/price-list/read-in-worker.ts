/**
 * Reads a list in a worker thread: any list costs bounded time and memory and does not delay requests that are served
 * meanwhile. Parsing is linear, but a CSS selector may compare each element with all others.
 */
import { Worker } from 'node:worker_threads';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { SourceFailed } from '../source.ts';
import type { ListTable } from './list-table.ts';
import type { ListReadRequest } from './read-list.ts';
import type { WorkerAnswer } from './reader-worker.ts';

export type ReadingLimits = { readonly timeMs: number; readonly memoryMb: number };

/** Parses the rows of a list within the limits. Rejects with `SourceFailed`. */
export async function readInWorker(
  request: ListReadRequest,
  { timeMs, memoryMb }: ReadingLimits,
  signal: AbortSignal,
): Promise<ListTable> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const stop = () => reject(new SourceFailed('reading the list was stopped'));
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) => reject(isTooLarge(error) ? tooLarge(memoryMb) : error));
  worker.once('exit', () => reject(new SourceFailed('reading the list ended without a result')));
  try {
    const tooLate = () => new SourceFailed(`the list cannot be read within ${timeMs / 1000} s`);
    const answer = await withTimeout(timeMs, promise, tooLate);
    if ('failed' in answer) throw new SourceFailed(answer.failed);
    return answer.table;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** The last resort: V8 may also end the whole process, so readers bound what they build before. */
function isTooLarge({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooLarge(memoryMb: number): SourceFailed {
  return new SourceFailed(`the list needs more than ${memoryMb} MB of memory to be read`);
}
