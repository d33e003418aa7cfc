/** The simulated Stripe's API: keys, versions, form bodies, idempotency and errors around its operations. */
import { randomBytes } from 'node:crypto';
import { parseBracketForm } from './bracket-form.ts';
import type { PaymentWorld } from './payment-world.ts';
import { findParameterProblem } from './request-schemas.ts';
import { findOperation, RefusedRequest } from './stripe-operations.ts';

export type ApiRequest = {
  readonly method: string;
  /** Below `/v1/`, without the query. */
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};
export type ApiAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A status; `409`: the same idempotency key is at work; `lock timeout`: another request holds the object. */
export type Fault = number | 'lock timeout';

type Kept = { readonly request: string; readonly answer: ApiAnswer };

export class StripeApi {
  readonly #world: PaymentWorld;
  readonly #secretKey: string;
  readonly #origin: () => string;
  readonly #endpoint: () => string | null;
  readonly #kept = new Map<string, Kept>();
  readonly #ordered: Fault[] = [];

  constructor(world: PaymentWorld, secretKey: string, origin: () => string, endpoint: () => string | null) {
    this.#world = world;
    this.#secretKey = secretKey;
    this.#origin = origin;
    this.#endpoint = endpoint;
  }

  /** The next requests are answered so, and do nothing. */
  failNext(...faults: Fault[]): void {
    this.#ordered.push(...faults);
  }

  answer(request: ApiRequest): ApiAnswer {
    const { method, path, query, body, headers } = request;
    if (headers.authorization !== `Bearer ${this.#secretKey}`)
      return problem(401, { message: 'Invalid API Key provided' });
    const version = headers['stripe-version'];
    if (typeof version !== 'string') return problem(400, { message: 'The simulation wants a Stripe-Version' });
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    const fingerprint = `${path}\n${body}`;
    const before = typeof key === 'string' ? this.#kept.get(key) : undefined;
    if (before !== undefined) return before.request === fingerprint ? replayed(before.answer) : otherParameters();
    const { answer, isRun } = this.#run(method, path, method === 'POST' ? body : query);
    const complete = { ...answer, headers: { ...answer.headers, 'Stripe-Version': version } };
    if (typeof key === 'string' && isRun) this.#kept.set(key, { request: fingerprint, answer: complete });
    return complete;
  }

  /** `isRun`: its answer is kept, as the real one keeps them from the moment at which an operation begins. */
  #run(method: string, path: string, form: string): { readonly answer: ApiAnswer; readonly isRun: boolean } {
    const ordered = this.#ordered.shift();
    if (ordered !== undefined)
      return { answer: faultAnswer(ordered), isRun: ordered !== 'lock timeout' && ordered >= 500 };
    const found = findOperation(method, path);
    if (found === null)
      return { answer: problem(404, { message: `Unrecognized request URL (${method}: /v1/${path}).` }), isRun: false };
    const asked = parseBracketForm(form);
    const wrong = findParameterProblem(found.operation, asked);
    if (wrong !== null) return { answer: problem(400, wrong), isRun: false };
    this.#world.settle();
    try {
      const done = found.run({
        ...{ world: this.#world, origin: this.#origin(), endpoint: this.#endpoint() },
        ...{ id: found.id, asked },
      });
      if (done !== null) return { answer: answerOf(200, done), isRun: true };
      const missing = { code: 'resource_missing', param: 'id', message: `No such object: '${found.id}'` };
      return { answer: problem(404, missing), isRun: true };
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      return { answer: problem(400, { message: error.message, param: error.param }), isRun: true };
    }
  }
}

const answerOf = (status: number, body: object): ApiAnswer => ({
  ...{ status, body: JSON.stringify(body) },
  headers: { 'Content-Type': 'application/json', 'Request-Id': `req_${randomBytes(8).toString('hex')}` },
});

const problem = (status: number, error: object): ApiAnswer =>
  answerOf(status, { error: { type: status >= 500 ? 'api_error' : 'invalid_request_error', ...error } });

function faultAnswer(fault: Fault): ApiAnswer {
  const message = 'Ordered';
  if (fault === 'lock timeout') return problem(429, { code: 'lock_timeout', message });
  if (fault === 409) return problem(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
  return problem(fault, { message });
}

const replayed = (answer: ApiAnswer): ApiAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'Idempotent-Replayed': 'true' },
});

const otherParameters = (): ApiAnswer =>
  problem(400, {
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
  });
