/** How long something took, of the time that this process had: a busy machine makes nobody late. */

const SAMPLE_INTERVAL_MS = 5;
/** What passed beyond this between two looks was kept from the process by others, or was work of its own. */
const MAX_STEP_MS = 25;

/** What `work` gives, and the ms it took. Waiting counts; of a turn of the event loop 25 ms count at the most. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  let ms = 0;
  let seen = performance.now();
  const sample = () => {
    const now = performance.now();
    ms += Math.min(now - seen, MAX_STEP_MS);
    seen = now;
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
