/** Fetches pages of other people's services: politely, bounded in time and size, never following a redirect. */
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import { type Answer, NoAnswer } from './answer.ts';
import { ACCEPTED_CODINGS, readBody } from './decode.ts';
import { Trouble, troubleOf } from './failure.ts';
import { type Clock, Pace, SYSTEM_CLOCK } from './pace.ts';
import { isPrivateLiteral, publicLookup } from './private-address.ts';

export type DownloaderOptions = {
  /** Who we are, with a contact. */
  readonly userAgent: string;
  /** For one try, from connecting to the last byte. */
  readonly timeoutMs: number;
  /** Largest body, on the wire and unpacked. */
  readonly maxBytes: number;
  /** Further tries after the first one. */
  readonly retries: number;
  /** Rest between the starts of two requests, over all that this downloader does. */
  readonly pauseMs: number;
  /** Requests under way at once. */
  readonly parallel: number;
  /** Certificate authorities to trust instead of the runtime's own. Verification is never off. */
  readonly ca?: readonly string[] | undefined;
  /** First back-off; doubled for each further try, with jitter, up to 30 s. */
  readonly backoffMs?: number | undefined;
  /** Longest `Retry-After` that is honoured in full. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Whether loopback and private addresses may be asked: for addresses that the operator has set. */
  readonly allowPrivate?: boolean | undefined;
  readonly clock?: Clock | undefined;
  /** 0 ≤ x < 1, for the jitter. */
  readonly random?: (() => number) | undefined;
};

type DownloadWish = {
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** JSON to POST; it must be a question that may be asked twice. */
  readonly json?: string | undefined;
  /** POSTed as a form instead of a GET. */
  readonly form?: Readonly<Record<string, string>> | undefined;
};

export type Downloader = {
  /**
   * GETs `url`, or POSTs a form or JSON to it. Any status but a redirect, 429, 502, 503 or 504 is an answer; those four, time-outs and connection
   * errors are tried again. Rejects with `NoAnswer`, one sentence, when there is none.
   */
  download(url: string, wish?: DownloadWish): Promise<Answer>;
  /** Requests sent so far, further tries included. */
  sent(): number;
  /** Cuts what is under way and frees the connections. */
  close(): Promise<void>;
};

const LONGEST_BACKOFF_MS = 30_000;
const ASK_AGAIN = new Set([429, 502, 503, 504]);

/** A downloader for one service: its pace, its certificates and its connections are its own. */
export function createDownloader(options: DownloaderOptions): Downloader {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const agent = createAgent(options);
  const pace = new Pace({ parallel: options.parallel, pauseMs: options.pauseMs, clock });
  let sent = 0;
  const download = async (url: string, wish: DownloadWish = {}): Promise<Answer> => {
    const target = parseUrl(url);
    for (let attempt = 1; ; attempt += 1) {
      const result = await pace
        .run(() => {
          sent += 1;
          return tryOnce(target, wish, agent, options);
        }, wish.signal)
        .catch((error: unknown) => troubleOf(error));
      if (wish.signal?.aborted) throw new NoAnswer(`the request to ${target.host} was stopped`);
      if (!(result instanceof Trouble)) return result;
      if (!result.again || attempt > options.retries) throw noAnswer(target, result, attempt);
      await backOff(result, attempt, { ...options, clock }, pace, wish.signal);
    }
  };
  return { download, sent: () => sent, close: () => agent.destroy() };
}

function postedBy({ json, form }: DownloadWish): { readonly type: string; readonly body: string } | null {
  if (json !== undefined) return { type: 'application/json', body: json };
  if (form === undefined) return null;
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}

async function tryOnce(url: URL, wish: DownloadWish, agent: Agent, options: DownloaderOptions): Promise<Answer> {
  if (!options.allowPrivate && isPrivateLiteral(url)) {
    throw new Trouble('the address is a private one, which is not allowed here', false);
  }
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = wish.signal ? AbortSignal.any([wish.signal, deadline]) : deadline;
  const posted = postedBy(wish);
  const headers = {
    'user-agent': options.userAgent,
    accept: wish.accept ?? '*/*',
    'accept-encoding': ACCEPTED_CODINGS,
    ...(posted && { 'content-type': posted.type }),
  };
  const sending = posted ? { method: 'POST' as const, body: posted.body } : {};
  try {
    const call = { dispatcher: agent, headers, signal, ...sending };
    const { statusCode, headers: received, body } = await request(url, call);
    body.on('error', () => undefined);
    const refusal = refusalOf(statusCode, received, url);
    if (refusal) {
      body.destroy();
      throw refusal;
    }
    const content = await readBody(body, headerText(received, 'content-encoding'), options.maxBytes);
    return { status: statusCode, contentType: headerText(received, 'content-type'), body: content };
  } catch (error) {
    if (deadline.aborted) throw new Trouble(`no complete answer within ${options.timeoutMs / 1000} s`, true);
    throw error;
  }
}

function refusalOf(status: number, headers: IncomingHttpHeaders, url: URL): Trouble | null {
  if (status >= 300 && status < 400) {
    const location = URL.parse(headerText(headers, 'location'), url);
    const where = location ? `to ${location.host}` : 'without a target';
    return new Trouble(`it redirects ${where}, and redirects are not followed`, false);
  }
  if (!ASK_AGAIN.has(status)) return null;
  return new Trouble(`it answered ${status}`, true, retryAfterMs(headerText(headers, 'retry-after')));
}

function retryAfterMs(text: string): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

async function backOff(
  trouble: Trouble,
  attempt: number,
  options: DownloaderOptions & { clock: Clock },
  pace: Pace,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { backoffMs = 1000, maxRetryAfterMs = 60_000, random = Math.random, clock } = options;
  const growing = Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  const asked = Math.min(trouble.restMs ?? 0, maxRetryAfterMs);
  if (asked > 0) pace.hold(asked);
  await clock.wait(Math.max(growing, asked), signal).catch(() => undefined);
}

function createAgent({ ca, timeoutMs, parallel, allowPrivate }: DownloaderOptions): Agent {
  return new Agent({
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
  throw new NoAnswer(`"${url.slice(0, 200)}" is not an http or https address`);
}

function noAnswer(url: URL, trouble: Trouble, tries: number): NoAnswer {
  return new NoAnswer(`no answer from ${url.host}${tries > 1 ? ` after ${tries} tries` : ''}: ${trouble.message}`);
}

function headerText(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
