/** The operations of the simulated Stripe's API, by method and path. */
import { PAID_PLANS } from '../../domain/billing/paid-plans.ts';
import type { PaymentWorld } from './payment-world.ts';
import type { Operation } from './request-schemas.ts';
import { type CheckoutParameters, endpointAt, PORTAL, type WireCharge } from './wire-objects.ts';

type Parameters = Readonly<Record<string, unknown>>;
/** `null` = there is no such object. */
type Answer = object | null;
type Call = {
  readonly world: PaymentWorld;
  readonly origin: string;
  readonly id: string;
  readonly asked: Parameters;
  /** Where events are posted; `null` = nowhere. */
  readonly endpoint: string | null;
};
export type ApiOperation = { readonly operation: Operation; readonly run: (call: Call) => Answer };

/** A request that is right in form, and cannot be done. */
export class RefusedRequest extends Error {
  readonly param: string;
  constructor(message: string, param: string) {
    super(message);
    this.param = param;
  }
}

const checkoutAnswer = (checkout: object | undefined): Answer => {
  const { asked: _, ...shown } = (checkout ?? {}) as { asked?: unknown };
  return checkout === undefined ? null : shown;
};

const OPERATIONS: Readonly<Record<string, ApiOperation>> = {
  'GET prices': {
    operation: 'prices.list',
    run: ({ world, asked }) => {
      const keys = asked.lookup_keys as string[] | undefined;
      const found = world.prices.filter(({ lookup_key }) => keys === undefined || keys.includes(lookup_key));
      return page(asked.active === false ? [] : found, asked, '/v1/prices');
    },
  },
  'POST checkout/sessions': {
    operation: 'checkout.create',
    run: ({ world, origin, asked }) => {
      const checkout = asked as unknown as CheckoutParameters;
      const [item] = checkout.line_items;
      if (!world.prices.some(({ id }) => id === item?.price))
        throw new RefusedRequest('No such price', 'line_items[0][price]');
      if (checkout.customer !== undefined && checkout.customer_email !== undefined)
        throw new RefusedRequest('You may only specify one of these parameters: customer, customer_email.', 'customer');
      if (checkout.managed_payments?.enabled === true && (asked.automatic_tax ?? asked.tax_id_collection) !== undefined)
        throw new RefusedRequest('Managed payments decide about taxes by themselves.', 'automatic_tax');
      return checkoutAnswer(world.openCheckout(checkout, origin));
    },
  },
  'GET checkout/sessions/:id': {
    operation: 'read',
    run: ({ world, id }) => checkoutAnswer(world.state.checkouts[id]),
  },
  'POST checkout/sessions/:id/expire': {
    operation: 'read',
    run: ({ world, id }) => {
      if (world.state.checkouts[id] === undefined) return null;
      if (!world.expireCheckout(id))
        throw new RefusedRequest('Only Checkout Sessions that are open can be expired.', 'session');
      return checkoutAnswer(world.state.checkouts[id]);
    },
  },
  'GET subscriptions': {
    operation: 'subscriptions.list',
    run: ({ world, asked }) => {
      const { status, customer } = asked;
      const found = Object.values(world.state.subscriptions).filter(
        (each) =>
          (status === 'all' || (status === undefined ? each.status !== 'canceled' : each.status === status)) &&
          (customer === undefined || each.customer === customer),
      );
      return page(found.reverse(), asked, '/v1/subscriptions');
    },
  },
  'GET subscriptions/:id': { operation: 'read', run: ({ world, id }) => world.state.subscriptions[id] ?? null },
  'POST subscriptions/:id': {
    operation: 'subscriptions.update',
    run: ({ world, id, asked }) => {
      const subscription = world.state.subscriptions[id];
      if (subscription === undefined) return null;
      if (subscription.status === 'canceled')
        throw new RefusedRequest('A canceled subscription can only update its cancellation_details.', 'subscription');
      const [item] = (asked.items ?? []) as { price?: string }[];
      const price = item && world.prices.find(({ id: each }) => each === item.price);
      const plan = PAID_PLANS.find((code) => code === price?.lookup_key);
      if (plan !== undefined) world.changePlan(subscription, plan);
      const { cancel_at_period_end: isCancelled, cancel_at: date } = asked;
      if (isCancelled !== undefined && date !== undefined)
        throw new RefusedRequest(
          'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
          'cancel_at',
        );
      if (typeof isCancelled === 'boolean') world.setCancellation(subscription, isCancelled);
      if (date === '') world.setCancellation(subscription, false);
      return subscription;
    },
  },
  'DELETE subscriptions/:id': {
    operation: 'subscriptions.cancel',
    run: ({ world, id }) => {
      const subscription = world.state.subscriptions[id];
      if (subscription === undefined || subscription.status === 'canceled') return null;
      world.cancelNow(subscription);
      return subscription;
    },
  },
  'GET customers/:id': { operation: 'read', run: ({ world, id }) => world.state.customers[id] ?? null },
  'DELETE customers/:id': {
    operation: 'none',
    run: ({ world, id }) => (world.deleteCustomer(id) ? { id, object: 'customer', deleted: true } : null),
  },
  'GET invoices/:id': { operation: 'read', run: ({ world, id }) => world.state.invoices[id] ?? null },
  'GET charges/:id': { operation: 'read', run: ({ world, id }) => world.state.charges[id] ?? null },
  'GET disputes/:id': {
    operation: 'read',
    run: ({ world, id, asked }) => {
      const dispute = world.state.disputes[id];
      if (dispute === undefined) return null;
      const isExpanded = (asked.expand as string[] | undefined)?.includes('charge') === true;
      return isExpanded ? { ...dispute, charge: world.state.charges[dispute.charge] } : dispute;
    },
  },
  'GET events': {
    operation: 'events.list',
    run: ({ world, asked }) => {
      const types = asked.types as string[] | undefined;
      const found = world.state.events.filter(
        ({ type, pending_webhooks: pending }) =>
          (types === undefined || types.includes(type)) &&
          (asked.delivery_success === undefined || asked.delivery_success === (pending === 0)),
      );
      return page(found.reverse(), asked, '/v1/events');
    },
  },
  'POST refunds': {
    operation: 'refunds.create',
    run: ({ world, asked }) => {
      const charge = Object.values(world.state.charges).find((each) => isCharge(each, asked));
      if (charge === undefined) return null;
      if (!world.refund(charge)) throw new RefusedRequest('Charge has already been refunded.', 'charge');
      const { id, amount } = charge;
      return {
        id: id.replace('ch_', 're_'),
        object: 'refund',
        amount,
        charge: id,
        currency: 'eur',
        status: 'succeeded',
      };
    },
  },
  'GET billing_portal/configurations': {
    operation: 'portals.list',
    run: ({ asked }) => page([PORTAL], asked, '/v1/billing_portal/configurations'),
  },
  'GET webhook_endpoints': {
    operation: 'endpoints.list',
    run: ({ endpoint, asked }) => page(endpoint === null ? [] : [endpointAt(endpoint)], asked, '/v1/webhook_endpoints'),
  },
  'POST billing_portal/sessions': {
    operation: 'portal.create',
    run: ({ world, origin, asked }) => {
      const customer = asked.customer as string;
      if (world.state.customers[customer] === undefined) return null;
      const url = new URL(`${origin}/portal/${customer}`);
      url.searchParams.set('return', (asked.return_url as string | undefined) ?? '');
      return { id: `bps_${customer}`, object: 'billing_portal.session', customer, livemode: false, url: url.href };
    },
  },
};

/** Names of resources that look like ids. */
const RESOURCES = ['billing_portal', 'webhook_endpoints'];

const isCharge = ({ id, payment_intent }: WireCharge, asked: Parameters) =>
  id === asked.charge || payment_intent === asked.payment_intent;

/** The operation of a path below `/v1/` and the id in it; `null` = there is none. */
export function findOperation(method: string, path: string): (ApiOperation & { readonly id: string }) | null {
  const parts = path.split('/');
  const names = parts.map((part) => (/^[a-z]+_[A-Za-z0-9_]+$/.test(part) && !RESOURCES.includes(part) ? ':id' : part));
  const found = OPERATIONS[`${method} ${names.join('/')}`];
  return found === undefined ? null : { ...found, id: parts[names.indexOf(':id')] ?? '' };
}

/** A page of a list that is sorted newest first. */
function page(found: readonly { readonly id: string }[], asked: Parameters, url: string): object {
  const { limit = 10, starting_after: after, ending_before: before } = asked;
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  const end = before === undefined ? found.length : found.findIndex(({ id }) => id === before);
  const within = found.slice(start, end < 0 ? found.length : end);
  const data = within.slice(0, limit as number);
  return { object: 'list', data, has_more: data.length < within.length, url };
}
