/** STOP_DELAY: the time in which load balancers learn that a service is about to end. */
import { whenAborted } from '../concurrency/when-aborted.ts';

/**
 * A signal that is aborted so many seconds after a stop was requested; without any it is the same signal. Until then
 * the service goes on.
 */
export function afterStopDelay(
  requested: AbortSignal,
  seconds: number,
  log: { info(message: string): void },
): AbortSignal {
  if (seconds === 0) return requested;
  const stop = new AbortController();
  void whenAborted(requested).then(() => {
    log.info(`stops in ${seconds} s (STOP_DELAY); until then it answers, and /readyz says 503`);
    setTimeout(() => stop.abort(requested.reason), seconds * 1000).unref();
  });
  return stop.signal;
}
