/** Price alerts as part of the scheduled work: evaluates them, then sends them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryOptions, deliverDue } from './deliver-alerts.ts';
import { type AlertJudgeOptions, evaluateAlerts } from './evaluate-alerts.ts';

export type AlertRunner = {
  /**
   * Evaluates alerts and sends the due ones. `waitForLease`: waits until the lease of an interrupted sender expires.
   */
  run(signal: AbortSignal, waitForLease: boolean): Promise<void>;
  close(): Promise<void>;
};

const RETRY_MS = 500;

/** Composes the job; `close` frees the connections. */
export function createAlertRunner(
  options: AlertJudgeOptions & DeliveryOptions,
  close: () => Promise<void>,
): AlertRunner {
  return {
    close,
    async run(signal, waitForLease) {
      await evaluateAlerts(options);
      const until = performance.now() + (waitForLease ? options.leaseMs + RETRY_MS : 0);
      let delivered = await deliverDue(options, signal);
      while (delivered === null && performance.now() < until && !signal.aborted) {
        await sleep(RETRY_MS);
        delivered = await deliverDue(options, signal);
      }
      if (delivered !== null && delivered > 0) options.log.info(`price alerts: ${delivered} messages delivered`);
    },
  };
}
