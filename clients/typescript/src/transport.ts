/** Sends requests: address, key, time limit, waiting within a bound, and answers read into values or errors. */

import { buildRequest, type Operation } from './build-request.ts';
import { type CheckedOptions, type ClientOptions, checkOptions, checkSeconds } from './client-options.ts';
import { NetworkError, type PompaError, UnexpectedAnswerError } from './errors.ts';
import { readRefusal } from './read-refusal.ts';

/** What one call may change. */
export interface CallOptions {
  /** Ends the call, waiting included; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's `waitUpToSeconds`. */
  readonly waitUpToSeconds?: number | undefined;
  /** Instead of the client's `timeoutSeconds` and the wait that the service is asked for. */
  readonly timeoutSeconds?: number | undefined;
}

/** The month of a key, as the last answer told it. */
export interface Quota {
  /** Requests a month. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date;
}

type Received = { readonly answer: unknown; readonly headers: Headers };

export class Transport {
  readonly #options: CheckedOptions;
  #quota: Quota | null = null;

  /** Throws `TypeError` where an option is wrong. */
  constructor(options: ClientOptions) {
    this.#options = checkOptions(options);
  }

  /** What is left of the month; `null` before the first answer to a request with a valid key. */
  get quota(): Quota | null {
    return this.#quota;
  }

  /** The answer to one operation. Throws a `PompaError`, or the reason of the signal. */
  protected async call<Answer>(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<Answer> {
    return (await this.exchange(operation, input, options)).answer as Answer;
  }

  /** As `call`, with the headers of the answer. */
  protected async exchange(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<Received> {
    let left = checkSeconds('waitUpToSeconds', options.waitUpToSeconds ?? this.#options.waitUpToSeconds, 0);
    for (;;) {
      const received = await this.#send(operation, input, options);
      if (!('kind' in received)) return received;
      const seconds = secondsToWait(received, operation);
      if (seconds === null || seconds > left) throw received;
      left -= seconds;
      await sleep(seconds * 1000, options.signal);
    }
  }

  async #send(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    { signal, timeoutSeconds = this.#options.timeoutSeconds + secondsAskedFor(input) }: CallOptions,
  ): Promise<Received | PompaError> {
    const { baseUrl, apiKey, fetch } = this.#options;
    const { url, ...request } = buildRequest(baseUrl, operation, input);
    const limit = AbortSignal.timeout(checkSeconds('timeoutSeconds', timeoutSeconds, 0.001) * 1000);
    if (apiKey !== undefined) request.headers['X-Api-Key'] = apiKey;
    try {
      // A redirect would carry the key to another address.
      const response = await fetch(url, {
        ...request,
        redirect: 'manual',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      return this.#read(operation, response, await response.text());
    } catch (error) {
      signal?.throwIfAborted();
      const what = limit.aborted ? `no complete answer within ${timeoutSeconds} s` : 'no answer';
      return new NetworkError(`${what} from ${url.origin}`, { cause: error });
    }
  }

  #read({ answers }: Operation, { status, headers }: Response, text: string): Received | PompaError {
    this.#quota = readQuota(headers) ?? this.#quota;
    const body = parseJson(text);
    if (!answers.includes(status)) return readRefusal(status, headers, body, Date.now());
    if (body === undefined && text !== '') return new UnexpectedAnswerError(`status ${status} came without JSON`);
    return { answer: body, headers };
  }
}

/** How long the service is asked to wait before it answers. */
function secondsAskedFor({ asteapta }: Readonly<Record<string, unknown>>): number {
  return typeof asteapta === 'number' ? asteapta : 0;
}

/** How long until a request is worth another try; `null` = waiting does not help, or may do something twice. */
function secondsToWait(error: PompaError, { method }: Operation): number | null {
  // Short limits refuse a request before anything happens.
  if (error.kind === 'rate-limit' || error.kind === 'key-unverified') return Math.max(1, error.retryAfterSeconds);
  const isSafe = error.kind === 'unavailable' && error.status === 503 && method === 'GET';
  return isSafe && error.retryAfterSeconds !== null ? Math.max(1, error.retryAfterSeconds) : null;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function readQuota(headers: Headers): Quota | null {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((part) => headers.get(`X-RateLimit-${part}`));
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetsAt: new Date(Number(reset) * 1000) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
