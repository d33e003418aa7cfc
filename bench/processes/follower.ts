/**
 * A serving process that reports when it answers with a publication, and the longest stall of its event loop meanwhile;
 * or sends the alerts that are due, as a process with the worker in it does.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startService } from '../../src/app/start-service.ts';
import { readConfig } from '../../src/config/config.ts';
import { deliverAlert } from '../../test/support/database/bench-alert.ts';

export type FollowerOrder = { readonly await: number } | { readonly alertsAt: string };
export type FollowerReady = { readonly address: string };
/**
 * `servedAt` is epoch ms with fractions; `stallMs` counts until the process is idle. `cpuMs` is the event
 * loop's: the pool may still be recompressing the answers of the previous publication.
 */
export type PublicationServed = { readonly servedAt: number; readonly stallMs: number; readonly cpuMs: number };

const RESOLUTION_MS = 1;
const SETTLE_MS = 1_000;

const stop = new AbortController();
const serving = await startService({
  config: readConfig(),
  log: pino({ level: 'warn' }, pino.destination(2)),
  worker: false,
  simulated: false,
  signal: stop.signal,
});
const database = await serving.database;
process.on('message', (order: FollowerOrder) => {
  if ('await' in order) void reportWhenServed(order.await);
  else
    void deliverAlert((database as NonNullable<typeof database>).kysely, order.alertsAt).then((delivered) =>
      process.send?.({ delivered }),
    );
});
process.once('SIGTERM', () => {
  stop.abort();
  serving.close().then(() => process.exit());
});
await serving.follower.waitForVersion(1);
process.send?.({ address: serving.address } satisfies FollowerReady);

async function reportWhenServed(version: number): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const cpu = process.threadCpuUsage();
  process.send?.({ watching: version });
  await serving.follower.waitForVersion(version);
  const servedAt = performance.timeOrigin + performance.now();
  const { user, system } = process.threadCpuUsage(cpu);
  await sleep(SETTLE_MS);
  delays.disable();
  const stallMs = delays.max / 1e6 - RESOLUTION_MS;
  process.send?.({ servedAt, stallMs, cpuMs: (user + system) / 1000 } satisfies PublicationServed);
}
