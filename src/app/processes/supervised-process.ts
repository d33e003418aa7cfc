/**
 * One of the processes of `serve --processes`: starts the service on the socket that it has inherited, and ends when
 * its supervisor asks, or when the supervisor has gone.
 */
import { whenAborted } from '../../concurrency/when-aborted.ts';
import { readConfig } from '../../config/config.ts';
import { createLog } from '../log/process-log.ts';
import { startService } from '../service.ts';
import { ClaimsClient } from './claims-client.ts';
import { type ServingTask, SOCKET_FD, type ToServingProcess, type ToSupervisor } from './supervisor-messages.ts';

/** Asks it to end once its open connections have; another process has taken over its socket. */
const drain = new AbortController();
/** Asks it to end at once, while it drains as well. */
const stop = new AbortController();
const claims = new ClaimsClient((message) => void tell(message));
let readMetrics: Awaited<ReturnType<typeof startService>>['metrics'] | undefined;

process.on('message', (message: ToServingProcess) => {
  if (message.kind === 'serve') void serve(message.task);
  else if (message.kind === 'metrics') void tellMetrics();
  else if (message.kind === 'ask') void tell({ kind: 'alive' });
  else if (message.kind === 'claimed') claims.receive(message);
  else (message.drain ? drain : stop).abort();
});
process.once('disconnect', () => stop.abort());
// The supervisor reloads at this signal, and a terminal that closes sends it to every process.
process.on('SIGHUP', () => undefined);
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
}

async function serve({ number, processes, host, worker, takesOver }: ServingTask): Promise<void> {
  const signal = AbortSignal.any([drain.signal, stop.signal]);
  try {
    const config = readConfig();
    const service = await startService({
      ...{ config, log: createLog(config, { process: number, pid: process.pid }), worker, simulated: false, signal },
      place: { processes, takesOver, claims, socket: { fd: SOCKET_FD, host } },
    });
    readMetrics = service.metrics;
    await service.ready;
    await tell({ kind: 'serving', address: service.address });
    const stopRequested = whenAborted(signal);
    try {
      await Promise.race([stopRequested, service.database.then(() => stopRequested)]);
      if (drain.signal.aborted && !stop.signal.aborted) await Promise.race([service.drain(), whenAborted(stop.signal)]);
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
