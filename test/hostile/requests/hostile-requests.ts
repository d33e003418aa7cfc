/**
 * Seeded hostile requests, made from the operations of an OpenAPI document, so that operations added later are also
 * attacked.
 */

import { mutatedBody } from './bodies.ts';
import { callerHeaders } from './callers.ts';
import { conflictingLengths, unusualHeaders, unusualHost } from './header-lines.ts';
import { mutatedAddress, type RequestAddress, targetOf, unusualTarget, wrongMethod } from './mutated-address.ts';
import { bodyBytes, goodBody, goodTarget, type KnownValues, type Operation } from './operations.ts';
import { corrupted, noise } from './raw-bytes.ts';
import { bytesOf, type HostileRequest, type RequestDraft } from './request-draft.ts';
import { SeededRandom } from './seeded-random.ts';

/** Statuses that any request may receive as a refusal. */
const GENERAL = [400, 405, 408, 413, 414, 415, 431];
/** These need things that exist, or places in the right country, which the schemas cannot express. */
const PLACE_DEPENDENT = ['/api/v1/traseu/custom', '/api/v1/de-statii', '/api/v1/review', '/api/v1/push/subscribe'];
const SMUGGLED = Buffer.from('0\r\n\r\nGET /api/v1/health HTTP/1.1\r\nHost: smuggled\r\n\r\n');

type RequestContext = {
  readonly operations: readonly Operation[];
  readonly known: KnownValues;
  readonly random: SeededRandom;
};
type RequestMaker = (context: RequestContext) => HostileRequest;

/** Makes the request with this number; the same arguments always give the same request. */
export function hostileRequest(
  operations: readonly Operation[],
  known: KnownValues,
  seed: number,
  number: number,
): HostileRequest {
  const random = new SeededRandom(seed, number);
  let rest = random.integer(1, TOTAL);
  for (const [share, maker] of SHARES) {
    rest -= share;
    if (rest <= 0) return maker({ operations, known, random });
  }
  throw new Error('the shares do not add up');
}

/** The share of each kind of hostile request. */
const SHARES: readonly (readonly [share: number, maker: RequestMaker])[] = [
  [8, goodRequest],
  [28, badAddress],
  [8, badMethod],
  [6, badForm],
  [18, badHeaders],
  [3, badHost],
  [6, badLengths],
  [9, badBody],
  [9, badBytes],
  [3, noiseRequest],
  [2, pipelined],
];
const TOTAL = SHARES.reduce((sum, [share]) => sum + share, 0);

function goodRequest(context: RequestContext): HostileRequest {
  const { operation, draft } = draftRequest(context);
  const isOwn = (status: number) => status < 500 && (operation.isOfSite || !GENERAL.includes(status));
  const own = operation.statuses.filter(isOwn);
  const statuses = PLACE_DEPENDENT.includes(operation.template) ? [...own, 400] : own;
  return finishRequest(context, 'good', draft, { statuses });
}

function badAddress(context: RequestContext): HostileRequest {
  const { operation, address, draft } = draftRequest(context);
  const target = targetOf(mutatedAddress(address, operation, context.random));
  return finishRequest(context, 'address', { ...draft, target });
}

function badMethod(context: RequestContext): HostileRequest {
  const { operation, draft } = draftRequest(context);
  const { operations, random } = context;
  const method = wrongMethod(operation.method, random);
  const allowed = operations.filter(({ template }) => template === operation.template).map((each) => each.method);
  const refused =
    /^(POST|PUT|PATCH|DELETE|TRACE|PROPFIND|QUERY|PURGE|MKCOL|LINK)$/.test(method) && !allowed.includes(method);
  const body = random.percent(40) ? mutatedBody({ a: 1 }, random) : { headers: [], body: draft.body };
  const headers = [...draft.headers, ...body.headers];
  const whole = { ...draft, method, headers, body: body.body };
  return finishRequest(
    context,
    'method',
    whole,
    refused
      ? { statuses: refusalsOf(operation) }
      : method === 'OPTIONS' && !operation.isOfSite
        ? { statuses: [204] }
        : {},
  );
}

/** Another method on an address of the site, which may have no page. */
function refusalsOf({ isOfSite }: Operation): number[] {
  return isOfSite ? [404, 405, 429] : [405];
}

function badForm(context: RequestContext): HostileRequest {
  const { draft } = draftRequest(context);
  const { random } = context;
  if (random.percent(75))
    return finishRequest(context, 'form of the target', { ...draft, target: unusualTarget(draft.target, random) });
  const version = random.oneOf([
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'HTTP/1.2',
    'HTTP/1',
    'http/1.1',
    'HTTP/11',
    'RTSP/1.0',
    '',
    'HTTP/1.1 x',
  ]);
  return finishRequest(context, 'version', { ...draft, version }, { halfClose: true });
}

function badHeaders(context: RequestContext): HostileRequest {
  const { draft } = draftRequest(context);
  return finishRequest(
    context,
    'headers',
    { ...draft, headers: [...draft.headers, ...unusualHeaders(context.random)] },
    { halfClose: true },
  );
}

function badHost(context: RequestContext): HostileRequest {
  const { draft } = draftRequest(context);
  const headers = [...unusualHost(context.random), ...draft.headers.filter(([name]) => name !== 'Host')];
  return finishRequest(context, 'host', { ...draft, headers }, { halfClose: true });
}

function badLengths(context: RequestContext): HostileRequest {
  const { draft } = draftRequest(context);
  const { random } = context;
  const method = random.oneOf(['GET', 'POST', 'DELETE', draft.method]);
  const body = random.percent(70) ? SMUGGLED : draft.body;
  const lines = conflictingLengths(body, random);
  // The service must answer nothing after a request with `Connection: close`, whatever its lengths are.
  const headers = [
    ...draft.headers.filter(([name]) => name !== 'Connection'),
    ['Connection', 'close'] as [string, string],
    ...lines,
  ];
  return finishRequest(context, 'lengths', { ...draft, method, headers, body }, { halfClose: true });
}

function badBody(context: RequestContext): HostileRequest {
  const { operations, random, known } = context;
  const withBody = operations.filter(({ body }) => body !== null);
  const narrowed = withBody.length > 0 && random.percent(80) ? { ...context, operations: withBody } : context;
  const { operation, draft } = draftRequest(narrowed);
  const { headers, body } = mutatedBody(goodBody(operation, known, random), random);
  const method = operation.body === null && random.percent(60) ? 'POST' : draft.method;
  const others = draft.headers.filter(([name]) => name !== 'Content-Type');
  return finishRequest(context, 'body', { ...draft, method, headers: [...others, ...headers], body });
}

function badBytes(context: RequestContext): HostileRequest {
  const one = bytesOf(draftRequest(context).draft);
  const other = bytesOf(draftRequest(context).draft);
  return { bytes: corrupted(one, other, context.random), kind: 'bytes', halfClose: true, answers: null };
}

function noiseRequest({ random }: RequestContext): HostileRequest {
  return { bytes: noise(random), kind: 'noise', halfClose: true, answers: null };
}

/** Good requests and a bad one on one connection: each must get its own answer, in order. */
function pipelined(context: RequestContext): HostileRequest {
  const { random, operations } = context;
  const reads = { ...context, operations: operations.filter(({ method }) => method === 'GET') };
  const before = Array.from({ length: reads.operations.length > 0 ? random.integer(1, 4) : 0 }, () => {
    const { draft } = draftRequest(reads);
    return bytesOf(draft);
  });
  const last = random.oneOf([badAddress, badMethod, badForm])(context);
  return {
    ...last,
    bytes: Buffer.concat([...before, last.bytes]),
    kind: `pipelined, ${last.kind}`,
    answers: before.length + 1,
  };
}

function draftRequest({ operations, known, random }: RequestContext): {
  operation: Operation;
  address: RequestAddress;
  draft: RequestDraft;
} {
  const operation = random.oneOf(operations);
  const address = goodTarget(operation, known, random);
  const json = goodBody(operation, known, random);
  const headers: RequestDraft['headers'] = [
    ['Host', random.percent(90) ? 'pompa.example' : '127.0.0.1:8080'],
    ...callerHeaders(operation, known, random),
  ];
  if (random.percent(40))
    headers.push(['Accept-Encoding', random.oneOf(['gzip', 'br', 'zstd, gzip;q=0.5', 'gzip, deflate, br'])]);
  if (json !== null) headers.push(['Content-Type', operation.bodyType]);
  const body = json === null ? Buffer.alloc(0) : bodyBytes(operation, json);
  return {
    operation,
    address,
    draft: { method: operation.method, target: targetOf(address), version: 'HTTP/1.1', headers, body },
  };
}

function finishRequest(
  { random }: RequestContext,
  kind: string,
  draft: RequestDraft,
  known: Partial<HostileRequest> = {},
): HostileRequest {
  const halfClose = known.halfClose ?? random.percent(50);
  const asksToClose = draft.headers.some(([name]) => name === 'Connection');
  const closing: RequestDraft['headers'] =
    asksToClose || (halfClose && random.percent(50)) ? [] : [['Connection', 'close']];
  // After a header value that ends the head, the rest is another request.
  const answers = draft.headers.some(([, value]) => /\r\n(\r\n|$)/.test(value)) ? null : 1;
  return { bytes: bytesOf({ ...draft, headers: [...closing, ...draft.headers] }), kind, answers, ...known, halfClose };
}
