import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { FIXTURES } from '../../../test/fuzz/price-lists.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/SOURCES.md'), 'utf8');
const maps = JSON.parse(readFileSync(path.join(FIXTURES, 'maps.json'), 'utf8'));

/** The JSON documents of the page, which are indented and in blocks of their own. */
const documents = [...page.matchAll(/(?:^ {4}.*\n)+/gm)].flatMap(([text]) => {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
});

describe('docs/SOURCES.md', () => {
  for (const name of Object.keys(maps)) {
    test(`shows the map of ${name} as the tests read it`, () => {
      const shown = documents.find((document) => name in document);
      assert.deepEqual(shown, { [name]: maps[name] });
    });
  }

  test('shows the list that needs none', () => {
    const list = readFileSync(path.join(FIXTURES, 'socar.csv'), 'utf8');
    assert.ok(page.includes(list.replaceAll(/^(?=.)/gm, '    ')));
  });

  test('explains every reason of rejection', () => {
    const files = ['list-row', 'list-price', 'observation-time', 'read-csv', 'read-json', 'price-list'];
    const code = files.map((file) => readFileSync(path.join(import.meta.dirname, `${file}.ts`), 'utf8')).join('\n');
    const shared = ['no_price', 'price_negative', 'out_of_range'];
    const own = [...code.matchAll(/'((?:no|bad|other|unknown|future|wrong|duplicate|price)_[a-z_]+)'/g)].map(
      ([, reason]) => reason,
    );
    assert.ok(own.length > 10);
    const part = page.split('## Price lists')[1]?.split('\n## ')[0] ?? '';
    assert.deepEqual(
      [...new Set([...own, ...shared])].filter((reason) => !part.includes(`\`${reason}\``)),
      [],
    );
  });
});
