/** Malformed bodies: JSON of every kind, and invalid JSON. */

import { HOSTILE_STRINGS } from './hostile-strings.ts';
import type { Json } from './operations.ts';
import type { RequestDraft } from './request-draft.ts';
import type { SeededRandom } from './seeded-random.ts';

const CONTENT_TYPES = [
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'json',
  '',
  ';',
  'application/json, text/plain',
  'a'.repeat(3_000),
];

const RAW_BODIES = [
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '""',
  '"x"',
  '[]',
  '{}',
  '[[]]',
  '[{}]',
  '',
  ' ',
  '\n',
  '{',
  '}',
  '{"a"',
  '{"a":}',
  '{a:1}',
  "{'a':1}",
  '{"a":1,}',
  '[1,]',
  'NaN',
  '{"a":NaN}',
  '{"a":01}',
  '"\u0001"',
  '{} {}',
  '{}x',
  '// x\n{}',
  '<x/>',
  'a=1&b=2',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '\\',
  'undefined',
];

const WRONG_VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  '',
  [],
  {},
  [null],
  { a: 1 },
  [[[]]],
  '0',
  { toString: 1 },
  { length: -1 },
];

/** A body with its type: a mutated good body, or garbage. */
export function mutatedBody(good: Json, random: SeededRandom): Pick<RequestDraft, 'headers' | 'body'> {
  const type = random.percent(70) ? 'application/json' : random.oneOf(CONTENT_TYPES);
  const headers: RequestDraft['headers'] = random.percent(5) ? [] : [['Content-Type', type]];
  return { headers, body: good !== null && random.percent(60) ? mutatedJson(good, random) : unusualBody(random) };
}

function mutatedJson(good: Json, random: SeededRandom): Buffer {
  const fields = typeof good === 'object' ? Object.keys(good) : [];
  const field = fields.length > 0 ? random.oneOf(fields) : 'x';
  const text = JSON.stringify(good);
  const makers: (() => string | Buffer)[] = [
    () => JSON.stringify({ ...good, [field]: random.oneOf(HOSTILE_STRINGS) }),
    () => JSON.stringify({ ...good, [field]: random.oneOf(HOSTILE_STRINGS) }),
    () => JSON.stringify(Object.fromEntries(fields.map((name) => [name, random.oneOf(HOSTILE_STRINGS)]))),
    () => JSON.stringify({ ...good, [field]: random.oneOf(WRONG_VALUES) }),
    () => JSON.stringify({ ...good, [field]: undefined }),
    () => JSON.stringify({ ...good, [random.oneOf(HOSTILE_STRINGS)]: 1 }),
    () => JSON.stringify([good]),
    () => text.replace('{', `{"__proto__":{"${field}":1},"constructor":{"prototype":1},`),
    () => text.replace('{', `{${JSON.stringify(field)}:null,`),
    () => `\ufeff${text}`,
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), random.bytes(3), Buffer.from('}')]),
    () => text.slice(0, random.integer(0, text.length)),
    () => text.replace(/"([^"]*)"}?$/, (whole) => whole.replace('"', '"\xff\xfe')),
  ];
  const made = random.oneOf(makers)();
  return typeof made === 'string' ? Buffer.from(made) : made;
}

function unusualBody(random: SeededRandom): Buffer {
  const depth = random.oneOf([50, 1_000, 8_000]);
  const makers: (() => string | Buffer)[] = [
    () => random.oneOf(RAW_BODIES),
    () => random.oneOf(RAW_BODIES),
    () => random.oneOf(HOSTILE_STRINGS),
    () => JSON.stringify(random.oneOf(HOSTILE_STRINGS)),
    () => '['.repeat(depth) + ']'.repeat(depth),
    () => `${'{"a":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}`,
    () => `{"a":"${'x'.repeat(random.oneOf([16_000, 16_384, 20_000, 100_000]))}"}`,
    () => `{"a":${'9'.repeat(10_000)}}`,
    () => random.bytes(random.integer(1, 60)),
  ];
  const made = random.oneOf(makers)();
  return typeof made === 'string' ? Buffer.from(made) : made;
}
