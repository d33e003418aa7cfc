/** Every naughty value in every parameter and every field of every body: what chance alone would only get to in time. */
import { addressOf } from './callers.ts';
import { encoded, NAUGHTY_ENCODED, NAUGHTY_TEXTS } from './hostile-strings.ts';
import { companions, goodTarget, type Known, type Operation, wholeBody } from './operations.ts';
import { bytesOf, type Draft, type Hostile } from './request-draft.ts';
import { Dice } from './seeded-random.ts';

/** Requests for addresses go out so many to a connection. */
const TOGETHER = 10;
/** Each value comes from an address of its own, so that no weekly cap stands in its way. */
const FIRST_ADDRESS = 0xc6_12_00_00;
const FIRST_VISITOR = 0xc6_13_80_00;
const VALUES = [...NAUGHTY_TEXTS.map(encoded), ...NAUGHTY_ENCODED];

/** The same requests for the same document, whatever the seed. */
export function everyNaughtyValue(operations: readonly Operation[], known: Known): Hostile[] {
  const targets = operations.filter(({ method }) => method === 'GET').flatMap((each) => targetsOf(each, known));
  const groups = Array.from({ length: Math.ceil(targets.length / TOGETHER) }, (_, i) =>
    targets.slice(i * TOGETHER, (i + 1) * TOGETHER),
  );
  return [
    ...groups.map((group, i) => together(group, FIRST_ADDRESS + i * TOGETHER)),
    ...operations.flatMap((each, i) => bodiesOf(each, known, FIRST_VISITOR + (i << 12))),
  ];
}

function targetsOf(operation: Operation, known: Known): string[] {
  const { parameters, template } = operation;
  const dice = new Dice(0, 0);
  const path = (own: string, value: string) =>
    template.replaceAll(/\{(\w+)\}/g, (_, name) => (name === own ? value : encoded(known[name]?.[0] ?? 'x')));
  return parameters.flatMap(({ name, in: where }) => {
    const others = companions(operation, name, known, dice);
    const query = (value: string) => [...others, `${name}=${value}`].join('&');
    return VALUES.map((value) => (where === 'path' ? path(name, value) : `${path('', '')}?${query(value)}`));
  });
}

function together(targets: readonly string[], from: number): Hostile {
  const requests = targets.map((target, index) => {
    const headers: Draft['headers'] = [
      ['Host', 'pompa.example'],
      ['X-Forwarded-For', addressOf(from + index)],
    ];
    if (index === targets.length - 1) headers.push(['Connection', 'close']);
    return bytesOf({ method: 'GET', target, version: 'HTTP/1.1', headers, body: Buffer.alloc(0) });
  });
  return { bytes: Buffer.concat(requests), kind: 'every value', halfClose: false, answers: requests.length };
}

function bodiesOf(operation: Operation, known: Known, from: number): Hostile[] {
  const { method, body } = operation;
  const dice = new Dice(0, 0);
  const { path: target } = goodTarget(operation, known, dice);
  return Object.keys(body?.properties ?? {}).flatMap((field, f) =>
    NAUGHTY_TEXTS.map((text, t): Hostile => {
      const json = JSON.stringify({ ...wholeBody(operation, known, dice), [field]: text });
      const headers: Draft['headers'] = [
        ['Host', 'pompa.example'],
        ['X-Forwarded-For', addressOf(from + f * NAUGHTY_TEXTS.length + t)],
        ['Connection', 'close'],
        ['Content-Type', 'application/json'],
      ];
      const bytes = bytesOf({ method, target, version: 'HTTP/1.1', headers, body: Buffer.from(json) });
      return { bytes, kind: 'every value', halfClose: false, answers: 1 };
    }),
  );
}
