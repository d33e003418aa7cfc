/** Seeded hostile requests, made from what an OpenAPI document offers: operations added later are attacked by themselves. */
import { type Address, oddForm, otherMethod, spoilt, targetOf } from './addresses.ts';
import { spoiltBody } from './bodies.ts';
import { callerLines } from './callers.ts';
import { conflictingLengths, oddHost, oddLines } from './header-lines.ts';
import { goodBody, goodTarget, type Known, type Operation } from './operations.ts';
import { damaged, noise } from './raw-bytes.ts';
import { bytesOf, type Draft, type Hostile } from './request-draft.ts';
import { Dice } from './seeded-random.ts';

/** What every request may be refused with, whatever it asks for. */
const GENERAL = [400, 405, 408, 413, 414, 415, 431];
/** What they ask for must exist or lie where it should: the document says so in words only. */
const OF_SOMEWHERE = ['/api/v1/traseu/custom', '/api/v1/de-statii', '/api/v1/review', '/api/v1/push/subscribe'];
const SMUGGLED = Buffer.from('0\r\n\r\nGET /api/v1/health HTTP/1.1\r\nHost: smuggled\r\n\r\n');

type Context = { readonly operations: readonly Operation[]; readonly known: Known; readonly dice: Dice };
type Maker = (context: Context) => Hostile;

/** The request with this number; nothing but the arguments decides what it is. */
export function hostileRequest(operations: readonly Operation[], known: Known, seed: number, number: number): Hostile {
  const dice = new Dice(seed, number);
  let drawn = dice.whole(1, TOTAL);
  for (const [share, maker] of SHARES) {
    drawn -= share;
    if (drawn <= 0) return maker({ operations, known, dice });
  }
  throw new Error('the shares do not add up');
}

/** How often each kind of malice comes. */
const SHARES: readonly (readonly [share: number, maker: Maker])[] = [
  [8, good],
  [28, badAddress],
  [8, badMethod],
  [6, badForm],
  [18, badHeaders],
  [3, badHost],
  [6, badLengths],
  [9, badBody],
  [9, badBytes],
  [3, meaningless],
  [2, pipelined],
];
const TOTAL = SHARES.reduce((sum, [share]) => sum + share, 0);

function good(context: Context): Hostile {
  const { operation, draft } = drafted(context);
  const own = operation.statuses.filter((status) => status < 500 && !GENERAL.includes(status));
  const statuses = OF_SOMEWHERE.includes(operation.template) ? [...own, 400] : own;
  return sent(context, 'good', draft, { statuses });
}

function badAddress(context: Context): Hostile {
  const { operation, address, draft } = drafted(context);
  const target = targetOf(spoilt(address, operation, context.dice));
  return sent(context, 'address', { ...draft, target });
}

function badMethod(context: Context): Hostile {
  const { operation, draft } = drafted(context);
  const { operations, dice } = context;
  const method = otherMethod(operation.method, dice);
  const taken = operations.filter(({ template }) => template === operation.template).map((each) => each.method);
  const refused =
    /^(POST|PUT|PATCH|DELETE|TRACE|PROPFIND|QUERY|PURGE|MKCOL|LINK)$/.test(method) && !taken.includes(method);
  const body = dice.percent(40) ? spoiltBody({ a: 1 }, dice) : { headers: [], body: draft.body };
  const headers = [...draft.headers, ...body.headers];
  const whole = { ...draft, method, headers, body: body.body };
  return sent(
    context,
    'method',
    whole,
    refused ? { statuses: [405] } : method === 'OPTIONS' ? { statuses: [204] } : {},
  );
}

function badForm(context: Context): Hostile {
  const { draft } = drafted(context);
  const { dice } = context;
  if (dice.percent(75)) return sent(context, 'form of the target', { ...draft, target: oddForm(draft.target, dice) });
  const version = dice.oneOf([
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
  return sent(context, 'version', { ...draft, version }, { halfClose: true });
}

function badHeaders(context: Context): Hostile {
  const { draft } = drafted(context);
  return sent(
    context,
    'headers',
    { ...draft, headers: [...draft.headers, ...oddLines(context.dice)] },
    { halfClose: true },
  );
}

function badHost(context: Context): Hostile {
  const { draft } = drafted(context);
  const headers = [...oddHost(context.dice), ...draft.headers.filter(([name]) => name !== 'Host')];
  return sent(context, 'host', { ...draft, headers }, { halfClose: true });
}

function badLengths(context: Context): Hostile {
  const { draft } = drafted(context);
  const { dice } = context;
  const method = dice.oneOf(['GET', 'POST', 'DELETE', draft.method]);
  const body = dice.percent(70) ? SMUGGLED : draft.body;
  const lines = conflictingLengths(body, dice);
  // After a request that asks to close nothing more may be answered, whatever its lengths say.
  const headers = [
    ...draft.headers.filter(([name]) => name !== 'Connection'),
    ['Connection', 'close'] as [string, string],
    ...lines,
  ];
  return sent(context, 'lengths', { ...draft, method, headers, body }, { halfClose: true });
}

function badBody(context: Context): Hostile {
  const { operations, dice, known } = context;
  const withBody = operations.filter(({ body }) => body !== null);
  const narrowed = withBody.length > 0 && dice.percent(80) ? { ...context, operations: withBody } : context;
  const { operation, draft } = drafted(narrowed);
  const { headers, body } = spoiltBody(goodBody(operation, known, dice), dice);
  const method = operation.body === null && dice.percent(60) ? 'POST' : draft.method;
  const others = draft.headers.filter(([name]) => name !== 'Content-Type');
  return sent(context, 'body', { ...draft, method, headers: [...others, ...headers], body });
}

function badBytes(context: Context): Hostile {
  const one = bytesOf(drafted(context).draft);
  const other = bytesOf(drafted(context).draft);
  return { bytes: damaged(one, other, context.dice), kind: 'bytes', halfClose: true, answers: null };
}

function meaningless({ dice }: Context): Hostile {
  return { bytes: noise(dice), kind: 'noise', halfClose: true, answers: null };
}

/** Good ones and a bad one on one connection: each gets its own answer, in order. */
function pipelined(context: Context): Hostile {
  const { dice, operations } = context;
  const reads = { ...context, operations: operations.filter(({ method }) => method === 'GET') };
  const before = Array.from({ length: reads.operations.length > 0 ? dice.whole(1, 4) : 0 }, () => {
    const { draft } = drafted(reads);
    return bytesOf(draft);
  });
  const last = dice.oneOf([badAddress, badMethod, badForm])(context);
  return {
    ...last,
    bytes: Buffer.concat([...before, last.bytes]),
    kind: `pipelined, ${last.kind}`,
    answers: before.length + 1,
  };
}

function drafted({ operations, known, dice }: Context): { operation: Operation; address: Address; draft: Draft } {
  const operation = dice.oneOf(operations);
  const address = goodTarget(operation, known, dice);
  const json = goodBody(operation, known, dice);
  const headers: Draft['headers'] = [
    ['Host', dice.percent(90) ? 'pompa.example' : '127.0.0.1:8080'],
    ...callerLines(operation, known, dice),
  ];
  if (dice.percent(40))
    headers.push(['Accept-Encoding', dice.oneOf(['gzip', 'br', 'zstd, gzip;q=0.5', 'gzip, deflate, br'])]);
  if (json !== null) headers.push(['Content-Type', 'application/json']);
  const body = json === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(json));
  return {
    operation,
    address,
    draft: { method: operation.method, target: targetOf(address), version: 'HTTP/1.1', headers, body },
  };
}

function sent({ dice }: Context, kind: string, draft: Draft, known: Partial<Hostile> = {}): Hostile {
  const halfClose = known.halfClose ?? dice.percent(50);
  const asksToClose = draft.headers.some(([name]) => name === 'Connection');
  const closing: Draft['headers'] = asksToClose || (halfClose && dice.percent(50)) ? [] : [['Connection', 'close']];
  // A value that ends the head makes what follows it another request.
  const answers = draft.headers.some(([, value]) => /\r\n(\r\n|$)/.test(value)) ? null : 1;
  return { bytes: bytesOf({ ...draft, headers: [...closing, ...draft.headers] }), kind, answers, ...known, halfClose };
}
