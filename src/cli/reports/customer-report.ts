/** What `pompa orders` and `pompa mails` print, for people and for programs. */
import type { CommandCall } from '../../app/command.ts';
import { type Standing, standing } from '../../domain/billing/standing.ts';
import type { SubscriptionFacts } from '../../domain/billing/subscription.ts';
import { isoInstant } from '../../domain/days.ts';
import type { StoredSubscription } from '../../store/billing/billing-subscriptions.ts';
import type { CustomerRecord, EventRecord, MailRecord, OrderRecord } from '../../store/billing/support.ts';

type CallOutput = Pick<CommandCall, 'flags' | 'terminal'>;

const instantOrNull = (epochMs: number | null) => (epochMs === null ? null : isoInstant(epochMs));

/** Prints objects as JSON, one a line, or the line of each. */
function printEach<T>(
  { flags, terminal }: CallOutput,
  all: readonly T[],
  asObject: (one: T) => object,
  asLine: (one: T) => string,
) {
  for (const one of all) terminal.out(flags.json ? JSON.stringify(asObject(one)) : asLine(one));
}

export function printOrders(output: CallOutput, orders: readonly OrderRecord[]): void {
  printEach(output, orders, orderObject, orderLine);
  if (orders.length === 0 && !output.flags.json) output.terminal.out('no orders');
}

export function printMails(output: CallOutput, mails: readonly MailRecord[]): void {
  printEach(output, mails, mailObject, mailLine);
  if (mails.length === 0 && !output.flags.json) output.terminal.out('no mails');
}

/** Prints everything that is stored of a customer; `now`: epoch ms. */
export function printCustomer({ flags, terminal }: CallOutput, customer: CustomerRecord, now: number): void {
  const { orders, subscriptions, events, mails, keys } = customer;
  if (flags.json) {
    terminal.out(
      JSON.stringify({
        account: customer.account,
        email: customer.email,
        language: customer.language,
        created: isoInstant(customer.createdAt),
        mail_refused: instantOrNull(customer.mailRefusedAt),
        keys,
        orders: orders.map(orderObject),
        subscriptions: subscriptions.map((each) => subscriptionObject(each, now)),
        events: events.map(eventObject),
        mails: mails.map(mailObject),
      }),
    );
    return;
  }
  terminal.out(`account ${customer.account}: ${customer.email}, since ${isoInstant(customer.createdAt)}`);
  if (customer.mailRefusedAt !== null) terminal.out(`  MAIL REFUSED ${isoInstant(customer.mailRefusedAt)}`);
  terminal.out(`  keys: ${keys.length === 0 ? 'none' : keys.join(', ')}`);
  for (const each of subscriptions) terminal.out(`  ${subscriptionLine(each, now)}`);
  for (const each of orders) terminal.out(`  ${orderLine(each)}`);
  for (const each of events) terminal.out(`  ${eventLine(each)}`);
  for (const each of mails) terminal.out(`  ${mailLine(each)}`);
}

function orderObject({ id, email, plan, state, session, subscription, ...order }: OrderRecord) {
  return {
    ...{ id, email, plan, state, trial_days: order.trialDays },
    ...{ consented: isoInstant(order.consentedAt), ended: instantOrNull(order.endedAt), session, subscription },
    ...{ withdrawn: instantOrNull(order.withdrawnAt), refunded: instantOrNull(order.refundedAt) },
  };
}

function orderLine(order: OrderRecord): string {
  const { id, email, plan, state, trial_days, consented, subscription, withdrawn, refunded } = orderObject(order);
  return [
    `order ${id}: ${state}`,
    plan,
    trial_days === 0 ? 'no trial' : `${trial_days} days of trial`,
    email ?? 'account deleted',
    consented,
    ...(subscription === null ? [] : [subscription]),
    ...(withdrawn === null ? [] : [`withdrawn ${withdrawn}`]),
    ...(refunded === null ? [] : [`refunded ${refunded}`]),
  ].join(', ');
}

/** What Stripe last said, what we noted, and the verdict on both. */
function subscriptionObject({ id, customer, keyId, facts }: StoredSubscription, now: number) {
  const verdict = standing(facts, now);
  return {
    ...{ id, customer, key: keyId, plan: facts.plan, status: facts.status },
    ...{ open: verdict.isOpen, reason: verdict.reason, since: isoInstant(sinceOf(verdict.reason, facts)) },
    until: verdict.isOpen ? isoInstant(verdict.until) : null,
    trial_end: instantOrNull(facts.trialEnd),
    period_end: isoInstant(facts.periodEnd),
    cancel_at: instantOrNull(facts.cancelAt),
    past_due_since: instantOrNull(facts.pastDueSince),
    disputed: instantOrNull(facts.disputedAt),
    withdrawn: instantOrNull(facts.withdrawnAt),
    fetched: isoInstant(facts.fetchedAt),
    unrecognized: facts.unrecognized,
  };
}

/** Since when the verdict has its reason: of most, since Stripe has the status. */
function sinceOf(reason: Standing['reason'], { withdrawnAt, disputedAt, statusSince }: SubscriptionFacts): number {
  if (reason === 'withdrawn') return withdrawnAt ?? statusSince;
  if (reason === 'disputed') return disputedAt ?? statusSince;
  return statusSince;
}

function subscriptionLine(subscription: StoredSubscription, now: number): string {
  const { id, customer, key, plan, status, open, reason, since, until, ...times } = subscriptionObject(
    subscription,
    now,
  );
  const verdict = open
    ? `key ${key} is served (${reason} since ${since}) until ${until}`
    : `key ${key} is CLOSED (${reason} since ${since})`;
  const noted = Object.entries(times).flatMap(([name, value]) =>
    value === null ? [] : [`${name.replaceAll('_', ' ')} ${value}`],
  );
  return `subscription ${id} of ${customer}: ${plan}, ${status}; ${verdict}; ${noted.join(', ')}`;
}

function eventObject({ id, type, object, receivedAt, doneAt, tries }: EventRecord) {
  return { id, type, object, received: isoInstant(receivedAt), done: instantOrNull(doneAt), tries };
}

function eventLine(event: EventRecord): string {
  const { id, type, object, received, done, tries } = eventObject(event);
  return `event ${id}: ${type} of ${object}, ${received}, ${done === null ? `NOT DONE after ${tries} tries` : 'done'}`;
}

function mailObject({ id, kind, recipient, state, tries, why, ...mail }: MailRecord) {
  return {
    ...{ id, kind, recipient, state, tries, why },
    ...{ created: isoInstant(mail.createdAt), due: isoInstant(mail.dueAt), ended: instantOrNull(mail.endedAt) },
  };
}

function mailLine(mail: MailRecord): string {
  const { id, kind, recipient, state, tries, why, created, due } = mailObject(mail);
  const when = state === 'waiting' ? `due ${due}, tried ${tries} times` : `made ${created}`;
  return `mail ${id}: ${kind} to ${recipient ?? '(forgotten)'}, ${state}, ${when}${why === null ? '' : `: ${why}`}`;
}
