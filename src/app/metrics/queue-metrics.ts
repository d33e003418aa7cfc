/** Metrics of what waits in the database, and of the database itself; absent while it is away. */
import type { Registry } from 'prom-client';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { untoldSince } from '../../domain/changes/untold.ts';
import { readFeedProgress } from '../../store/changes/feed-progress.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Queryable } from '../../store/connection/database-connection.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import { type MaintenanceTime, readMaintenanceTimes } from '../../store/maintenance/maintenance-times.ts';
import { readQueues } from '../../store/maintenance/queue-status.ts';
import { readWebhookStatus, type WebhookStatus } from '../../store/webhooks/webhook-status.ts';
import { registerGauge } from './scraped-metrics.ts';
import { sharedReading } from './shared-reading.ts';

/** A queue by its name; `changes` = what is served and not yet in the feed of changes. */
type QueueReading = { readonly name: string; readonly waiting: number; readonly ageSeconds: number };
type QueueDatabase = Queryable & Pick<Database, 'kysely'>;
type Reading = {
  readonly queues: readonly QueueReading[];
  readonly webhooks: WebhookStatus;
  readonly maintenance: readonly MaintenanceTime[];
};

/** A server that stops answering must not keep a scrape waiting. */
const SILENT_MS = 2_000;

/** Shows the queues; returns whether the database answers, for `registerDatabaseUp`. */
export function registerQueues(
  registry: Registry,
  database: QueueDatabase,
  clock: () => number,
): () => Promise<boolean> {
  const reading = sharedReading(() =>
    withTimeout(
      SILENT_MS,
      withIdleTimeout(SILENT_MS, () => readAll(database, clock)),
    ),
  );
  // Every process reads the same rows.
  const gauge = (name: string, help: string, value: (queue: QueueReading) => number) =>
    registerGauge(registry, { name, help, labelNames: ['queue'], aggregator: 'max' }, async () =>
      ((await reading())?.queues ?? []).map((queue) => [{ queue: queue.name }, value(queue)]),
    );
  gauge(
    'pompa_queue_oldest_seconds',
    'How long the oldest entry of a queue could have been handled already; 0 = none waits. Reviews and reports wait for the operator.',
    ({ ageSeconds }) => ageSeconds,
  );
  gauge(
    'pompa_queue_waiting',
    'How many entries of a queue could be handled now; of changes and webhooks only whether any do: 1 or 0.',
    ({ waiting }) => waiting,
  );
  registerGauge(
    registry,
    {
      name: 'pompa_webhooks',
      help: 'Webhooks of customers by state; failing ones are sending, and have deliveries that are tried again.',
      labelNames: ['state'],
      aggregator: 'max',
    },
    async () => {
      const known = (await reading())?.webhooks;
      if (known === undefined) return [];
      const { sending, paused, stopped, unverified, failing } = known;
      return Object.entries({ sending, paused, stopped, unverified, failing }).map(([state, count]) => [
        { state },
        count,
      ]);
    },
  );
  registerGauge(
    registry,
    {
      name: 'pompa_maintenance_done_timestamp_seconds',
      help: 'When a task of the maintenance was last done by any process: removing what expired (daily, hourly), statistics; 0 = never.',
      labelNames: ['task'],
      aggregator: 'max',
    },
    async () => ((await reading())?.maintenance ?? []).map(({ task, doneAt }) => [{ task }, (doneAt ?? 0) / 1000]),
  );
  return async () => (await reading()) !== null;
}

/** Shows whether the database answers, from the start of a process on: it may be away then. */
export function registerDatabaseUp(registry: Registry, isUp: () => Promise<boolean>): void {
  registerGauge(
    registry,
    { name: 'pompa_database_up', help: 'Whether the database answers this process: 1 or 0.', aggregator: 'min' },
    async () => [[{}, (await isUp()) ? 1 : 0]],
  );
}

async function readAll(database: QueueDatabase, clock: () => number): Promise<Reading> {
  const rows = await readQueues(database);
  const { head, published } = await readFeedProgress(database);
  const webhooks = await readWebhookStatus(database.kysely);
  const untold = untoldSince(head, published, clock());
  const queues = [
    ...rows.map(({ queue, waiting, since, now }) => ({ name: queue, waiting, ageSeconds: age(since, now) })),
    { name: 'changes', waiting: untold === null ? 0 : 1, ageSeconds: age(untold, clock()) },
    {
      name: 'webhooks',
      waiting: webhooks.lateSince === null ? 0 : 1,
      ageSeconds: age(webhooks.lateSince, webhooks.now),
    },
  ];
  return { queues, webhooks, maintenance: await readMaintenanceTimes(database.kysely) };
}

const age = (since: number | null, now: number): number => (since === null ? 0 : Math.max(0, now - since) / 1000);
