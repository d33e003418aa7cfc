/** How orders, events and mails stand, for metrics and `doctor`. Instants are epoch milliseconds. */
import type { Queryable } from '../connection/database-connection.ts';
import { KEY_NOT_ARRIVED } from './mails.ts';

export type BillingStatus = {
  readonly orders: Readonly<Record<'open' | 'done' | 'expired', number>>;
  readonly mails: Readonly<Record<'waiting' | 'sent' | 'refused' | 'expired', number>>;
  readonly events: Readonly<Record<'waiting' | 'done', number>>;
  /** Mails with keys that were refused or given up: somebody has no key. */
  readonly keyMailsNotArrived: readonly number[];
  /** Since when the oldest mail could have been sent; `null` = none waits. */
  readonly oldestMailAt: number | null;
  /** Since when the oldest event waits; `null` = none does. */
  readonly oldestEventAt: number | null;
  /** `null` = none is kept. */
  readonly lastEventAt: number | null;
  /** When the oldest running subscription was ordered; `null` = none runs. */
  readonly runningSince: number | null;
  /** Subscriptions with a status or a price that we do not know. */
  readonly unrecognized: readonly string[];
  /** Orders that were withdrawn from after a charge, and not refunded. */
  readonly unrefunded: readonly string[];
  readonly now: number;
};

/** Of an order that was withdrawn from: nothing is charged after it. A deletion of the account ends it, too. */
const END_OF_CONTRACT = `case when billed.id is null then least(orders.withdrawn_at, ended_at) else orders.withdrawn_at end`;

const READ_STATUS = `
  select
    (select json_build_object('open', count(*) filter (where state = 'open'),
      'done', count(*) filter (where state = 'done'), 'expired', count(*) filter (where state = 'expired'))
      from orders) as orders,
    (select json_build_object('waiting', count(*) filter (where state = 'waiting'),
      'sent', count(*) filter (where state = 'sent'), 'refused', count(*) filter (where state = 'refused'),
      'expired', count(*) filter (where state = 'expired')) from mails) as mails,
    (select json_build_object('waiting', count(*) filter (where done_at is null),
      'done', count(*) filter (where done_at is not null)) from webhook_events) as events,
    (select coalesce(array_agg(id order by id), '{}') from mails where ${KEY_NOT_ARRIVED}) as "keyMailsNotArrived",
    (select min(planned_at) from mails where state = 'waiting' and planned_at <= clock_timestamp()) as "oldestMailAt",
    (select min(received_at) from webhook_events where done_at is null) as "oldestEventAt",
    (select max(received_at) from webhook_events) as "lastEventAt",
    (select min(consented_at) from orders join billing_subscriptions as billed on billed.order_id = orders.id
      where billed.status in ('trialing', 'active', 'past_due')) as "runningSince",
    (select coalesce(array_agg(id || ': ' || unrecognized order by id), '{}') from billing_subscriptions
      where unrecognized is not null) as unrecognized,
    (select coalesce(array_agg(orders.id order by orders.withdrawn_at), '{}')
      from orders left join billing_subscriptions as billed on billed.order_id = orders.id
      where orders.withdrawn_at is not null and orders.refunded_at is null
        and ${END_OF_CONTRACT} > coalesce(billed.trial_end, consented_at + trial_days * interval '1 day')) as unrefunded,
    clock_timestamp() as now`;

const STATUS_TIMEOUT = { withinMs: 3_000 };

/** Rejects with `DatabaseUnavailable` if the database does not answer within 3 seconds. */
export async function readBillingStatus(database: Queryable): Promise<BillingStatus> {
  const [row] = await database.query<BillingStatus>({ text: READ_STATUS }, STATUS_TIMEOUT);
  if (row === undefined) throw new Error('the database answered without a row');
  return row;
}
