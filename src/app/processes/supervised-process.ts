/**
 * One of the processes of `serve --processes`: starts the service on the socket that it has inherited, and ends when
 * its supervisor asks, or when the supervisor has gone.
 */
import { whenAborted } from '../../concurrency/when-aborted.ts';
import { readConfig } from '../../config/config.ts';
import { createLog } from '../log/process-log.ts';
import { startService } from '../start-service.ts';
import { afterStopDelay } from '../stop-delay.ts';
import { ClaimsClient } from './claims-client.ts';
import { type ServingTask, SOCKET_FD, type ToServingProcess, type ToSupervisor } from './supervisor-messages.ts';

/** Asks it to end once its open connections have; another process has taken over its socket. */
const drain = new AbortController();
/** Asks it to end at once, while it drains as well. */
const stop = new AbortController();
/** Asks it to tell load balancers that it is about to end. */
const announced = new AbortController();
/** It has got a signal itself, as from a terminal: it ends `STOP_DELAY` later, as its supervisor has it end. */
const signalled = new AbortController();
const claims = new ClaimsClient((message) => void tell(message));
let readMetrics: Awaited<ReturnType<typeof startService>>['metrics'] | undefined;

process.on('message', (message: ToServingProcess) => {
  if (message.kind === 'serve') void serve(message.task);
  else if (message.kind === 'metrics') void tellMetrics();
  else if (message.kind === 'ask') void tell({ kind: 'alive' });
  else if (message.kind === 'claimed') claims.receive(message);
  else if (message.kind === 'stopping') announced.abort();
  else (message.drain ? drain : stop).abort();
});
process.once('disconnect', () => stop.abort());
// The supervisor reloads at this signal, and a terminal that closes sends it to every process.
process.on('SIGHUP', () => undefined);
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (signalled.signal.aborted) process.exit(130);
    signalled.abort();
  });
}

async function serve({ number, processes, host, worker, takesOver }: ServingTask): Promise<void> {
  try {
    const config = readConfig();
    const log = createLog(config, { process: number, pid: process.pid });
    const stopped = AbortSignal.any([stop.signal, afterStopDelay(signalled.signal, config.STOP_DELAY, log)]);
    const signal = AbortSignal.any([drain.signal, stopped]);
    const service = await startService({
      ...{ config, log, worker, simulated: false, signal },
      stopRequested: AbortSignal.any([announced.signal, signalled.signal, stopped]),
      place: { processes, takesOver, claims, socket: { fd: SOCKET_FD, host } },
    });
    readMetrics = service.metrics;
    await service.ready;
    await tell({ kind: 'serving', address: service.address });
    const ended = whenAborted(signal);
    try {
      await Promise.race([ended, service.database.then(() => ended)]);
      if (drain.signal.aborted && !stopped.aborted) await Promise.race([service.drain(), whenAborted(stopped)]);
    } finally {
      await service.close();
    }
    await tellMetrics();
    process.exit(0);
  } catch (error) {
    await tell({ kind: 'failed', message: (error as Error).message });
    process.exit(1);
  }
}

async function tellMetrics(): Promise<void> {
  await tell({ kind: 'metrics', metrics: (await readMetrics?.()) ?? [] });
}

/** Resolves once the message is on its way, or nobody is there to receive it. */
function tell(message: ToSupervisor): Promise<void> {
  return new Promise((sent) => {
    if (process.connected) process.send?.(message, () => sent());
    else sent();
  });
}
