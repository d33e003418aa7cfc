import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { DOUBT_CODE, MISSING_CODE } from '../../src/api/contract/contract.ts';
import { FUEL_CODE, SHORT_FUEL_CODE } from '../../src/domain/fuel-codes.ts';
import { TestService } from '../support/service/test-service.ts';

const text = readFileSync(new URL('../../docs/CONTRACT.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| `([^`]+)` *\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, word = '', inside = '', third = '']) => ({
    word,
    inside: inside.replaceAll('`', '').trim(),
    third: third.replaceAll('`', '').trim(),
  }),
);

/** Every field name and every enumeration value in a JSON Schema. */
function wordsOf(node: unknown, found: Set<string>): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  const { properties = {}, enum: words, ...others } = node as { properties?: object; enum?: unknown[] };
  for (const name of Object.keys(properties)) found.add(name);
  for (const word of words ?? []) if (typeof word === 'string') found.add(word);
  for (const child of [...Object.values(properties), ...Object.values(others)]) wordsOf(child, found);
  return found;
}

describe('docs/CONTRACT.md', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.api.close());

  test('has every word of the API, and no other', async () => {
    const { json } = await service.ask('/openapi.json');
    const spoken = wordsOf([json.components.schemas, json.paths, json['x-unrouted-responses']], new Set());
    for (const operations of Object.values<Record<string, { parameters: { name: string }[] }>>(json.paths)) {
      for (const { parameters } of Object.values(operations)) for (const { name } of parameters) spoken.add(name);
    }
    // Other headers of answers are not our words.
    for (const [name] of JSON.stringify(json.paths).matchAll(/\bPompa-\w+(?=":\{)/g)) spoken.add(name);
    const words = new Set([...rows.map(({ word }) => word), ...Object.values(SHORT_FUEL_CODE)]);
    // Documented in the rows of `status` and `preturi_lipsa`.
    for (const word of ['error', 'degraded', 'null', 'zero']) spoken.delete(word);
    assert.deepEqual([...words].sort(), [...spoken].sort());
  });

  test('translates fuels, doubts and missing prices as the service does', () => {
    const inside = (word: string) => rows.find((row) => row.word === word)?.inside;
    for (const [fuel, word] of Object.entries(FUEL_CODE)) assert.equal(inside(word), fuel);
    for (const [fuel, word] of Object.entries(SHORT_FUEL_CODE)) {
      assert.equal(rows.find((row) => row.inside === fuel)?.third, word);
    }
    for (const [reason, word] of [...Object.entries(DOUBT_CODE), ...Object.entries(MISSING_CODE)]) {
      assert.equal(inside(word), reason);
    }
  });
});
