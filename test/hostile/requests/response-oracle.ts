/** Checks whether the bytes received on a connection are what the contract promises for the requests sent. */
import type { AssertionError } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import { answerCheck, pathPattern } from '../../support/service/openapi-check.ts';
import { askedFormat, assertCsv, assertInvariants, CSV, requestTraits } from './answer-invariants.ts';
import { parseRequestLine, type RequestLine } from './first-line.ts';
import type { Json, Operation } from './operations.ts';
import type { HostileRequest } from './request-draft.ts';
import { MalformedResponse, type ParsedResponse, parseResponses } from './response-reader.ts';

/** An answer violates the contract: the rule that it breaks, and how. */
export class ContractViolation extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** Refusals of malformed, slow and oversized requests. */
const PARSE_REFUSALS = [400, 408, 414, 431];
/**
 * 301 leads from an address in capitals, or with a slash at its end, to the page; 429 is for whoever reads too many.
 */
const ON_PAGES = [200, 301, 304, 404, 405, 429, ...PARSE_REFUSALS];
/** What is said in words, beside the refusals in JSON. */
const AS_PAGES = [200, 301, 304, 404, 429];
const BODY_REFUSALS = [413, 415];
const CORS_METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** What answers about a key: no page of another origin may read it. */
const OF_KEY = /^\/api\/v1\/cheie(\/|$)/;
const RATE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;
const LICENCE = '<https://creativecommons.org/licenses/by/4.0/>; rel="license"';
const PLANS = /^, <https?:\/\/[^<> ]+\/planuri>; rel="payment"$/;
const isWidget = (line: RequestLine | null) => /^\/(en\/)?widget\//.test(line?.path ?? '');
const PROBES = ['/livez', '/readyz'];
const HEADERS = new Set(
  `date connection keep-alive content-type content-length content-encoding cache-control vary link allow retry-after
  pompa-cursor pompa-total x-content-type-options access-control-allow-origin access-control-expose-headers access-control-allow-methods
  access-control-allow-headers access-control-max-age x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset
  content-security-policy x-frame-options referrer-policy cross-origin-resource-policy
  cross-origin-opener-policy cross-origin-embedder-policy content-language location etag x-robots-tag`.split(/\s+/),
);
/** Characters that no message may contain, because terminals and browsers interpret them. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const INTERNALS =
  /node_modules|node:internal|\.[cm]?[jt]s:\d+|\n\s+at |\b(Type|Range|Syntax|Reference)Error\b|\/(work|home|tmp|usr)\//;
const LONGEST_MESSAGE = 400;
const MAX_CHECKED_BODIES = 4_000;
const JOURNEY = { method: 'POST', target: '/api/v1/traseu/custom' };

/** A correct answer: its status, and its operation, such as `GET /api/v1/retele`; `null` = none. */
export type JudgedAnswer = { readonly status: number; readonly operation: string | null };

/** Checks the received bytes; throws a `ContractViolation`, or returns the answers. */
export type ResponseJudge = (hostile: HostileRequest, received: Buffer) => JudgedAnswer[];

/** The rule that a 503 breaks; only this answer may change on a retry. */
export const OUTAGE = 'outage';

/** Creates a judge for an OpenAPI document. */
export function createJudge(document: Json, operations: readonly Operation[]): ResponseJudge {
  const check = answerCheck(document);
  const patterns = operations.map((each) => ({ ...each, pattern: pathPattern(each.template) }));
  const checked = new Map<string, true>();
  const operationsAt = (path: string | null) =>
    path === null ? [] : patterns.filter(({ pattern }) => pattern.test(path));
  const judgeOne = (requestLine: RequestLine | null, answer: ParsedResponse): void => {
    assertHeaders(answer);
    const path = requestLine?.path ?? null;
    const known = operationsAt(path);
    assertStatus(requestLine, answer.status, known);
    if (known.some(({ isOfSite }) => isOfSite)) {
      assertSite(requestLine, answer);
      return;
    }
    if (answer.status === 204 || !isOfApi(requestLine, answer, known)) return;
    assertContract(requestLine, answer);
    const traits = { ...requestTraits(requestLine?.query ?? ''), keyed: answer.headers[RATE[0]] !== undefined };
    const key = `${requestLine?.method} ${known[0]?.template} ${Object.values(traits)} ${keyOf(answer)}`;
    if (answer.body.length === 0 || checked.has(key)) return;
    const json = decoded(answer);
    if (typeof json === 'string') rule('body', () => assertCsv(json));
    const target = path === null ? '/' : path.replaceAll('?', '%3F');
    // A request that is refused before routing receives the general answer, or that of the journey it asks for.
    const has = (field: string) => typeof json === 'object' && field in json;
    const isGeneral = has('docs') || (PARSE_REFUSALS.includes(answer.status) && has('message'));
    const named = { method: requestLine?.method ?? 'GET', target: isGeneral ? '/' : target };
    const asked = requestLine === null && has('ok') ? JOURNEY : named;
    rule('document', () => check({ ...asked, ...answer, json }));
    if (answer.status >= 400) assertEnvelope(json);
    if (answer.status === 200 && typeof json === 'object') {
      rule('invariant', () => assertInvariants(json, traits));
    }
    if (checked.size >= MAX_CHECKED_BODIES) checked.clear();
    checked.set(key, true);
  };
  return (hostile, received) => {
    const heads = requestsIn(hostile);
    const answers = answersOf(received, heads);
    assertCount(hostile, answers);
    for (const [number, answer] of answers.entries()) judgeOne(heads[number] ?? null, answer);
    const last = answers.at(-1)?.status ?? 0;
    if (hostile.statuses && !hostile.statuses.includes(last))
      throw new ContractViolation('expected', `${last} instead of ${hostile.statuses}`);
    return answers.map(({ status }, number) => {
      const { method, path = null } = heads[number] ?? {};
      const own = operationsAt(path).find((each) => each.method === method);
      return { status, operation: own === undefined ? null : `${own.method} ${own.template}` };
    });
  };
}

/** The first line of each request on the connection, where it can be determined. */
function requestsIn({ bytes, answers, kind }: HostileRequest): (RequestLine | null)[] {
  const requestLine: (RequestLine | null)[] = [];
  let at = 0;
  // Requests before the last one of a pipeline have no body.
  for (let number = 1; number < (answers ?? 1); number += 1) {
    requestLine.push(parseRequestLine(bytes.subarray(at)));
    at = bytes.indexOf('\r\n\r\n', at) + 4;
  }
  requestLine.push(kind === 'noise' ? null : parseRequestLine(bytes.subarray(at)));
  return requestLine;
}

function answersOf(received: Buffer, requestLine: readonly (RequestLine | null)[]): ParsedResponse[] {
  try {
    return parseResponses(received, (number) => requestLine[number]?.method);
  } catch (error) {
    if (!(error instanceof MalformedResponse)) throw error;
    throw new ContractViolation('wire', `${error.message}; received: ${shown(received)}`);
  }
}

function assertCount({ bytes, answers: wanted }: HostileRequest, answers: readonly ParsedResponse[]): void {
  if (wanted !== null && answers.length !== wanted)
    throw new ContractViolation('count', `${answers.length} answers instead of ${wanted}`);
  const text = bytes.toString('latin1');
  const most = (text.match(/HTTP\//g)?.length ?? 0) + 1;
  if (wanted === null && answers.length > most)
    throw new ContractViolation('count', `${answers.length} answers, at most ${most} requests`);
  if (answers.length === 0 && /[^\r\n]/.test(text)) throw new ContractViolation('count', 'no answer');
  answers.slice(0, -1).forEach(({ headers }) => {
    if (headers.connection === 'close') throw new ContractViolation('close', 'another answer after the last one');
  });
}

function assertHeaders({ status, headers }: ParsedResponse): void {
  for (const name of Object.keys(headers))
    if (!HEADERS.has(name)) throw new ContractViolation('headers', `${name}: ${headers[name]}`);
  if (headers['x-content-type-options'] !== 'nosniff' && status !== 200)
    throw new ContractViolation('headers', 'no nosniff');
  const rates = RATE.filter((name) => headers[name] !== undefined);
  if (rates.length % RATE.length !== 0) throw new ContractViolation('headers', `only ${rates} of X-RateLimit-*`);
  if (headers.date === undefined) throw new ContractViolation('headers', 'no Date');
}

function assertStatus(requestLine: RequestLine | null, status: number, known: readonly Operation[]): void {
  // Even a documented failure is wrong here: the service and everything it depends on are healthy.
  if (status >= 500)
    throw new ContractViolation(
      status === 503 ? OUTAGE : 'failure',
      `${status} to ${requestLine?.method} ${requestLine?.path}`,
    );
  const right = rightStatuses(requestLine, known);
  if (!right.includes(status))
    throw new ContractViolation(
      'status',
      `${status} to ${requestLine?.method} ${requestLine?.path}, instead of ${right}`,
    );
}

function rightStatuses(requestLine: RequestLine | null, known: readonly Operation[]): readonly number[] {
  if (requestLine === null) return [...PARSE_REFUSALS, 404, 405];
  if (requestLine.path === null) return PARSE_REFUSALS;
  if (known.some(({ isOfSite }) => isOfSite))
    return [...known.flatMap(({ statuses }) => statuses), 301, 304, 404, 405, 429, ...BODY_REFUSALS, ...PARSE_REFUSALS];
  if (known.length > 0) {
    if (requestLine.method === 'OPTIONS') return [204, ...PARSE_REFUSALS];
    const method = requestLine.method === 'HEAD' ? 'GET' : requestLine.method;
    const operation = known.find((each) => each.method === method);
    // A path parameter can lead to no route: when it is too long, or contains an encoded slash.
    const unrouted = /\{/.test(known[0]?.template ?? '') ? [404] : [];
    const own = operation?.statuses ?? [405];
    return [...own, ...unrouted, ...PARSE_REFUSALS];
  }
  return inApi(requestLine.path) ? [404, 410, ...PARSE_REFUSALS] : ON_PAGES;
}

const inApi = (path: string) => path === '/openapi.json' || /^\/api(\/|$)/.test(path);

/**
 * The contract covers the API and every refusal in JSON, but neither pages nor probes. What the request asks for as
 * another format has the media type of that format when it succeeds, and nothing else has.
 */
function isOfApi(requestLine: RequestLine | null, answer: ParsedResponse, known: readonly Operation[]): boolean {
  const { status, headers } = answer;
  const json = headers['content-type'] === 'application/json; charset=utf-8';
  const types = known.flatMap(({ otherTypes }) => otherTypes);
  const asked = askedFormat(requestLine?.query ?? '');
  if (status === 200 && asked !== undefined && types.includes(asked.split(';', 1)[0] as string)) {
    if (headers['content-type'] !== asked)
      throw new ContractViolation('headers', `${headers['content-type']} instead of ${asked}`);
    return true;
  }
  const ours = known.length > 0 || (requestLine?.path != null && inApi(requestLine.path));
  if (ours && !json) throw new ContractViolation('headers', `${headers['content-type']} from the API`);
  if (requestLine?.path != null && PROBES.includes(requestLine.path) && status === 200) return false;
  if (!json && !AS_PAGES.includes(status) && !(status === 400 && isWidget(requestLine)))
    throw new ContractViolation('headers', `a refusal as ${headers['content-type']}`);
  return json;
}

/** What the site promises of every page: a policy, and nothing of its insides. */
function assertSite(requestLine: RequestLine | null, answer: ParsedResponse): void {
  const { status, headers, body } = answer;
  if (!headers['content-type']?.startsWith('text/html')) return;
  // Only a widget may be framed by other sites.
  const needed = ['content-security-policy', 'referrer-policy', ...(isWidget(requestLine) ? [] : ['x-frame-options'])];
  for (const name of needed)
    if (headers[name] === undefined) throw new ContractViolation('headers', `${status} without ${name}`);
  if (requestLine?.method === 'HEAD' || body.length === 0) return;
  const text = decodedText(answer);
  if (INTERNALS.test(text)) throw new ContractViolation('message', `reveals internals: ${INTERNALS.exec(text)?.[0]}`);
  if (!/^<!doctype html>[\s\S]*<\/html>\s*$/i.test(text)) throw new ContractViolation('body', 'not a whole page');
}

function assertContract(requestLine: RequestLine | null, { status, headers }: ParsedResponse): void {
  const want = (name: string, value: string | undefined) => {
    if (headers[name] !== value) throw new ContractViolation('contract headers', `${name}: ${headers[name]}`);
  };
  const { link = '' } = headers;
  const plans = status === 429 && PLANS.test(link.slice(LICENCE.length));
  if (!link.startsWith(LICENCE) || (link !== LICENCE && !plans))
    throw new ContractViolation('contract headers', `link: ${link}`);
  want('vary', 'Accept-Encoding');
  want('x-content-type-options', 'nosniff');
  want('cache-control', requestLine?.path === '/openapi.json' && status === 200 ? 'public, max-age=300' : 'no-store');
  // The service cannot know the method of a request that it could not parse.
  if (requestLine === null || PARSE_REFUSALS.includes(status)) return;
  const readable = CORS_METHODS.includes(requestLine.method) && !OF_KEY.test(requestLine.path ?? '');
  want('access-control-allow-origin', readable ? '*' : undefined);
}

function assertEnvelope(json: Json): void {
  for (const text of Object.values(json)) {
    if (typeof text !== 'string') continue;
    if (CONTROL_CHARACTERS.test(text))
      throw new ContractViolation('message', `control characters: ${JSON.stringify(text)}`);
    if (text.length > LONGEST_MESSAGE) throw new ContractViolation('message', `${text.length} characters`);
    if (INTERNALS.test(text)) throw new ContractViolation('message', `reveals internals: ${text}`);
  }
}

/** The JSON, or the text of CSV. */
function decoded(answer: ParsedResponse): Json {
  const text = decodedText(answer);
  if (answer.headers['content-type'] === CSV) return text;
  return rule('body', () => JSON.parse(text));
}

function decodedText({ headers, body }: ParsedResponse): string {
  return rule('body', () => {
    const coding = headers['content-encoding'];
    const plain = coding === undefined ? body : (DECODERS[coding] as (coded: Buffer) => Buffer)(body);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  });
}

const DECODERS: Readonly<Record<string, (coded: Buffer) => Buffer>> = {
  gzip: (coded) => zlib.gunzipSync(coded),
  br: (coded) => zlib.brotliDecompressSync(coded),
  zstd: (coded) => zlib.zstdDecompressSync(coded),
};

/** Turns every error of the check into a violation of this rule. */
function rule<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const { message } = error as AssertionError;
    throw new ContractViolation(name, message);
  }
}

function keyOf({ status, headers, body }: ParsedResponse): string {
  return `${status} ${headers['content-encoding']} ${createHash('sha1').update(body).digest('base64')}`;
}

/** Bytes as a JSON text, which people can read and programs can send again. */
export function shown(bytes: Buffer, most = 600): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, most)).replaceAll(
    /[\x7f-\xff]/g,
    (each) => `\\u00${each.charCodeAt(0).toString(16)}`,
  );
  return bytes.length > most ? `${text} … (${bytes.length} bytes)` : text;
}
