/** Fetches resources from other services: rate-limited, bounded in time and size, never following a redirect. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, SYSTEM_CLOCK, Throttle } from '../../concurrency/throttle.ts';
import { ACCEPTED_CODINGS, readBody } from './decode.ts';
import { LazyAgent } from './lazy-agent.ts';
import { isPrivateLiteral, publicLookup } from './private-address.ts';
import { RequestFailure, toRequestFailure } from './request-failure.ts';
import { NoResponse, type ReceivedResponse } from './response.ts';
import { parseRetryAfter } from './retry-after.ts';

export type DownloaderOptions = {
  /** Our name, with a contact. */
  readonly userAgent: string;
  /** For one try, from connecting to the last byte. */
  readonly timeoutMs: number;
  /** Largest body, on the wire and unpacked. */
  readonly maxBytes: number;
  /** Further tries after the first one. */
  readonly retries: number;
  /** Pause between the starts of two requests of this downloader. */
  readonly pauseMs: number;
  /** Concurrent requests. */
  readonly parallel: number;
  /** Certificate authorities to trust instead of the runtime's own. Verification is never off. */
  readonly ca?: readonly string[] | undefined;
  /** First back-off; doubled for each further try, with jitter, up to 30 s. */
  readonly backoffMs?: number | undefined;
  /** Longest `Retry-After` that is honoured in full. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Whether loopback and private addresses are allowed: only for addresses that the operator has set. */
  readonly allowPrivate?: boolean | undefined;
  readonly clock?: Clock | undefined;
  /** 0 ≤ x < 1, for the jitter. */
  readonly random?: (() => number) | undefined;
};

type DownloadRequest = {
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** JSON to POST; the request must be safe to repeat. */
  readonly json?: string | undefined;
  /** POSTed as a form instead of a GET. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Further headers, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

export type Downloader = {
  /**
   * GETs `url`, or POSTs a form or JSON to it. Any status but a redirect, 429, 502, 503 or 504 is an answer; those
   * four, time-outs and connection errors are tried again. Rejects with `NoResponse`, one sentence, when there is none.
   */
  download(url: string, request?: DownloadRequest): Promise<ReceivedResponse>;
  /** Requests sent so far, including retries. */
  sent(): number;
  /** Aborts requests in flight and closes the connections. */
  close(): Promise<void>;
};

const LONGEST_BACKOFF_MS = 30_000;
const NOT_MODIFIED = 304;
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/** Creates a downloader for one service, with its own throttle, certificates and connections. */
export function createDownloader(options: DownloaderOptions): Downloader {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const agent = createAgent(options);
  const throttle = new Throttle({ parallel: options.parallel, pauseMs: options.pauseMs, clock });
  let sent = 0;
  const download = async (url: string, downloadRequest: DownloadRequest = {}): Promise<ReceivedResponse> => {
    const target = parseUrl(url);
    for (let attempt = 1; ; attempt += 1) {
      const result = await throttle
        .run(() => {
          sent += 1;
          return tryOnce(target, downloadRequest, agent, options);
        }, downloadRequest.signal)
        .catch((error: unknown) => toRequestFailure(error));
      if (downloadRequest.signal?.aborted) throw new NoResponse(`the request to ${target.host} was stopped`);
      if (!(result instanceof RequestFailure)) return result;
      if (!result.isRetryable || attempt > options.retries) throw noResponse(target, result, attempt);
      await backOff(result, attempt, { ...options, clock }, throttle, downloadRequest.signal);
    }
  };
  return { download, sent: () => sent, close: () => agent.destroy() };
}

function requestBodyOf({ json, form }: DownloadRequest): { readonly type: string; readonly body: string } | null {
  if (json !== undefined) return { type: 'application/json', body: json };
  if (form === undefined) return null;
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}

async function tryOnce(
  url: URL,
  downloadRequest: DownloadRequest,
  agent: LazyAgent,
  options: DownloaderOptions,
): Promise<ReceivedResponse> {
  if (!options.allowPrivate && isPrivateLiteral(url)) {
    throw new RequestFailure('the address is a private one, which is not allowed here', false);
  }
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = downloadRequest.signal ? AbortSignal.any([downloadRequest.signal, deadline]) : deadline;
  const requestBody = requestBodyOf(downloadRequest);
  const headers = {
    'user-agent': options.userAgent,
    accept: downloadRequest.accept ?? '*/*',
    'accept-encoding': ACCEPTED_CODINGS,
    ...(requestBody && { 'content-type': requestBody.type }),
    ...downloadRequest.headers,
  };
  const sending = requestBody ? { method: 'POST' as const, body: requestBody.body } : { method: 'GET' as const };
  try {
    const { statusCode, headers: received, body } = await agent.request(url, { headers, signal, ...sending });
    body.on('error', () => undefined);
    const statusFailure = failureOfStatus(statusCode, received, url);
    if (statusFailure) {
      body.destroy();
      throw statusFailure;
    }
    const content = await readBody(body, headerText(received, 'content-encoding'), options.maxBytes);
    return { status: statusCode, contentType: headerText(received, 'content-type'), body: content };
  } catch (error) {
    if (deadline.aborted) throw new RequestFailure(`no complete answer within ${options.timeoutMs / 1000} s`, true);
    throw error;
  }
}

function failureOfStatus(status: number, headers: IncomingHttpHeaders, url: URL): RequestFailure | null {
  if (status >= 300 && status < 400 && status !== NOT_MODIFIED) {
    const location = URL.parse(headerText(headers, 'location'), url);
    const where = location ? `to ${location.host}` : 'without a target';
    return new RequestFailure(`it redirects ${where}, and redirects are not followed`, false);
  }
  if (!RETRYABLE_STATUSES.has(status)) return null;
  return new RequestFailure(`it answered ${status}`, true, parseRetryAfter(headerText(headers, 'retry-after')));
}

async function backOff(
  failure: RequestFailure,
  attempt: number,
  options: DownloaderOptions & { clock: Clock },
  throttle: Throttle,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { backoffMs = 1000, maxRetryAfterMs = 60_000, random = Math.random, clock } = options;
  const backoff = Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  const retryAfter = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs);
  if (retryAfter > 0) throttle.pauseFor(retryAfter);
  await clock.wait(Math.max(backoff, retryAfter), signal).catch(() => undefined);
}

function createAgent({ ca, timeoutMs, parallel, allowPrivate }: DownloaderOptions): LazyAgent {
  return new LazyAgent({
    connections: Math.max(1, parallel),
    pipelining: 1,
    // One plain connection each: a shared HTTP/2 session would make the limits on connections meaningless.
    allowH2: false,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: {
      timeout: Math.min(10_000, timeoutMs),
      ...(ca ? { ca: [...ca] } : {}),
      ...(allowPrivate ? {} : { lookup: publicLookup }),
    },
  });
}

function parseUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
  throw new NoResponse(`"${url.slice(0, 200)}" is not an http or https address`);
}

function noResponse(url: URL, failure: RequestFailure, tries: number): NoResponse {
  return new NoResponse(`no answer from ${url.host}${tries > 1 ? ` after ${tries} tries` : ''}: ${failure.message}`);
}

function headerText(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
