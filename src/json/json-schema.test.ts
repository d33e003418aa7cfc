import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './json-schema.ts';

/** Schemas of every kind, with and without keywords. */
function schemasBy(type: typeof Type) {
  const about = { description: 'A text.', examples: ['x'] };
  const parts = {
    text: type.String({ format: 'date', ...about }),
    number: type.Optional(type.Number({ minimum: 1 })),
    whole: type.Integer(),
    flag: type.Boolean({ default: true }),
    list: type.Array(type.String(), { maxItems: 3 }),
    either: type.Union([type.Literal('a', about), type.Literal(5), type.Literal(false), type.Null()], about),
    nothing: type.Null(about),
    anything: type.Unknown(about),
    nullable: type.Optional(type.Unsafe<string | null>({ type: ['string', 'null'], ...about })),
  };
  return [
    ...Object.values(parts),
    type.Object(parts, { additionalProperties: false }),
    type.Object({ inner: type.Optional(type.Object(parts)) }),
    type.Object({ again: { ...type.Optional(type.String()), ...about } }),
    type.Object({}),
  ];
}

test('makes the schemas that typebox makes, keyword by keyword', () => {
  const [own, theirs] = [schemasBy(Type), schemasBy(TypeBox)];
  assert.equal(JSON.stringify(own), JSON.stringify(theirs));
});

test('keeps what symbols name', () => {
  const mark = Symbol('mark');
  const marked = { [mark]: 'kept' };
  for (const type of [Type, TypeBox])
    for (const schema of [type.String(marked), type.Optional(type.Unsafe(marked)), type.Object({}, marked)])
      assert.equal(Object(schema)[mark], 'kept');
});

test('leaves the schemas as they are that it makes others of', () => {
  const text = Type.String();
  Type.Optional(text);
  assert.deepEqual(Type.Object({ text }).required, ['text']);
});
