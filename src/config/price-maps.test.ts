import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { FUELS } from '../domain/fuel.ts';
import { FUEL_CODE } from '../domain/fuel-codes.ts';
import { parseFuelCode } from '../sources/manual/parse-values.ts';
import { BadValue } from './parse.ts';
import { readPriceMaps } from './price-maps.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-maps-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  writeFileSync(path.join(folder, 'maps.json'), text);
  return readPriceMaps('maps.json', folder);
}

const map = (value: unknown) => read(JSON.stringify({ ald: value })).get('ald');

/** The clause that refuses a file with this text, or with this map. */
function refusal(given: unknown): string {
  try {
    if (typeof given === 'string') read(given);
    else map(given);
  } catch (error) {
    assert.ok(error instanceof BadValue, `${error}`);
    assert.ok(!error.message.includes('\n'), 'one line');
    return error.message;
  }
  throw new Error(`${JSON.stringify(given)} was not refused`);
}

describe('the maps of price lists', () => {
  test('name the columns, the fuels and the rows', () => {
    const ald = map({
      columns: { brand: '=ALD', price: ' Preț ', fuel: 'Produs' },
      fuels: { 'Nano  95': 'benzina_standard', 'NANO 95+': 'benzina_premium' },
      rows: 'data.items',
    });
    assert.deepEqual(ald, {
      columns: new Map<string, unknown>([
        ['brand', { always: 'ALD' }],
        ['price', { from: 'Preț' }],
        ['fuel', { from: 'Produs' }],
      ]),
      prices: new Map(),
      fuels: new Map([
        ['nano95', 'petrol'],
        ['nano95+', 'petrol_premium'],
      ]),
      rows: 'data.items',
    });
  });

  test('may name one price column per fuel, or nothing at all', () => {
    assert.deepEqual(
      map({ columns: { 'price:gpl': 'GPL', 'price:adblue': 'AdBlue' } })?.prices,
      new Map([
        ['lpg', 'GPL'],
        ['adblue', 'AdBlue'],
      ]),
    );
    assert.deepEqual(map({}), { columns: new Map(), prices: new Map(), fuels: new Map(), rows: null });
    assert.deepEqual(read('\uFEFF{}'), new Map());
    assert.deepEqual(readPriceMaps(null, folder), new Map());
  });

  test('use the same names of fuels as every other file', () => {
    for (const fuel of FUELS) {
      assert.deepEqual(map({ fuels: { x: FUEL_CODE[fuel] } })?.fuels, new Map([['x', fuel]]));
      assert.equal(parseFuelCode(FUEL_CODE[fuel]), fuel);
    }
  });

  test('treat names such as __proto__ as ordinary names', () => {
    const text = '{"__proto__": {"fuels": {"__proto__": "gpl", "constructor": "adblue"}}, "constructor": {}}';
    const maps = read(text);
    assert.deepEqual([...maps.keys()], ['__proto__', 'constructor']);
    assert.deepEqual(
      maps.get('__proto__')?.fuels,
      new Map([
        ['__proto__', 'lpg'],
        ['constructor', 'adblue'],
      ]),
    );
    assert.match(
      refusal('{"ald": {"__proto__": {"columns": {}}}}'),
      /^accepts "columns", "fuels" and "rows", not "__proto__"/,
    );
    assert.match(refusal('{"ald": {"columns": {"__proto__": "x"}}}'), /^does not accept the column "__proto__"/);
    assert.match(
      refusal('{"ald": {"fuels": {"x": "constructor"}}}'),
      /^needs one of benzina_standard, .*not "constructor"/,
    );
    assert.equal(({} as Record<string, unknown>).columns, undefined);
  });

  test('of HTML lists hold CSS selectors with attributes', () => {
    const html = {
      rows: 'table.prices > tbody tr:not(.head)',
      columns: { brand: '=ALD', station: '@data-id', fuel: 'td:nth-child(2) a@title', price: '.pret, .price' },
    };
    assert.equal(map(html)?.rows, html.rows);
    assert.deepEqual(map(html)?.columns.get('station'), { from: '@data-id' });
    for (const rows of [
      'tr:has(> td)',
      'tr:is(.a, .b):not(:first-child)',
      'li:contains("lei")',
      'div[data-x^="a" i] ~ p:nth-last-of-type(2n+1)',
    ])
      assert.equal(map({ rows, columns: { price: '> td:last-child' } })?.rows, rows);
    assert.ok(map({ rows: 'tr', columns: { price: 'td' } }), 'which may also be paths');
    assert.ok(map({ rows: 'date.prețuri', columns: { price: 'Preț (lei/l)', fuel: 'produs.nume lung' } }));
    assert.ok(map({ columns: { price: 'Preț [lei/l]: azi' } }), 'the header of a CSV may be anything');
  });
});

describe('the error message names the list and the file, and describes a valid value, for', () => {
  const where = 'for "ald" in .*maps\\.json$';
  const refuses = (given: unknown, pattern: string) => assert.match(refusal(given), new RegExp(pattern));

  test('a file that cannot be read, is not JSON, or is not an object', () => {
    assert.throws(() => readPriceMaps('none.json', folder), /^Error: must point to a readable file: ENOENT/);
    refuses('{"ald"', '^must point to JSON such as .*maps.json is not JSON$');
    for (const text of ['[]', 'null', '"x"', '1'])
      refuses(text, '^must point to an object such as .*maps.json is not one$');
  });

  test('no map merely because its list is out of service: the list may return', () => {
    assert.deepEqual([...read('{"socar": {"columns": {"fuel": "f"}}}').keys()], ['socar']);
  });

  test('a map that is not an object or has an unknown member', () => {
    for (const value of ['null', '[]', '"x"', '1']) refuses(`{"ald": ${value}}`, `^needs an object with .*${where}`);
    refuses({ column: {} }, `^accepts "columns", "fuels" and "rows", not "column", ${where}`);
  });

  test('columns and fuels that are not texts', () => {
    for (const columns of [null, [], 'x', 1])
      refuses({ columns }, `^needs "columns" to be an object such as .*${where}`);
    for (const fuels of [null, [], 'x', 1]) refuses({ fuels }, `^needs "fuels" to be an object such as .*${where}`);
    for (const price of [null, [], {}, 1, '', ' ', 'x'.repeat(201)])
      refuses({ columns: { price } }, `^needs a text of 1 to 200 characters for "price" of "columns" ${where}`);
    refuses({ fuels: { x: 1 } }, `^needs a text of 1 to 200 characters for "x" of "fuels" ${where}`);
  });

  test('an unknown column', () => {
    refuses(
      { columns: { pret: 'Preț' } },
      `^does not accept the column "pret"; the columns are brand, .*price: with a fuel, ${where}`,
    );
  });

  test('an unknown fuel', () => {
    refuses(
      { fuels: { 'Nano 95': 'benzina' } },
      `^needs one of benzina_standard, .*for "Nano 95" of "fuels", not "benzina", ${where}`,
    );
    refuses({ columns: { 'price:benzina': 'x' } }, `^needs one of .*after "price:", not "benzina", ${where}`);
    refuses({ columns: { fuel: '=benzina' } }, `^needs one of .*after "=", not "benzina", ${where}`);
    refuses({ fuels: { ' ': 'gpl' } }, `^needs the name in the list for "gpl" of "fuels" ${where}`);
    refuses({ fuels: { 'Benzină 95': 'gpl', BENZINA95: 'gpl' } }, `^names "BENZINA95" of "fuels" twice .*${where}`);
  });

  test('a wide list that also has a price column', () => {
    refuses(
      { columns: { 'price:gpl': 'x', price: 'y' } },
      `^takes either "price" and "fuel" or "price:" columns, .*${where}`,
    );
    refuses({ columns: { 'price:gpl': 'x', fuel: '=gpl' } }, `^takes either .*${where}`);
  });

  test('a fixed text where none is allowed, or an empty one', () => {
    refuses({ columns: { price: '=8.79' } }, `^takes "=" for brand, fuel, city and county, not for "price", ${where}`);
    refuses({ columns: { station: '=1' } }, `^takes "=" for .*not for "station", ${where}`);
    refuses({ columns: { 'price:gpl': '=1' } }, `^takes no "=" for "price:gpl", ${where}`);
    refuses({ columns: { brand: '=' } }, `^needs a text after "=" for "brand" of "columns" ${where}`);
    refuses({ columns: { brand: '=***' } }, `^needs a letter or a digit in the brand .*${where}`);
  });

  test('rows that are not a text, and invalid selectors', () => {
    for (const rows of [null, 1, {}, [], '', ' ', 'x'.repeat(201)])
      refuses({ rows }, `^needs "rows" to be a path such as "data.items" or a CSS selector .*${where}`);
    for (const rows of ['tr:nth-child(', 'tr:prima', 'tr[', 'tr,,td', 'tr::before'])
      refuses({ rows }, `^needs "rows" to be a CSS selector, not "tr.*${where}`);
    refuses(
      { rows: 'table tr', columns: { price: 'td:nth-child(2' } },
      `^needs a CSS selector for "price" of "columns", not "td.*${where}`,
    );
    refuses(
      { rows: '#a tr', columns: { price: '@' } },
      `^needs a CSS selector for "price" of "columns", not "@", ${where}`,
    );
    refuses(
      { rows: '#a tr', columns: { 'price:gpl': 'td(' } },
      `^needs a CSS selector for "price" of "columns", .*${where}`,
    );
  });
});
