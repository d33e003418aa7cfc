/** The options of the client, checked before the first request. */

export interface ClientOptions {
  /** Address of the service, without `/api/v1`: `https://pompa.example`. */
  readonly baseUrl: string;
  /** Sent as `X-Api-Key`; without one, answers are reduced and some endpoints answer once a week. Servers only. */
  readonly apiKey?: string | undefined;
  /**
   * How long one call may wait in all, seconds: after a short rate limit, and after a 503 that names a time. It never
   * waits for the week or the month. 0 = throws at once. 10 by default.
   */
  readonly waitUpToSeconds?: number | undefined;
  /** How long one request may take, seconds, besides the wait that it asks for (`asteapta`). 30 by default. */
  readonly timeoutSeconds?: number | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export type CheckedOptions = {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly waitUpToSeconds: number;
  readonly timeoutSeconds: number;
  readonly fetch: typeof globalThis.fetch;
};

/** Throws `TypeError` with what is wrong and what would be right; never with the key. */
export function checkOptions(options: ClientOptions): CheckedOptions {
  const { apiKey, waitUpToSeconds = 10, timeoutSeconds = 30 } = options;
  if (apiKey !== undefined) checkKey(apiKey);
  return {
    baseUrl: checkBaseUrl(options.baseUrl),
    apiKey,
    waitUpToSeconds: checkSeconds('waitUpToSeconds', waitUpToSeconds, 0),
    timeoutSeconds: checkSeconds('timeoutSeconds', timeoutSeconds, 0.001),
    // Browsers call it only as a method of the global object.
    fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
  };
}

function checkKey(key: string): void {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey must be a key, without spaces; leave it out for none');
  if ('document' in globalThis)
    throw new TypeError(
      'apiKey must stay on a server: the API refuses keys from pages, where every visitor reads them',
    );
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError('baseUrl must be the address of the service, such as https://pompa.example');
  const address = url.href.replace(/\/+$/, '');
  if (address.endsWith('/api/v1')) throw new TypeError(`baseUrl must end before /api/v1: ${address.slice(0, -7)}`);
  return address;
}

/** The longest time that timers of JavaScript can wait. */
const LONGEST_SECONDS = 2_147_483;

/** Throws `TypeError` for what is no number of seconds, or too long for a timer, which would end it at once. */
export function checkSeconds(name: string, seconds: number, least: number): number {
  if (seconds >= least && seconds <= LONGEST_SECONDS) return seconds;
  throw new TypeError(`${name} must be a number of seconds from ${least} to ${LONGEST_SECONDS}`);
}
