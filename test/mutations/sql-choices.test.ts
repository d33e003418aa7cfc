/** SQL operators become visible to the mutation tool without a change of the statements. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exposeSqlOperators } from './sql-choices.ts';

/** An expression in the templates of the examples. */
const EXPRESSION = '$' + '{limit}';

/** Evaluates a template with its choices, with `??` unchanged or mutated to `&&`. */
function statement(template: string, mutated = false): unknown {
  const exposed = exposeSqlOperators(template);
  return new Function('limit', `return ${mutated ? exposed.replaceAll('??', '&&') : exposed}`)(5);
}

describe('an SQL operator in a template', () => {
  const examples: readonly [original: string, mutated: string][] = [
    ['where a < b', 'where a <= b'],
    ['where a >= b and c > d', 'where a > b or c >= d'],
    ['used = used + 1', 'used = used - 1'],
    ['greatest(a, least(b, c))', 'least(a, greatest(b, c))'],
    ['revoked_at is not null', 'revoked_at is null'],
    ["at < now() - interval '168 hours'", "at <= now() + interval '0'"],
    [`limit ${EXPRESSION} for update skip locked`, `limit ${EXPRESSION}  `],
    ['where each >= now - 60000', 'where each > now + 60001'],
    [`a < ${EXPRESSION} and b`, `a <= ${EXPRESSION} or b`],
  ];
  for (const [original, mutated] of examples) {
    test(`"${original}" is unchanged until it is mutated to "${mutated}"`, () => {
      assert.equal(statement(`\`${original}\``), original.replace(EXPRESSION, '5'));
      assert.equal(statement(`\`${original}\``, true), mutated.replace(EXPRESSION, '5'));
    });
  }
});

test('a template inside an expression of another template is rewritten too', () => {
  const nested = `\`where a < \${limit > 0 ? \`b - \${limit}\` : 'c'} and d\``;
  assert.equal(statement(nested), 'where a < b - 5 and d');
  assert.equal(statement(nested, true), 'where a <= b + 5 or d');
});

describe('an operator outside of a plain template stays unchanged', () => {
  for (const source of [
    '// a `b` < c `d < e`\nconst x = 1;',
    "const text = 'a ` < b ` ';",
    'sql`select 1 where a < b`',
    '`$' + '{items.map(({ id }) => id < 5 && id)}`',
    "const day = `date '2000-01-01' -> 30`;",
  ]) {
    test(JSON.stringify(source), () => assert.equal(exposeSqlOperators(source), source));
  }
});
