import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { FUELS } from '../domain/fuel.ts';
import { fuelOf, fuelWord } from '../sources/manual/values.ts';
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

/** The clause that a file with this text, or this map, is refused with. */
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
  test('say which column, fuel and rows are which', () => {
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

  test('may name one column a fuel, or nothing at all', () => {
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

  test('know the fuels by the same words as every other file', () => {
    for (const fuel of FUELS) {
      assert.deepEqual(map({ fuels: { x: fuelWord(fuel) } })?.fuels, new Map([['x', fuel]]));
      assert.equal(fuelOf(fuelWord(fuel)), fuel);
    }
  });

  test('take names that mean something to a machine for names', () => {
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
      /^knows "columns", "fuels" and "rows", not "__proto__"/,
    );
    assert.match(refusal('{"ald": {"columns": {"__proto__": "x"}}}'), /^knows no column "__proto__"/);
    assert.match(
      refusal('{"ald": {"fuels": {"x": "constructor"}}}'),
      /^needs one of benzina_standard, .*not "constructor"/,
    );
    assert.equal(({} as Record<string, unknown>).columns, undefined);
  });

  test('of HTML are CSS selectors with attributes', () => {
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
    assert.ok(map({ rows: 'tr', columns: { price: 'td' } }), 'which may be paths as well');
    assert.ok(map({ rows: 'date.prețuri', columns: { price: 'Preț (lei/l)', fuel: 'produs.nume lung' } }));
    assert.ok(map({ columns: { price: 'Preț [lei/l]: azi' } }), 'the header of a CSV may be anything');
  });
});

describe('refused, with NAME, file and what would be right, is', () => {
  const where = 'for "ald" in .*maps\\.json$';
  const refuses = (given: unknown, pattern: string) => assert.match(refusal(given), new RegExp(pattern));

  test('a file that cannot be read, is no JSON, or no object', () => {
    assert.throws(() => readPriceMaps('none.json', folder), /^Error: must lead to a file that can be read: ENOENT/);
    refuses('{"ald"', '^must lead to JSON such as .*maps.json is none$');
    for (const text of ['[]', 'null', '"x"', '1'])
      refuses(text, '^must lead to an object such as .*maps.json holds none$');
  });

  test('nothing of a list that is not in service: it may come back', () => {
    assert.deepEqual([...read('{"socar": {"columns": {"fuel": "f"}}}').keys()], ['socar']);
  });

  test('a map that is no object, or has a member that we do not know', () => {
    for (const value of ['null', '[]', '"x"', '1']) refuses(`{"ald": ${value}}`, `^needs an object with .*${where}`);
    refuses({ column: {} }, `^knows "columns", "fuels" and "rows", not "column", ${where}`);
  });

  test('columns and fuels that are no texts', () => {
    for (const columns of [null, [], 'x', 1]) refuses({ columns }, `^needs "columns" in an object such as .*${where}`);
    for (const fuels of [null, [], 'x', 1]) refuses({ fuels }, `^needs "fuels" in an object such as .*${where}`);
    for (const price of [null, [], {}, 1, '', ' ', 'x'.repeat(201)])
      refuses({ columns: { price } }, `^needs a text of 1 to 200 characters for "price" of "columns" ${where}`);
    refuses({ fuels: { x: 1 } }, `^needs a text of 1 to 200 characters for "x" of "fuels" ${where}`);
  });

  test('a column that is none of ours', () => {
    refuses(
      { columns: { pret: 'Preț' } },
      `^knows no column "pret"; the columns are brand, .*price: with a fuel, ${where}`,
    );
  });

  test('a fuel that is none', () => {
    refuses(
      { fuels: { 'Nano 95': 'benzina' } },
      `^needs one of benzina_standard, .*for "Nano 95" of "fuels", not "benzina", ${where}`,
    );
    refuses({ columns: { 'price:benzina': 'x' } }, `^needs one of .*behind "price:", not "benzina", ${where}`);
    refuses({ columns: { fuel: '=benzina' } }, `^needs one of .*behind "=", not "benzina", ${where}`);
    refuses({ fuels: { ' ': 'gpl' } }, `^needs their word for "gpl" of "fuels" ${where}`);
    refuses({ fuels: { 'Benzină 95': 'gpl', BENZINA95: 'gpl' } }, `^names "BENZINA95" of "fuels" twice .*${where}`);
  });

  test('a wide list that has a price column as well', () => {
    refuses(
      { columns: { 'price:gpl': 'x', price: 'y' } },
      `^takes either "price" and "fuel" or "price:" columns, .*${where}`,
    );
    refuses({ columns: { 'price:gpl': 'x', fuel: '=gpl' } }, `^takes either .*${where}`);
  });

  test('fixed words where none can be, or that say nothing', () => {
    refuses({ columns: { price: '=8.79' } }, `^takes "=" for brand, fuel, city and county, not for "price", ${where}`);
    refuses({ columns: { station: '=1' } }, `^takes "=" for .*not for "station", ${where}`);
    refuses({ columns: { 'price:gpl': '=1' } }, `^takes no "=" for "price:gpl", ${where}`);
    refuses({ columns: { brand: '=' } }, `^needs words behind "=" for "brand" of "columns" ${where}`);
    refuses({ columns: { brand: '=***' } }, `^needs a letter or a digit in the brand .*${where}`);
  });

  test('rows that are no text, and selectors that are none', () => {
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
