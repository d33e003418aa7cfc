/** Every hostile value in every parameter and body field; random requests would take too long to cover them all. */
import { addressOf } from './callers.ts';
import { encoded, HOSTILE_ENCODED_STRINGS, HOSTILE_STRINGS } from './hostile-strings.ts';
import { bodyBytes, companions, goodTarget, type KnownValues, type Operation, wholeBody } from './operations.ts';
import { bytesOf, type HostileRequest, type RequestDraft } from './request-draft.ts';
import { SeededRandom } from './seeded-random.ts';

/** How many GET requests share a connection. */
const REQUESTS_PER_CONNECTION = 10;
/** Each value is sent from its own address, so that no weekly cap applies. */
const FIRST_ADDRESS = 0xc6_12_00_00;
const FIRST_VISITOR = 0xc6_13_80_00;
const VALUES = [...HOSTILE_STRINGS.map(encoded), ...HOSTILE_ENCODED_STRINGS];

/** Returns the same requests for the same document, whatever the seed. */
export function exhaustiveRequests(operations: readonly Operation[], known: KnownValues): HostileRequest[] {
  const targets = operations.filter(({ method }) => method === 'GET').flatMap((each) => targetsOf(each, known));
  const groups = Array.from({ length: Math.ceil(targets.length / REQUESTS_PER_CONNECTION) }, (_, i) =>
    targets.slice(i * REQUESTS_PER_CONNECTION, (i + 1) * REQUESTS_PER_CONNECTION),
  );
  return [
    ...groups.map((group, i) => pipelinedRequest(group, FIRST_ADDRESS + i * REQUESTS_PER_CONNECTION)),
    ...operations.flatMap((each, i) => bodiesOf(each, known, FIRST_VISITOR + (i << 12))),
  ];
}

function targetsOf(operation: Operation, known: KnownValues): string[] {
  const { parameters, template } = operation;
  const random = new SeededRandom(0, 0);
  const path = (own: string, value: string) =>
    template.replaceAll(/\{(\w+)\}/g, (_, name) => (name === own ? value : encoded(known[name]?.[0] ?? 'x')));
  return parameters.flatMap(({ name, in: where }) => {
    const others = companions(operation, name, known, random);
    const query = (value: string) => [...others, `${name}=${value}`].join('&');
    return VALUES.map((value) => (where === 'path' ? path(name, value) : `${path('', '')}?${query(value)}`));
  });
}

function pipelinedRequest(targets: readonly string[], from: number): HostileRequest {
  const requests = targets.map((target, index) => {
    const headers: RequestDraft['headers'] = [
      ['Host', 'pompa.example'],
      ['X-Forwarded-For', addressOf(from + index)],
    ];
    if (index === targets.length - 1) headers.push(['Connection', 'close']);
    return bytesOf({ method: 'GET', target, version: 'HTTP/1.1', headers, body: Buffer.alloc(0) });
  });
  return { bytes: Buffer.concat(requests), kind: 'every value', halfClose: false, answers: requests.length };
}

function bodiesOf(operation: Operation, known: KnownValues, from: number): HostileRequest[] {
  const { method, body: schema } = operation;
  const random = new SeededRandom(0, 0);
  const { path: target } = goodTarget(operation, known, random);
  return Object.keys(schema?.properties ?? {}).flatMap((field, f) =>
    HOSTILE_STRINGS.map((text, t): HostileRequest => {
      const body = bodyBytes(operation, { ...wholeBody(operation, known, random), [field]: text });
      const headers: RequestDraft['headers'] = [
        ['Host', 'pompa.example'],
        ['X-Forwarded-For', addressOf(from + f * HOSTILE_STRINGS.length + t)],
        ['Connection', 'close'],
        ['Content-Type', operation.bodyType],
      ];
      const bytes = bytesOf({ method, target, version: 'HTTP/1.1', headers, body });
      return { bytes, kind: 'every value', halfClose: false, answers: 1 };
    }),
  );
}
