/**
 * Damaged lists: which are rejected and with which message, what is read of the others, and the limits on their cost.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  mapOf,
  type PriceListCase,
  priceLines,
  readListInProcess,
  sweepContext,
} from '../../../test/fuzz/price-lists.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { SourceFailed } from '../source.ts';
import { priceListSource } from './price-list.ts';

const HEADER = 'brand,station,fuel,price,observed_at';
const ROW = 'ALD,1,gpl,4.19,2026-11-20';
const READ = 'ald 1 lpg 4190 2026-11-20';
const OBJECT = { brand: 'ALD', station: '1', fuel: 'gpl', price: 4.19, observed_at: '2026-11-20' };
const PAGE_MAP = { rows: 'table tr', columns: { brand: '=ALD', station: 'th', fuel: 'td', price: 'td + td' } };
const PAGE = '<table><tr><th>1</th><td>gpl</td><td>4,19</td></tr></table>';

type ListInput = { readonly body: string | Buffer; readonly type?: string; readonly map?: unknown };
const listOf = ({ body, type = '', map }: ListInput): PriceListCase => ({
  name: 'ours',
  contentType: type,
  body: Buffer.from(body as string),
  map: map === undefined ? null : mapOf(map),
});
const failure = async (given: ListInput): Promise<string> => {
  const error = await readListInProcess(listOf(given)).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SourceFailed, `${error}`);
  assert.ok(!error.message.includes('\n') && error.message.length < 600, error.message);
  return error.message;
};

const JSON_TYPE = 'application/json; charset=utf-8';
const json = (value: unknown, map?: unknown): ListInput => ({ body: JSON.stringify(value), type: JSON_TYPE, map });
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('rejects', () => {
  const cases: readonly (readonly [title: string, given: ListInput, pattern: RegExp])[] = [
    ['an empty body', { body: '' }, /^the list is empty$/],
    ['white space', { body: ' \r\n\t' }, /^the list is empty$/],
    ['a byte order mark alone', { body: '\uFEFF' }, /^the list is empty$/],
    ['a workbook', { body: Buffer.from('PK\u0003\u0004\u0014\0\u0006\0', 'latin1') }, /^the list is a binary file/],
    ['an older workbook', { body: Buffer.from('d0cf11e0a1b11ae10000', 'hex') }, /^the list is a binary file/],
    ['a PDF', { body: '%PDF-1.7\n%âãÏÓ\n1 0 obj' }, /^the list has no brand, fuel, price; it has %PDF-1\.7$/],
    ['UTF-16 without its mark', { body: Buffer.from(`${HEADER}\n${ROW}`, 'utf16le') }, /binary file/],
    ['a header alone', { body: HEADER }, /^the list has no rows$/],
    [
      'a CSV without a header',
      { body: `${ROW}\n${ROW}` },
      /^the list has no brand, fuel, price; it has ALD, 1, gpl, 4\.19/,
    ],
    [
      'a CSV that lacks columns',
      { body: 'brand,combustibil,price\nALD,gpl,4' },
      /^the list has no fuel; it has brand, combustibil, price$/,
    ],
    [
      'a CSV with a column twice',
      { body: 'brand,fuel,price,Price\nALD,gpl,4,5', map: { columns: { price: 'PRICE' } } },
      /^the list has the column "PRICE" 2 times$/,
    ],
    [
      'a CSV that lacks a mapped column',
      { body: `${HEADER}\n${ROW}`, map: { columns: { station: 'Cod' } } },
      /^the list has no "Cod" \(station\); it has brand, station/,
    ],
    [
      'a wide CSV that lost a fuel',
      { body: 'brand,GPL\nALD,4', map: { columns: { 'price:gpl': 'GPL', 'price:adblue': 'AdBlue' } } },
      /^the list has no "AdBlue" \(price:adblue\)/,
    ],
    ['an unclosed quote', { body: `${HEADER}\n"ALD,1,gpl,4.19,\n${ROW}` }, /^the CSV cannot be read: Quote Not Closed/],
    [
      'a quote in the midst',
      { body: `${HEADER}\nALD,1 "x" ,gpl,4.19,\n` },
      /^the CSV cannot be read: Invalid Opening Quote/,
    ],
    [
      'a quote that ends too early',
      { body: `${HEADER}\nALD,"1"x,gpl,4.19,\n` },
      /^the CSV cannot be read: Invalid Closing Quote/,
    ],
    [
      'a page instead of a CSV',
      { body: PAGE, type: 'text/csv' },
      /^the list is HTML or XML, but CSV or JSON is expected; set "rows"/,
    ],
    [
      'a page instead of JSON',
      { body: `\n<!doctype html>${PAGE}`, type: JSON_TYPE },
      /^the list is HTML or XML, but CSV or JSON is expected/,
    ],
    [
      'a page instead of mapped JSON',
      { body: PAGE, map: { rows: 'data.items' } },
      /^the list is HTML or XML in which nothing matches "data\.items"/,
    ],
    [
      'XML',
      { body: '<?xml version="1.0"?><rows><row/></rows>' },
      /^the list is HTML or XML, but CSV or JSON is expected/,
    ],
    [
      'an XML entity bomb',
      { body: '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;</a>', map: PAGE_MAP },
      /^the list is HTML or XML in which nothing matches "table tr"/,
    ],
    [
      'a text where rows are named',
      { body: 'Service unavailable', map: { rows: 'data' } },
      /^the list must be JSON or HTML for "rows" of PRICES_MAP, .* begins with "Service unavailable"$/,
    ],
    ['broken JSON', { body: '[{"brand":', type: JSON_TYPE }, /^the JSON cannot be read: /],
    ['JSON cut in the midst', { body: JSON.stringify([OBJECT, OBJECT]).slice(0, -9) }, /^the JSON cannot be read: /],
    ['two JSON documents', { body: `[${JSON.stringify(OBJECT)}][]` }, /^the JSON cannot be read: /],
    ['a number as JSON', { body: '7', type: JSON_TYPE }, /^the JSON is not an array of rows but the value 7$/],
    ['null as JSON', { body: 'null', type: JSON_TYPE }, /^the JSON is not an array of rows but null$/],
    ['an error object', json({ error: 'down' }), /^the JSON is not an array of rows but an object with error; "rows"/],
    ['an empty object', json({}), /but an object with no members;/],
    ['an empty array', json([]), /^the list has no rows$/],
    ['an array of no objects', json([1, 'x', null, []]), /^the list has no brand, fuel, price$/],
    [
      'JSON without its rows',
      json({ data: {} }, { rows: 'data.items' }),
      /^the JSON has no array at "data\.items" \("rows" of PRICES_MAP\) but nothing; it has data$/,
    ],
    [
      'rows that are an object',
      json({ data: { a: 1 } }, { rows: 'data' }),
      /^the JSON has no array at "data" .* but an object/,
    ],
    ['rows that are inherited', json({}, { rows: '__proto__' }), /no array at "__proto__" .* but nothing/],
    ['rows by an inherited name', json([], { rows: 'constructor' }), /no array at "constructor"/],
    ['JSON that lacks a member', json([{ brand: 'ALD', price: 4 }]), /^the list has no fuel; it has brand, price$/],
    [
      'JSON that lacks a mapped path',
      json([OBJECT], { columns: { lat: 'geo.lat' } }),
      /^the list has no "geo\.lat" \(lat\)/,
    ],
    [
      'a wide JSON without any of its fuels',
      json([OBJECT], { columns: { 'price:gpl': 'a', 'price:adblue': 'b' } }),
      /^the list has no "a" \(price:lpg\), "b"/,
    ],
    [
      'JSON deeper than a thread can go',
      { body: `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}` },
      /^the list (has no brand|is nested too deeply)/,
    ],
    [
      'a page of tags that are never closed',
      { body: '<div>'.repeat(100_000), map: PAGE_MAP },
      /^the list is nested too deeply to be read$/,
    ],
    [
      'a page as deep that closes its tags',
      { body: `${'<b>'.repeat(100_000)}${'</b>'.repeat(100_000)}`, map: PAGE_MAP },
      /^the list is nested too deeply to be read$/,
    ],
    [
      'a page as deep outside the rows',
      { body: `<noscript>${'<b>'.repeat(100_000)}`, map: PAGE_MAP },
      /^the list is nested too deeply to be read$/,
    ],
    [
      'a page where the cells went elsewhere',
      { body: PAGE.replaceAll('td>', 'dd>'), map: PAGE_MAP },
      /^the list has no "td" \(fuel\), "td \+ td" \(price\)$/,
    ],
    ['a page with no table', { body: '<p>Revenim</p>', map: PAGE_MAP }, /nothing matches "table tr"/],
    [
      'a page of which the map names no price',
      { body: PAGE, map: { rows: 'tr', columns: { brand: '=ALD' } } },
      /^the list has no fuel, price$/,
    ],
    [
      'a page that paths do not select',
      { body: PAGE, map: { rows: 'tr', columns: { brand: 'a(b)' } } },
      /"a\(b\)" for brand in PRICES_MAP is not a CSS selector$/,
    ],
  ];
  for (const [title, given, pattern] of cases) {
    test(title, async () => assert.match(await failure(given), pattern));
  }

  test('more rows than any network has', async () => {
    const many = 200_001;
    const why = 'the list has more than 200000 rows';
    assert.equal(await failure({ body: `${HEADER}\n${'a,,,,\n'.repeat(1_000_000)}` }), why);
    assert.equal(await failure({ body: `[${'{},'.repeat(many - 1)}{}]` }), why);
    assert.equal(await failure({ body: `[${'{},'.repeat(1_000_000)}{}]` }), why);
  });

  test('more stations than any network has', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, id) => `ALD,S${id},gpl,4.19,`).join('\n');
    const why = 'the list names 20001 stations; at most 20000 are accepted';
    assert.equal(await failure({ body: `${HEADER}\n${rows(20_001)}\n` }), why);
  });
});

describe('still reads', () => {
  const mixed = (rows: readonly string[]) => [HEADER, ...rows, ROW].join('\n');
  const cases: readonly (readonly [title: string, given: ListInput, counts: Record<string, number>])[] = [
    ['a CSV with a byte order mark and CRLF', { body: `\uFEFF${mixed([]).replaceAll('\n', '\r\n')}` }, {}],
    ['a CSV in UTF-16', { body: utf16(mixed([])) }, {}],
    ['a CSV in big-endian UTF-16', { body: utf16(mixed([])).swap16() }, {}],
    ['a CSV with semicolons', { body: mixed([]).replaceAll(',', ';') }, {}],
    ['a CSV with tabs', { body: mixed([]).replaceAll(',', '\t') }, {}],
    ['a CSV with the line for Excel', { body: `sep=;\r\n${mixed([]).replaceAll(',', ';')}` }, {}],
    [
      'a CSV with commas within quotes of the header',
      { body: '"a,b,c,d";brand;station;fuel;price;observed_at\n;ALD;1;gpl;4.19;2026-11-20' },
      {},
    ],
    ['a CSV declared as a page', { body: mixed([]), type: 'text/html' }, {}],
    ['JSON declared as a page', { body: JSON.stringify([OBJECT]), type: 'text/html' }, {}],
    ['JSON without a media type', { body: `\uFEFF ${JSON.stringify([OBJECT])}` }, {}],
    [
      'a page declared as JSON',
      { body: PAGE.replace('1', '1'), type: JSON_TYPE, map: { ...PAGE_MAP, columns: { ...PAGE_MAP.columns } } },
      {},
    ],
    ['headings in other letters', { body: mixed([]).replace('brand', 'BRAND').replace('price', ' Price ') }, {}],
    ['short and long rows', { body: mixed(['ALD,2', 'ALD,2,gpl,4,,,,', 'x']) }, { wrong_columns: 3 }],
    ['blank lines', { body: mixed(['', '  ', ',,,,']) }, { no_brand: 1 }],
    ['rows that are no objects', json([null, 1, 'x', [OBJECT], OBJECT]), { no_object: 4 }],
    [
      'objects within cells',
      json([
        { ...OBJECT, station: {} },
        { ...OBJECT, brand: [] },
        { ...OBJECT, station: '2', price: {} },
        { ...OBJECT, station: true },
        OBJECT,
      ]),
      { bad_station: 2, no_brand: 1, price_not_a_number: 1 },
    ],
    [
      'numbers beyond all numbers',
      { body: JSON.stringify([{ ...OBJECT, station: '2', price: 7 }, OBJECT]).replace('7', '1e999') },
      { price_not_a_number: 1 },
    ],
    [
      'texts of great length',
      json([{ ...OBJECT, brand: 'x'.repeat(1e6), fuel: 'y'.repeat(1e6) }, OBJECT]),
      { unknown_fuel: 1 },
    ],
    [
      'control and direction signs',
      { body: mixed(['\u202eALD\u0000,2,g\u0000pl,4.19,'].map((row) => row.replaceAll('\0', '\u0001'))) },
      {},
    ],
    ['half a character', json([{ ...OBJECT, name: '\ud83d' }]), {}],
    [
      'members that mean something to a machine',
      { body: `[{"__proto__": {"brand": "X"}, ${JSON.stringify(OBJECT).slice(1)}]` },
      {},
    ],
    [
      'a page with scripts, comments and tags left open',
      {
        body: `<script>"<table><tr><th>9"</script><!-- <table> -->${PAGE.replaceAll(/<\/t[dhr]>/g, '')}`,
        map: PAGE_MAP,
      },
      {},
    ],
    [
      'a page cut in the midst of a tag',
      { body: `${PAGE.slice(0, -8)}<tr><th>2</th><td class="`, map: PAGE_MAP },
      { wrong_columns: 1 },
    ],
    [
      'a page cut in the midst of a price, which is not read',
      { body: `${PAGE.slice(0, -8)}<tr><th>2</th><td>gpl</td><td>4,1`, map: PAGE_MAP },
      { wrong_columns: 1 },
    ],
    [
      'XML with elements that close themselves, and with CDATA',
      {
        body: '<?xml version="1.0"?><list><row id="1"><name/><fuel v="gpl"/><price><![CDATA[4.19]]></price></row></list>',
        map: { rows: 'list > row', columns: { brand: '=ALD', station: '@id', fuel: 'fuel@V', price: 'Price' } },
      },
      {},
    ],
  ];
  for (const [title, given, counts] of cases) {
    test(title, async () => {
      const sweep = await readListInProcess(listOf(given));
      const lines = priceLines(sweep).map((line) => line.replace(' -', ' 2026-11-20'));
      assert.ok(lines.includes(READ), lines.join());
      assert.deepEqual(sweep.rejections.counts(), counts);
      assert.equal(sweep.units.get('all'), 'read');
    });
  }

  test('Romanian of an older program', async () => {
    const text = 'brand,station,fuel,price,name,city,county\nALD,1,gpl,4.19,Stația Țăndărei,Țăndărei,Ialomița';
    const bytes: Record<string, number> = { ș: 0xba, Ț: 0xde, ț: 0xfe, ă: 0xe3 };
    const body = Buffer.from([...text].map((letter) => bytes[letter] ?? letter.charCodeAt(0)));
    const [station] = (await readListInProcess(listOf({ body }))).stations;
    assert.equal(station?.name, 'Staţia Ţăndărei', 'windows-1250 has the cedillas only');
    assert.equal(station?.locality, 'tandarei');
  });
});

describe('bounds the time and memory for', () => {
  const sweep = ({ body, map }: ListInput, limits: { timeMs: number; memoryMb: number }) => {
    const list = listOf({ body, map });
    const answer = { status: 200, ...list };
    return priceListSource({ name: 'prices:ours', map: list.map, gazetteer: loadGazetteer(), limits }).sweep(
      sweepContext(async () => answer),
    );
  };

  test('a page whose selector compares each element with all others', async () => {
    const body = '<i>a</i>'.repeat(200_000);
    await assert.rejects(
      sweep({ body, map: { ...PAGE_MAP, rows: 'i:nth-last-of-type(odd)' } }, { timeMs: 500, memoryMb: 768 }),
      new SourceFailed('the list cannot be read within 0.5 s'),
    );
  });

  test('a page of a million elements', async () => {
    const body = '<i>a</i>'.repeat(1_000_000);
    await assert.rejects(
      sweep({ body, map: PAGE_MAP }, { timeMs: 60_000, memoryMb: 768 }),
      new SourceFailed('the list has more than 500000 elements: it cannot be read'),
    );
  });

  test('a list of unknown cities: each is looked up once, and only up to a limit', async () => {
    const row = (index: number) => `ALD,${index},gpl,4.19,Nic${index}ăieri,CJ`;
    const rows = Array.from({ length: 3_000 }, (_, index) => row(index));
    const body = `brand,station,fuel,price,city,county\n${rows.join('\n')}`;
    assert.deepEqual((await readListInProcess(listOf({ body }))).rejections.counts(), { bad_city: 3_000 });
  });
});
