/** Measures elapsed time without the time in which the process did not run, so that a busy machine fails no test. */

const SAMPLE_INTERVAL_MS = 5;
/** Time beyond this between two samples does not count: the process was not scheduled, or was busy itself. */
const MAX_STEP_MS = 25;

/** Returns the result of `work` and the ms it took. Waiting counts; a turn of the event loop counts 25 ms at most. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  let ms = 0;
  let sampledAt = performance.now();
  const sample = () => {
    const now = performance.now();
    ms += Math.min(now - sampledAt, MAX_STEP_MS);
    sampledAt = now;
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  try {
    const result = await work();
    sample();
    return { ms, result };
  } finally {
    clearInterval(timer);
  }
}
