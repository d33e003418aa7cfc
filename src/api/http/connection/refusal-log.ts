/** Logs refused connections for the operator. */
import { WarnOnce } from '../../../concurrency/warn-once.ts';
import type { Log } from '../../response/log.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import type { RefusalReason } from './connection-shares.ts';

const MIN_INTERVAL_MS = 60_000;

/** Creates the listener for refusals: it logs at most one a minute for each reason, without an address. */
export function logRefusals(log: Log, limits: ConnectionLimits): (reason: RefusalReason) => void {
  const { connections, connectionsPerClient, connectionsPerNetwork } = limits;
  const texts: Record<RefusalReason, string> = {
    total: `all ${connections} connections are in use: further ones are refused`,
    client: `a client has ${connectionsPerClient} connections open: its further ones are refused (if it is your proxy, set TRUSTED_PROXIES)`,
    network: `the clients of one network have ${connectionsPerNetwork} connections open: its further ones are refused`,
  };
  const warnings = Object.fromEntries(
    Object.entries(texts).map(([reason, text]) => [reason, warnEveryMinute(() => log.warn({}, text))]),
  ) as Record<RefusalReason, () => void>;
  return (reason) => warnings[reason]();
}

function warnEveryMinute(warn: () => void): () => void {
  const warnOnce = new WarnOnce<void>({ warn, minIntervalMs: MIN_INTERVAL_MS });
  return () => {
    warnOnce.failed();
    // No success ends a series of refusals: only the interval limits the warnings.
    warnOnce.succeeded();
  };
}
