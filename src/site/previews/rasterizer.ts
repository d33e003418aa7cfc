/**
 * Turns SVG into PNG in a worker thread, so that no other request waits for it. The thread starts with the first
 * picture and ends when none was asked for in a while, which gives its memory back.
 */
import { Worker } from 'node:worker_threads';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { RasterizerAnswer } from './rasterizer-worker.ts';

/** A picture was not drawn in time, as on a machine with too much to do; it may be later. */
export class DrawingTooSlow extends Error {
  override name = 'DrawingTooSlow';
}

/** PNG of an SVG; one at a time. Rejects if it cannot be drawn, with `DrawingTooSlow` if not in time. */
export type Rasterize = (svg: string) => Promise<Buffer>;

const DRAWING_TIMEOUT_MS = 5_000;
const IDLE_MS = 60_000;
const MAX_HEAP_MB = 64;

type RasterizerOptions = {
  /** The code of the thread. */
  readonly worker?: URL;
  readonly timeoutMs?: number;
};

/** Creates the rasterizer; no thread yet. An idle thread does not keep the process alive. */
export function createRasterizer({
  worker: code = new URL('./rasterizer-worker.ts', import.meta.url),
  timeoutMs = DRAWING_TIMEOUT_MS,
}: RasterizerOptions = {}): Rasterize {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const stop = () => {
    void worker?.terminate();
    worker = undefined;
  };
  const start = (): Worker => {
    const started = startWorker(code);
    // One that ends while it draws nothing neither ends the process nor is asked again.
    started
      .on('error', () => undefined)
      .once('exit', () => {
        if (worker === started) worker = undefined;
      });
    return started;
  };
  return async (svg) => {
    clearTimeout(idle);
    worker ??= start();
    try {
      return await drawIn(worker, svg, timeoutMs);
    } catch (error) {
      stop();
      throw error;
    } finally {
      idle = setTimeout(stop, IDLE_MS).unref();
    }
  };
}

function startWorker(code: URL): Worker {
  const worker = new Worker(code, {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  worker.unref();
  return worker;
}

async function drawIn(worker: Worker, svg: string, timeoutMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<RasterizerAnswer>();
  const ended = () => reject(new Error('the thread that draws pictures ended'));
  worker.once('message', resolve).once('error', reject).once('exit', ended);
  try {
    worker.postMessage(svg);
    const tooLate = () => new DrawingTooSlow(`a picture was not drawn within ${timeoutMs / 1000} s`);
    const answer = await withTimeout(timeoutMs, promise, tooLate);
    if ('failed' in answer) throw new Error(answer.failed);
    return Buffer.from(answer.png);
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', ended);
  }
}
