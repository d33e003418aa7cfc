/**
 * Plans one journey per turn of the event loop, for all clients together: during a burst, other requests are still
 * answered in between, and waiting networks are served in turn. Rule 34.
 */
import { FairSemaphore, type ReleaseSlot } from '../concurrency/fair-semaphore.ts';
import { clientNetwork } from '../domain/access/client-network.ts';

/** Refuses no request: those that wait are within the limits, and hold nothing but their connection. */
const SHARES = {
  slots: 1,
  slotsPerClient: 1,
  slotsPerNetwork: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerClient: Number.POSITIVE_INFINITY,
};

/** Resolves in the turn that belongs to this client; what it computes before it waits again has the turn to itself. */
export type JourneyTurns = (client: string) => Promise<void>;

export function createJourneyTurns(): JourneyTurns {
  const slots = new FairSemaphore(SHARES);
  return async (client) => {
    const release = (await slots.acquire({ client, network: clientNetwork(client) })) as ReleaseSlot;
    setImmediate(release);
  };
}
