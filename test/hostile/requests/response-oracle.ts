/** Whether what came back on a connection is what the contract promises, to this request and to any other. */
import type { AssertionError } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import { answerCheck, pathPattern } from '../../support/service/openapi-check.ts';
import { type Asked, askedBy } from './first-line.ts';
import { holdInvariants, wishesIn } from './invariants.ts';
import type { Json, Operation } from './operations.ts';
import type { Hostile } from './request-draft.ts';
import { answersIn, Malformed, type WireAnswer } from './response-reader.ts';

/** An answer is not as it should be: which rule it breaks, and how. */
export class Breach extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** Refusals of what is no request, or too much of one. */
const UNREAD = [400, 408, 414, 431];
const ON_PAGES = [200, 404, 405, ...UNREAD];
const CORS_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const PRIVATE = '/api/v1/cheie';
const RATE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;
const LICENCE = '<https://creativecommons.org/licenses/by/4.0/>; rel="license"';
const PLANS = /^, <https?:\/\/[^<> ]+\/planuri>; rel="payment"$/;
const PROBES = ['/livez', '/readyz'];
const HEADERS = new Set(
  `date connection keep-alive content-type content-length content-encoding cache-control vary link allow retry-after
  x-content-type-options access-control-allow-origin access-control-expose-headers access-control-allow-methods
  access-control-allow-headers access-control-max-age x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset
  content-security-policy x-frame-options referrer-policy cross-origin-resource-policy`.split(/\s+/),
);
/** Characters that a message must not carry back: they act on whoever displays it. */
const ACTING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const INSIDES =
  /node_modules|node:internal|\.[cm]?[jt]s:\d+|\n\s+at |\b(Type|Range|Syntax|Reference)Error\b|\/(work|home|tmp|usr)\//;
const LONGEST_MESSAGE = 400;
const KEPT_BODIES = 4_000;

/** An answer that is right: its status, and the operation that it is of, such as `GET /api/v1/retele`; `null` = of none. */
export type Heard = { readonly status: number; readonly operation: string | null };

/** Judges what came back; throws a `Breach`, else tells what was heard. */
export type Judge = (hostile: Hostile, received: Buffer) => Heard[];

/** The rule that a 503 breaks: the one answer of which a client may hope that it is another when asked again. */
export const OUTAGE = 'outage';

/** A judge by one OpenAPI document. */
export function judgeBy(document: Json, operations: readonly Operation[]): Judge {
  const check = answerCheck(document);
  const patterns = operations.map((each) => ({ ...each, pattern: pathPattern(each.template) }));
  const checked = new Map<string, true>();
  const meant = (path: string | null) => (path === null ? [] : patterns.filter(({ pattern }) => pattern.test(path)));
  const judgeOne = (asked: Asked | null, answer: WireAnswer): void => {
    holdHeaders(answer);
    const path = asked?.path ?? null;
    const known = meant(path);
    holdStatus(asked, answer.status, known);
    if (answer.status === 204 || !isOfApi(asked, answer, known.length > 0)) return;
    holdContract(asked, answer);
    const wishes = { ...wishesIn(asked?.query ?? ''), keyed: answer.headers[RATE[0]] !== undefined };
    const key = `${asked?.method} ${known[0]?.template} ${Object.values(wishes)} ${keyOf(answer)}`;
    if (answer.body.length === 0 || checked.has(key)) return;
    const json = decoded(answer);
    const target = asked === null || path === null ? '/' : path.replaceAll('?', '%3F');
    const { status, headers } = answer;
    // What is refused before anybody looks where it leads is worded in general.
    const unread = 'docs' in json || (UNREAD.includes(status) && 'message' in json);
    rule('document', () =>
      check({ method: asked?.method ?? 'GET', target: unread ? '/' : target, status, headers, json }),
    );
    if (status >= 400) holdEnvelope(json);
    if (status === 200) rule('invariant', () => holdInvariants(json, wishes));
    if (checked.size >= KEPT_BODIES) checked.clear();
    checked.set(key, true);
  };
  return (hostile, received) => {
    const heads = requestsIn(hostile);
    const answers = answersOf(received, heads);
    holdCount(hostile, answers);
    for (const [number, answer] of answers.entries()) judgeOne(heads[number] ?? null, answer);
    const last = answers.at(-1)?.status ?? 0;
    if (hostile.statuses && !hostile.statuses.includes(last))
      throw new Breach('expected', `${last} instead of ${hostile.statuses}`);
    return answers.map(({ status }, number) => {
      const { method, path = null } = heads[number] ?? {};
      const own = meant(path).find((each) => each.method === method);
      return { status, operation: own === undefined ? null : `${own.method} ${own.template}` };
    });
  };
}

/** What each request on the connection asks for, as far as that is plain. */
function requestsIn({ bytes, answers, kind }: Hostile): (Asked | null)[] {
  const asked: (Asked | null)[] = [];
  let at = 0;
  // Requests before the last one of a pipeline have no body.
  for (let number = 1; number < (answers ?? 1); number += 1) {
    asked.push(askedBy(bytes.subarray(at)));
    at = bytes.indexOf('\r\n\r\n', at) + 4;
  }
  asked.push(kind === 'noise' ? null : askedBy(bytes.subarray(at)));
  return asked;
}

function answersOf(received: Buffer, asked: readonly (Asked | null)[]): WireAnswer[] {
  try {
    return answersIn(received, (number) => asked[number]?.method);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new Breach('wire', `${error.message}; came: ${shown(received)}`);
  }
}

function holdCount({ bytes, answers: wanted }: Hostile, answers: readonly WireAnswer[]): void {
  if (wanted !== null && answers.length !== wanted)
    throw new Breach('count', `${answers.length} answers instead of ${wanted}`);
  const text = bytes.toString('latin1');
  const most = (text.match(/HTTP\//g)?.length ?? 0) + 1;
  if (wanted === null && answers.length > most)
    throw new Breach('count', `${answers.length} answers, at most ${most} requests`);
  if (answers.length === 0 && /[^\r\n]/.test(text)) throw new Breach('count', 'no answer');
  answers.slice(0, -1).forEach(({ headers }) => {
    if (headers.connection === 'close') throw new Breach('close', 'another answer after the last one');
  });
}

function holdHeaders({ status, headers }: WireAnswer): void {
  for (const name of Object.keys(headers))
    if (!HEADERS.has(name)) throw new Breach('headers', `${name}: ${headers[name]}`);
  if (headers['x-content-type-options'] !== 'nosniff' && status !== 200) throw new Breach('headers', 'no nosniff');
  const rates = RATE.filter((name) => headers[name] !== undefined);
  if (rates.length % RATE.length !== 0) throw new Breach('headers', `of X-RateLimit only ${rates}`);
  if (headers.date === undefined) throw new Breach('headers', 'no Date');
}

function holdStatus(asked: Asked | null, status: number, known: readonly Operation[]): void {
  // Documented or not: nothing is wrong with the service or with what it depends on, so nothing may fail.
  if (status >= 500)
    throw new Breach(status === 503 ? OUTAGE : 'failure', `${status} to ${asked?.method} ${asked?.path}`);
  const right = rightStatuses(asked, known);
  if (!right.includes(status))
    throw new Breach('status', `${status} to ${asked?.method} ${asked?.path}, instead of ${right}`);
}

function rightStatuses(asked: Asked | null, known: readonly Operation[]): readonly number[] {
  if (asked === null) return [...UNREAD, 404, 405];
  if (asked.path === null) return UNREAD;
  if (known.length > 0) {
    if (asked.method === 'OPTIONS') return [204, ...UNREAD];
    const method = asked.method === 'HEAD' ? 'GET' : asked.method;
    const operation = known.find((each) => each.method === method);
    // A path of an address that may be anything can be one that leads nowhere: too long, or with an encoded slash.
    const nowhere = /\{/.test(known[0]?.template ?? '') ? [404] : [];
    const own = operation?.statuses ?? [405];
    return [...own, ...nowhere, ...UNREAD];
  }
  return inApi(asked.path) ? [404, 410, ...UNREAD] : ON_PAGES;
}

const inApi = (path: string) => path === '/openapi.json' || /^\/api(\/|$)/.test(path);

/** Pages and probes are not under the contract; each refusal in JSON is, wherever it was. */
function isOfApi(asked: Asked | null, { status, headers }: WireAnswer, known: boolean): boolean {
  const json = headers['content-type'] === 'application/json; charset=utf-8';
  const ours = known || (asked?.path != null && inApi(asked.path));
  if (ours && !json) throw new Breach('headers', `${headers['content-type']} from the API`);
  if (asked?.path != null && PROBES.includes(asked.path) && status === 200) return false;
  if (!json && status !== 200 && status !== 404) throw new Breach('headers', `a refusal as ${headers['content-type']}`);
  return json;
}

function holdContract(asked: Asked | null, { status, headers }: WireAnswer): void {
  const want = (name: string, value: string | undefined) => {
    if (headers[name] !== value) throw new Breach('contract headers', `${name}: ${headers[name]}`);
  };
  const { link = '' } = headers;
  const plans = status === 429 && PLANS.test(link.slice(LICENCE.length));
  if (!link.startsWith(LICENCE) || (link !== LICENCE && !plans)) throw new Breach('contract headers', `link: ${link}`);
  want('vary', 'Accept-Encoding');
  want('x-content-type-options', 'nosniff');
  want('cache-control', asked?.path === '/openapi.json' && status === 200 ? 'public, max-age=300' : 'no-store');
  // Of what could not be read it is not known whether it was a GET.
  if (asked === null || UNREAD.includes(status)) return;
  const readable = CORS_METHODS.includes(asked.method) && asked.path !== PRIVATE;
  want('access-control-allow-origin', readable ? '*' : undefined);
}

function holdEnvelope(json: Json): void {
  for (const text of Object.values(json)) {
    if (typeof text !== 'string') continue;
    if (ACTING.test(text)) throw new Breach('message', `characters that act: ${JSON.stringify(text)}`);
    if (text.length > LONGEST_MESSAGE) throw new Breach('message', `${text.length} characters`);
    if (INSIDES.test(text)) throw new Breach('message', `tells of the inside: ${text}`);
  }
}

function decoded({ headers, body }: WireAnswer): Json {
  return rule('body', () => {
    const coding = headers['content-encoding'];
    const plain = coding === undefined ? body : (DECODERS[coding] as (coded: Buffer) => Buffer)(body);
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain));
  });
}

const DECODERS: Readonly<Record<string, (coded: Buffer) => Buffer>> = {
  gzip: (coded) => zlib.gunzipSync(coded),
  br: (coded) => zlib.brotliDecompressSync(coded),
  zstd: (coded) => zlib.zstdDecompressSync(coded),
};

/** Whatever the check throws is a breach of this rule. */
function rule<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const { message } = error as AssertionError;
    throw new Breach(name, message);
  }
}

function keyOf({ status, headers, body }: WireAnswer): string {
  return `${status} ${headers['content-encoding']} ${createHash('sha1').update(body).digest('base64')}`;
}

/** Bytes as people can read and programs can repeat them. */
export function shown(bytes: Buffer, most = 600): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, most)).replaceAll(
    /[\x7f-\xff]/g,
    (each) => `\\u00${each.charCodeAt(0).toString(16)}`,
  );
  return bytes.length > most ? `${text} … (${bytes.length} bytes)` : text;
}
