/** What the simulated Stripe takes: the parameters of each operation, as its OpenAPI has them. */
import { Ajv } from 'ajv';
import type { FormValue } from './bracket-form.ts';

const text = { type: 'string', maxLength: 5_000 };
const flag = { type: 'boolean' };
const seconds = { type: 'integer', minimum: 0 };
const list = (items: object) => ({ type: 'array', items });
const one = (...values: string[]) => ({ type: 'string', enum: values });
const object = (properties: Record<string, object>, required: string[] = []) => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
});
const metadata = {
  ...{ type: 'object', maxProperties: 50, propertyNames: { maxLength: 40 } },
  additionalProperties: { type: 'string', maxLength: 500 },
};
const expand = list(text);
const period = object({ gt: seconds, gte: seconds, lt: seconds, lte: seconds });
/** The languages of its pages that we may want; it has about forty more. */
const locale = one('auto', 'ro', 'en', 'de', 'fr', 'hu');
const unset = (schema: object) => ({ anyOf: [one(''), schema] });
const paging = {
  ...{ limit: { type: 'integer', minimum: 1, maximum: 100 }, starting_after: text, ending_before: text, expand },
};
const read = object({ expand });

const SCHEMAS = {
  'prices.list': object({
    ...{ ...paging, lookup_keys: list(text), active: flag, currency: text, product: text, created: period },
    type: one('one_time', 'recurring'),
  }),
  'checkout.create': object(
    {
      mode: one('subscription'),
      line_items: list(object({ price: text, quantity: { type: 'integer', minimum: 1 } }, ['price'])),
      success_url: text,
      cancel_url: text,
      client_reference_id: { type: 'string', maxLength: 200 },
      customer: text,
      customer_email: { type: 'string', maxLength: 800, pattern: '^[^@\\s]+@[^@\\s]+$' },
      customer_update: object({ address: one('auto', 'never'), name: one('auto', 'never') }),
      allow_promotion_codes: flag,
      allowed_payment_method_types: list(text),
      locale,
      payment_method_collection: one('always', 'if_required'),
      metadata,
      managed_payments: object({ enabled: flag }),
      billing_address_collection: one('auto', 'required'),
      tax_id_collection: object({ enabled: flag, required: one('if_supported', 'never') }, ['enabled']),
      automatic_tax: object({ enabled: flag }, ['enabled']),
      consent_collection: object({ terms_of_service: one('none', 'required') }),
      expires_at: seconds,
      subscription_data: object({
        metadata,
        description: { type: 'string', maxLength: 500 },
        billing_mode: object({ type: one('classic', 'flexible') }, ['type']),
        trial_period_days: { type: 'integer', minimum: 1, maximum: 730 },
        trial_end: seconds,
        trial_settings: object(
          {
            end_behavior: object({ missing_payment_method: one('cancel', 'create_invoice', 'pause') }, [
              'missing_payment_method',
            ]),
          },
          ['end_behavior'],
        ),
      }),
      expand,
    },
    ['mode', 'line_items', 'success_url'],
  ),
  read,
  'subscriptions.list': object({
    ...{ ...paging, customer: text, price: text, created: period },
    status: one(
      ...['all', 'ended', 'active', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'paused', 'trialing'],
      'unpaid',
    ),
  }),
  'subscriptions.update': object({
    cancel_at_period_end: flag,
    cancel_at: { anyOf: [one('', 'max_billed_until', 'max_period_end', 'min_period_end'), seconds] },
    cancellation_details: object({ comment: text, feedback: text }),
    metadata: unset(metadata),
    items: list(object({ id: text, price: text, quantity: { type: 'integer' } })),
    proration_behavior: one('create_prorations', 'always_invoice', 'none'),
    payment_behavior: one('allow_incomplete', 'pending_if_incomplete', 'error_if_incomplete', 'default_incomplete'),
    expand,
  }),
  'subscriptions.cancel': object({
    ...{ prorate: flag, invoice_now: flag, expand },
    cancellation_details: object({ comment: text, feedback: text }),
  }),
  'events.list': object({ ...paging, delivery_success: flag, types: list(text), type: text, created: period }),
  'refunds.create': object({
    ...{ charge: text, payment_intent: text, amount: seconds, metadata: unset(metadata), expand },
    reason: one('duplicate', 'fraudulent', 'requested_by_customer'),
  }),
  'portal.create': object(
    {
      ...{ customer: text, return_url: text, locale, configuration: text, expand },
      flow_data: { type: 'object', required: ['type'] },
    },
    ['customer'],
  ),
  'portals.list': object({ ...paging, active: flag, is_default: flag }),
  'endpoints.list': object(paging),
  none: object({}),
} as const;

export type Operation = keyof typeof SCHEMAS;
/** What is wrong with a request, in the words of Stripe's errors. */
export type ParameterProblem = { readonly code: string; readonly param: string; readonly message: string };

/** Compiles a schema at its first request: all of them take 50 to 100 ms, which no start waits for. */
const ajv = new Ajv({ coerceTypes: true, strict: false });

/** Checks parameters, and makes numbers and booleans of texts where the operation has such; `null` = all are right. */
export function findParameterProblem(operation: Operation, parameters: FormValue): ParameterProblem | null {
  if (ajv.validate(SCHEMAS[operation], parameters)) return null;
  const [problem] = ajv.errors ?? [];
  const path = (problem?.instancePath ?? '').split('/').slice(1);
  const named = (name: unknown) => bracketName([...path, ...(typeof name === 'string' ? [name] : [])]);
  if (problem?.keyword === 'additionalProperties') {
    const param = named(problem.params.additionalProperty);
    return { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` };
  }
  if (problem?.keyword === 'required') {
    const param = named(problem.params.missingProperty);
    return { code: 'parameter_missing', param, message: `Missing required param: ${param}.` };
  }
  const param = named(null);
  return { code: 'parameter_invalid', param, message: `Invalid ${param}: ${problem?.message}` };
}

const bracketName = ([first = '', ...rest]: string[]) => first + rest.map((each) => `[${each}]`).join('');
