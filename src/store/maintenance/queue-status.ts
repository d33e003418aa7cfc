/** How long what waits in the database has waited, for metrics. Instants are epoch milliseconds. */
import type { Queryable } from '../connection/database-connection.ts';

/** Mails, events of Stripe and price alerts wait for a worker, reviews and reports for the operator. */
type QueueName = 'mails' | 'stripe_events' | 'alerts' | 'reviews' | 'reports';

export type QueueStatus = {
  readonly queue: QueueName;
  /** How many could be handled now. */
  readonly waiting: number;
  /** Since when the one that waits longest could have been; `null` = none waits. */
  readonly since: number | null;
  readonly now: number;
};

const due = (queue: QueueName, table: string, column: string, condition: string) =>
  `select '${queue}' as queue, count(*)::int as waiting, min(${column}) as since from ${table}
   where ${condition} and ${column} <= clock_timestamp()`;

const READ_QUEUES = `select queue, waiting, since, clock_timestamp() as now from (${[
  due('mails', 'mails', 'planned_at', `state = 'waiting'`),
  due('stripe_events', 'webhook_events', 'due_at', 'done_at is null'),
  due('alerts', 'alert_deliveries', 'due_at', 'done_at is null'),
  due('reviews', 'reviews', 'created_at', `state = 'pending'`),
  due('reports', 'driver_reports', 'created_at', `state = 'open'`),
].join(' union all ')}) as queues`;

const TIMEOUT = { withinMs: 2_000 };

/** Rejects with `DatabaseUnavailable` if the database does not answer within 2 seconds. */
export function readQueues(database: Queryable): Promise<QueueStatus[]> {
  return database.query<QueueStatus>({ text: READ_QUEUES }, TIMEOUT);
}
