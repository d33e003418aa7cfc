/** The generated parts of the clients. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { generatedFiles } from '../../clients/generator/generate.ts';
import { printPython } from '../../clients/generator/python-printer.ts';
import { readApi } from '../../clients/generator/read-api.ts';
import type { Schema } from '../../clients/generator/read-schema.ts';
import { printTypeScript } from '../../clients/generator/typescript-printer.ts';
import { ROOT } from '../project/project-files.ts';

describe('the generated parts of the clients', () => {
  for (const [name, text] of Object.entries(generatedFiles())) {
    test(`${name} is what clients/generator/generate.ts makes of the description`, () => {
      const isCurrent = readFileSync(path.join(ROOT, name), 'utf8') === text;
      assert.ok(isCurrent, 'the description of the API has changed: run `node clients/generator/generate.ts`');
    });
  }
});

describe('both packages', () => {
  const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

  test('have the licence of the project, and one version', () => {
    for (const client of ['typescript', 'python']) assert.equal(read(`clients/${client}/LICENSE`), read('LICENSE'));
    const { version } = JSON.parse(read('clients/typescript/package.json'));
    assert.equal(read('clients/python/src/pompa_client/_version.py'), `__version__ = "${version}"\n`);
  });
});

describe('the README of each package', () => {
  test('names no page of the project, which no package has', () => {
    for (const client of ['typescript', 'python'])
      assert.doesNotMatch(
        readFileSync(path.join(ROOT, `clients/${client}/README.md`), 'utf8'),
        /docs\/\w+\.md/,
        client,
      );
  });
});

describe('the printers', () => {
  test('write null, lists, maps, choices and what may be absent as types that say so', () => {
    const { typescript, python } = printed({
      type: 'object',
      required: ['pret', 'tip', 'punct'],
      properties: {
        pret: { type: ['number', 'null'], description: 'RON per litre.' },
        tip: { type: 'string', enum: ['gpl', 'adblue'] },
        punct: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
        zile: { type: 'array', items: { type: 'object', required: ['zi'], properties: { zi: { type: 'string' } } } },
        alte: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    });
    assert.match(typescript, /\/\*\* RON per litre\. \*\/\n {2}pret: number \| null;/);
    assert.match(typescript, /tip: "gpl" \| "adblue";\n {2}punct: \[number, number\];/);
    assert.match(typescript, /zile\?: Array<ThingZile>;\n {2}alte\?: Record<string, number>;/);
    assert.match(typescript, /interface ThingZile \{\n {2}zi: string;\n\}/);
    assert.match(python, /pret: Optional\[float\]\n {4}"""RON per litre\."""/);
    assert.match(python, /tip: Literal\["gpl", "adblue"\]\n {4}punct: Tuple\[float, float\]/);
    assert.match(python, /zile: NotRequired\[List\[ThingZile\]\]\n {4}alte: NotRequired\[Dict\[str, int\]\]/);
  });

  test('refuse a keyword that they would describe wrongly, and a name that Python cannot have', () => {
    const unknown = { type: 'object', properties: {}, patternProperties: {} } as Schema;
    assert.throws(() => printed({ ...unknown, properties: { a: unknown } }), /patternProperties/);
    assert.throws(() => printed({ properties: { from: { type: 'string' } } }), /no field "from"/);
  });

  test('cannot be ended early by a text of the description', () => {
    const { typescript, python } = printed({ properties: { a: { type: 'string', description: 'a */ b """ c\\' } } });
    assert.ok(!typescript.includes('a */'));
    assert.ok(python.includes(`"""a */ b ''' c\\\\"""`), python);
  });
});

/** The models of an API with one answer. */
function printed(schema: Schema): { typescript: string; python: string } {
  const answer = { content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } } };
  const operation = { operationId: 'getThing', tags: [], summary: '', description: '', responses: { 200: answer } };
  const api = readApi({
    paths: { '/thing': { get: operation } },
    components: { schemas: { thing: schema }, responses: {} },
  });
  return {
    typescript: printTypeScript(api)['generated/models.ts'] ?? '',
    python: printPython(api)['_models.py'] ?? '',
  };
}
