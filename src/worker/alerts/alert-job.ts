/** Price alerts as a part of the scheduled work: judged, then sent. */

import { type Delivering, deliverDue } from './deliver-alerts.ts';
import { type AlertJob, judgeAlerts } from './judge-alerts.ts';

export type AlertWork = {
  /** Judges and sends what is due now. `patient`: waits for a sender that was cut off to lose its lease. */
  run(signal: AbortSignal, patient: boolean): Promise<void>;
  close(): Promise<void>;
};

const AGAIN_MS = 500;

/** Puts the work together; `close` frees the connections. */
export function createAlertWork(job: AlertJob & Delivering, close: () => Promise<void>): AlertWork {
  return {
    close,
    async run(signal, patient) {
      await judgeAlerts(job);
      const until = performance.now() + (patient ? job.leaseMs + AGAIN_MS : 0);
      let delivered = await deliverDue(job, signal);
      while (delivered === null && performance.now() < until && !signal.aborted) {
        await new Promise((resume) => setTimeout(resume, AGAIN_MS));
        delivered = await deliverDue(job, signal);
      }
      if (delivered !== null && delivered > 0) job.log.info(`price alerts: ${delivered} messages delivered`);
    },
  };
}
