/** Bodies gone wrong: JSON of every kind, and what is none. */

import { NAUGHTY_TEXTS } from './hostile-strings.ts';
import type { Json } from './operations.ts';
import type { Draft } from './request-draft.ts';
import type { Dice } from './seeded-random.ts';

const TYPES = [
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

const KINDS = [
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

/** A body and its type: a good one spoilt, or one that never was any. */
export function spoiltBody(good: Json, dice: Dice): Pick<Draft, 'headers' | 'body'> {
  const type = dice.percent(70) ? 'application/json' : dice.oneOf(TYPES);
  const headers: Draft['headers'] = dice.percent(5) ? [] : [['Content-Type', type]];
  return { headers, body: good !== null && dice.percent(60) ? spoiltJson(good, dice) : odd(dice) };
}

function spoiltJson(good: Json, dice: Dice): Buffer {
  const fields = typeof good === 'object' ? Object.keys(good) : [];
  const field = fields.length > 0 ? dice.oneOf(fields) : 'x';
  const text = JSON.stringify(good);
  const makers: (() => string | Buffer)[] = [
    () => JSON.stringify({ ...good, [field]: dice.oneOf(NAUGHTY_TEXTS) }),
    () => JSON.stringify({ ...good, [field]: dice.oneOf(NAUGHTY_TEXTS) }),
    () => JSON.stringify(Object.fromEntries(fields.map((name) => [name, dice.oneOf(NAUGHTY_TEXTS)]))),
    () => JSON.stringify({ ...good, [field]: dice.oneOf(WRONG_VALUES) }),
    () => JSON.stringify({ ...good, [field]: undefined }),
    () => JSON.stringify({ ...good, [dice.oneOf(NAUGHTY_TEXTS)]: 1 }),
    () => JSON.stringify([good]),
    () => text.replace('{', `{"__proto__":{"${field}":1},"constructor":{"prototype":1},`),
    () => text.replace('{', `{${JSON.stringify(field)}:null,`),
    () => `\ufeff${text}`,
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), dice.bytes(3), Buffer.from('}')]),
    () => text.slice(0, dice.whole(0, text.length)),
    () => text.replace(/"([^"]*)"}?$/, (whole) => whole.replace('"', '"\xff\xfe')),
  ];
  const made = dice.oneOf(makers)();
  return typeof made === 'string' ? Buffer.from(made) : made;
}

function odd(dice: Dice): Buffer {
  const depth = dice.oneOf([50, 1_000, 8_000]);
  const makers: (() => string | Buffer)[] = [
    () => dice.oneOf(KINDS),
    () => dice.oneOf(KINDS),
    () => dice.oneOf(NAUGHTY_TEXTS),
    () => JSON.stringify(dice.oneOf(NAUGHTY_TEXTS)),
    () => '['.repeat(depth) + ']'.repeat(depth),
    () => `${'{"a":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}`,
    () => `{"a":"${'x'.repeat(dice.oneOf([16_000, 16_384, 20_000, 100_000]))}"}`,
    () => `{"a":${'9'.repeat(10_000)}}`,
    () => dice.bytes(dice.whole(1, 60)),
  ];
  const made = dice.oneOf(makers)();
  return typeof made === 'string' ? Buffer.from(made) : made;
}
