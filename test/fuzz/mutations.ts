/** Bodies in real formats with a few bytes or values changed, for fuzzing. */
import fc from 'fast-check';

type Mutation = (body: Buffer) => Buffer;

const HOSTILE_NUMBERS = ['-1', '0', '1e999', '-0', '1e-7', '99999999999999999999', '12.0009', '46.7', '23.5'];
const HOSTILE_TEXTS = [
  ...['', ' ', '\\u0000', '\\ud800', '\\u202e8.88', '<script>alert(1)</script>', '&lt;b&gt;', '&#0;', '8,88 LEI/L'],
  ...[
    '__proto__',
    'constructor',
    '-8.88 LEI/L',
    '1e3 LEI/L',
    '8.88 EUR/L',
    'NO TELEPHONE',
    '∞',
    'NaN',
    '8.8.8',
    '0x1F',
    '.5',
    '46,7',
    '٨٫٨٨ LEI/L',
    '{}',
  ],
  '<div class=\\"item\\">'.repeat(30),
  'a'.repeat(5000),
].map((text) => `"${text}"`);
const HOSTILE_VALUES = ['null', 'true', '[]', '{}', '[[[[]]]]', '{"__proto__":{"id":1}}', '{"toString":1,"toJSON":2}'];

/**
 * This body with one to six changes. Half of the results only have texts and numbers replaced, so that they stay JSON;
 * the other half also have bytes changed, inserted, removed or copied.
 */
export function mutatedBodies(body: Buffer): fc.Arbitrary<Buffer> {
  const changed = (edit: fc.Arbitrary<Mutation>) =>
    fc.array(edit, { minLength: 1, maxLength: 6 }).map((list) => list.reduce((left, one) => one(left), body));
  return fc.oneof(
    { weight: 30, arbitrary: changed(valueMutations()) },
    { weight: 30, arbitrary: changed(fc.oneof(valueMutations(), byteMutations())) },
    { weight: 1, arbitrary: fc.tuple(changed(valueMutations()), bombs()).map(([left, bomb]) => bomb(left)) },
  );
}

/** What costs little to send and much to read: nesting, many values, many names, a long text. */
const BOMBS: readonly (() => string)[] = [
  () => '['.repeat(400_000),
  () => `${'[{"a":'.repeat(30_000)}1${'}]'.repeat(30_000)}`,
  () => `[${'{},'.repeat(300_000)}{}]`,
  () => `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  () => `"${'a'.repeat(900_000)}"`,
  () => `"${'a'.repeat(30_000_000)}"`,
  () => '<a>'.repeat(200_000),
  () => '<a b="&amp;"/>'.repeat(50_000),
  () => '\r\n'.repeat(300_000),
];

function bombs(): fc.Arbitrary<Mutation> {
  return fc.tuple(POSITION, fc.constantFrom(...BOMBS)).chain(([at, bomb]) =>
    fc.constantFrom(
      replace(VALUE, at, () => bomb()),
      (body: Buffer) => splice(body, at, 0, Buffer.from(bomb())),
    ),
  );
}

/** The same of bytes and stretches alone, for what is no JSON. */
export function mutatedBytes(body: Buffer): fc.Arbitrary<Buffer> {
  return fc
    .array(byteMutations(), { minLength: 1, maxLength: 6 })
    .map((edits) => edits.reduce((left, edit) => edit(left), body));
}

const POSITION = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function valueMutations(): fc.Arbitrary<Mutation> {
  const values = fc.constantFrom(...HOSTILE_NUMBERS, ...HOSTILE_TEXTS, ...HOSTILE_VALUES);
  const prices = fc.integer({ min: -1, max: 2_000 }).map((bani) => `>${(bani / 100).toFixed(2)} LEI/L<`);
  return fc.oneof(
    { weight: 2, arbitrary: fc.tuple(POSITION, values).map(([at, value]) => replace(VALUE, at, value)) },
    { weight: 1, arbitrary: fc.tuple(POSITION, prices).map(([at, price]) => replace(/>[^<>]{1,20}</g, at, price)) },
  );
}

function byteMutations(): fc.Arbitrary<Mutation> {
  const length = fc.integer({ min: 1, max: 40 });
  return fc.oneof(
    fc.tuple(POSITION, fc.integer({ min: 0, max: 255 })).map(([at, byte]) => setByte(at, byte)),
    fc.tuple(POSITION, fc.uint8Array({ maxLength: 8 })).map(([at, bytes]) => insert(at, bytes)),
    fc.tuple(POSITION, length).map(([at, bytes]) => remove(at, bytes)),
    fc.tuple(POSITION, POSITION, length).map(([from, to, bytes]) => copy(from, to, bytes)),
    POSITION.map((at) => (body: Buffer) => body.subarray(0, Math.floor((0.9 + at / 10) * body.length))),
  );
}

/** A text or number in JSON that is not a field name. */
const VALUE = /(?<=[:[,])(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?)(?=[,\]}])/g;
const setByte =
  (at: number, byte: number): Mutation =>
  (body) =>
    splice(body, at, 1, Buffer.of(byte));
const insert =
  (at: number, bytes: Uint8Array): Mutation =>
  (body) =>
    splice(body, at, 0, bytes);
const remove =
  (at: number, length: number): Mutation =>
  (body) =>
    splice(body, at, length, Buffer.alloc(0));

function copy(from: number, to: number, length: number): Mutation {
  return (body) => {
    const start = Math.floor(from * body.length);
    return splice(body, to, 0, body.subarray(start, start + length));
  };
}

function splice(body: Buffer, at: number, length: number, bytes: Uint8Array): Buffer {
  const start = Math.floor(at * body.length);
  return Buffer.concat([body.subarray(0, start), bytes, body.subarray(start + length)]);
}

/** Replaces one of the matches by `value`. */
function replace(pattern: RegExp, at: number, value: string | (() => string)): Mutation {
  return (body) => {
    const text = body.toString('latin1');
    const matches = [...text.matchAll(pattern)];
    const match = matches[Math.floor(at * matches.length)];
    if (!match) return body;
    const bytes = Buffer.from(typeof value === 'string' ? value : value()).toString('latin1');
    return Buffer.from(text.slice(0, match.index) + bytes + text.slice(match.index + match[0].length), 'latin1');
  };
}
