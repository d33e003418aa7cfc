import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { readHistory, readPrices, readStations } from './import-rows.ts';
import { BadFile, badRowText, isBadRow, readTable } from './import-table.ts';
import { parseInstant } from './parse-values.ts';

const COLUMNS = ['a', 'b', 'c'];
const table = (text: string, name = 'x.csv', required: string[] = ['a']) => readTable(name, text, COLUMNS, required);
/** Parsed rows: values, or the message for a bad one. */
const rowsOrProblems = (...call: Parameters<typeof table>) =>
  table(...call).map((row) => (isBadRow(row) ? badRowText(row) : [row.where, row.values]));
const refused = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    assert.ok(error instanceof BadFile, `${error}`);
    return error.problems.join();
  }
  throw new Error('it was not refused');
};

describe('a CSV file', () => {
  test('may have a byte order mark, CRLF, blank lines, quotes, and columns in any order', () => {
    const text = '\uFEFFb,a\r\n"x, ""y""",1\r\n\r\n șț ,2\r\n';
    assert.deepEqual(rowsOrProblems(text), [
      ['line 2', { a: '1', b: 'x, "y"' }],
      ['line 4', { a: '2', b: 'șț' }],
    ]);
  });

  test('may lack the last line’s end, and have a value over several lines', () => {
    const rows = rowsOrProblems('a,b\n1,"x\ny"\n2,z');
    assert.deepEqual(
      rows.map((row) => row[1]),
      [
        { a: '1', b: 'x\ny' },
        { a: '2', b: 'z' },
      ],
    );
    assert.equal(rows[1]?.[0], 'line 4');
  });

  test('reports every row that is short, long, empty, or lacks a value', () => {
    assert.deepEqual(rowsOrProblems('a,b\n1\n1,2,3\n,2\n1,2\n'), [
      'line 2: 1 columns, but the header line has 2',
      'line 3: 3 columns, but the header line has 2',
      'line 4: a must be set',
      ['line 5', { a: '1', b: '2' }],
    ]);
  });

  test('with an unknown or repeated column is refused', () => {
    assert.deepEqual(rowsOrProblems('a,d\n1,2\n'), ['line 2: unknown column "d"; the columns are a, b, c']);
    assert.equal(
      refused(() => table('a,b,a\n1,2,3\n')),
      'line 1: the column "a" occurs twice',
    );
  });

  test('that is empty, has only its header, or a quote without end is refused', () => {
    assert.equal(
      refused(() => table('')),
      'x.csv has no rows',
    );
    assert.equal(
      refused(() => table('a,b\n')),
      'x.csv has no rows',
    );
    assert.match(
      refused(() => table('a,b\n1,"x\n')),
      /^the CSV cannot be read: .*[Qq]uote/,
    );
  });

  test('preserves any quoted text exactly', () => {
    const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\r', '').trim());
    fc.assert(
      fc.property(text, (value) => {
        const [row] = table(`a,b\nx,"${value.replaceAll('"', '""')}"\n`);
        assert.deepEqual(row && !isBadRow(row) && row.values, { a: 'x', b: value });
      }),
    );
  });
});

describe('a JSON file', () => {
  test('holds objects; numbers, booleans, lists and nulls are read as a CSV would spell them', () => {
    assert.deepEqual(rowsOrProblems('[{"a": 7.5, "b": [" x", "y"], "c": null}, {"a": true}]', 'x.json'), [
      ['element 1', { a: '7.5', b: ' x;y'.trim(), c: '' }],
      ['element 2', { a: 'true' }],
    ]);
  });

  test('may have a byte order mark', () => {
    assert.deepEqual(rowsOrProblems('\uFEFF[{"a": 1}]', 'x.json'), [['element 1', { a: '1' }]]);
  });

  test('reports every element that is not an object', () => {
    assert.deepEqual(rowsOrProblems('[1, {"a": "x"}, null, [], {}]', 'x.json'), [
      'element 1: it must be an object',
      ['element 2', { a: 'x' }],
      'element 3: it must be an object',
      'element 4: it must be an object',
      'element 5: a must be set',
    ]);
  });

  test('that is broken, or not a list, is refused', () => {
    assert.match(
      refused(() => table('[{"a":', 'x.json')),
      /^the JSON cannot be read: /,
    );
    assert.equal(
      refused(() => table('{"a": 1}', 'x.json')),
      'the JSON must be an array of objects',
    );
    assert.equal(
      refused(() => table('[]', 'x.json')),
      'x.json has no rows',
    );
  });

  test('is recognised by its extension, in any case; other extensions are refused', () => {
    assert.equal(table('[{"a": 1}]', 'X.JSON').length, 1);
    assert.equal(
      refused(() => table('a\n1\n', 'x.txt')),
      'x.txt must end in .csv or .json',
    );
  });
});

describe('instants', () => {
  test('are ISO 8601 with an offset and nothing else', () => {
    assert.equal(parseInstant('2026-11-20T10:00:00+02:00'), Date.parse('2026-11-20T08:00:00Z'));
    assert.equal(parseInstant('2026-11-20T08:00Z'), Date.parse('2026-11-20T08:00:00Z'));
    assert.equal(parseInstant('2026-11-20T08:00:00.250Z'), Date.parse('2026-11-20T08:00:00.250Z'));
    for (const wrong of [
      '2026-11-20',
      '2026-11-20T08:00:00',
      '2026-11-20 08:00:00Z',
      '2026-13-20T08:00Z',
      '2026-02-30T08:00Z',
      '2026-11-20T25:00Z',
      '1795168800',
      'yesterday',
      '',
    ])
      assert.equal(parseInstant(wrong), null, wrong);
  });
});

describe('rows', () => {
  const NOW = Date.parse('2026-11-20T08:00:00Z');
  const one = <T extends object>(rows: readonly T[]): unknown => {
    const [row] = rows;
    return row && isBadRow(row) ? row.problem : row;
  };

  test('of prices keep thousandths and the day of the report', () => {
    const text = 'station,fuel,price,observed_at\nx,gpl,3.4565,2026-11-20T09:00:00+02:00\n';
    assert.deepEqual(one(readPrices('p.csv', text, DEFAULT_RANGES, NOW)), {
      where: 'line 2',
      station: 'x',
      fuel: 'lpg',
      price: 3_457,
      observedAt: Date.parse('2026-11-20T07:00:00Z'),
    });
  });

  test('of prices refuse invalid numbers', () => {
    for (const price of [
      '0',
      '-7',
      '7,25',
      '1e1',
      'NaN',
      'Infinity',
      '0x7',
      '7.',
      '.7',
      '1000000000',
      '5.49',
      '12.01',
    ]) {
      const text = `station,fuel,price,observed_at\nx,benzina_standard,"${price}",2026-11-20T07:00Z\n`;
      assert.match(
        String(one(readPrices('p.csv', text, DEFAULT_RANGES, NOW))),
        /^price ".*" must be from 5\.50 to/,
        price,
      );
    }
  });

  test('of history refuse days that do not exist or are in the future in Bucharest', () => {
    const day = (text: string) => one(readHistory('h.csv', `date,station,fuel,price\n${text},x,gpl,3\n`, NOW));
    for (const wrong of ['2026-02-30', '2026-2-3', '20.11.2026', '1989-12-31', '2026-11-21']) {
      assert.match(String(day(wrong)), /^date ".*" (must be a day such as|lies in the future)/, wrong);
    }
    const midnight = Date.parse('2026-11-20T22:00:00Z');
    assert.equal(typeof one(readHistory('h.csv', 'date,station,fuel,price\n2026-11-21,x,gpl,3\n', midnight)), 'object');
  });

  const HEADER = 'key,brand,name,city,county,lat,lng,franchise,services,fuels\n';
  const station = (row: string) => one(readStations('s.csv', `${HEADER}${row}\n`, loadGazetteer()));

  test('of stations have no hidden characters; a value of nothing else is refused', () => {
    const row = station('A,Petrom,P\u200be\u{e0041}ntru toți,Cluj-Napoca,CJ,46.77,23.6,,,') as { name: string };
    assert.equal(row.name, 'Pentru toți');
    assert.equal(station('\u3164,Petrom,,Cluj-Napoca,CJ,46.77,23.6,,,'), 'key must have a character that can be seen');
    assert.equal(
      station(`A,Petrom,a${'\u0316'.repeat(31)},Cluj-Napoca,CJ,46.77,23.6,,,`),
      'name must not have more than 30 marks on one character',
    );
  });

  test('of stations find the city in its county, with and without diacritics', () => {
    for (const [city, county] of [
      ['Targu Mures', 'MS'],
      ['Târgu Mureș', 'Mureș'],
      ['TARGU-MURES', 'judetul mures'],
    ]) {
      const row = station(`A,Petrom,,${city},${county},46.54,24.56,,,`) as { locality: string };
      assert.equal(row.locality, 'targu-mures', `${city}, ${county}`);
    }
    assert.match(
      String(station('A,Petrom,,Clij-Napoca,CJ,46.77,23.6,,,')),
      /not a locality of Cluj; near in spelling: .*Cluj/,
    );
  });

  test('of stations read services, franchise and fuels; none named = petrol and diesel', () => {
    const full = station('A,omv petrom,Unu,Bucuresti,B,44.43,26.1,true,"Magazin; ;Cafea",adblue;gpl') as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [full.network, full.brand, full.services, full.fuels, full.manual],
      ['petrom', 'Petrom', ['Magazin', 'Cafea'], ['lpg', 'adblue'], { name: 'Unu', franchise: true, priceNote: null }],
    );
    const bare = station('A,Petrom,,Bucuresti,B,44.43,26.1,,,') as Record<string, unknown>;
    assert.deepEqual([bare.fuels, bare.services], [['petrol', 'diesel'], []]);
    assert.match(String(station('A,Petrom,,Bucuresti,B,44.43,26.1,yes,,')), /^franchise "yes" must be true or false$/);
    assert.match(String(station('A,***,,Bucuresti,B,44.43,26.1,,,')), /^brand "\*\*\*" must hold a letter or a digit$/);
    for (const [lat, lng] of [
      ['90.1', '26'],
      ['44', '180.1'],
      ['4e1', '26'],
      ['44', ' 26 x'],
    ])
      assert.match(
        String(station(`A,Petrom,,Bucuresti,B,${lat},${lng},,,`)),
        /^(lat|lng) ".*" must be a number from -/,
      );
  });
});
