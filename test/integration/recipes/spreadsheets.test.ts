/**
 * docs/SPREADSHEETS.md: the requests of its snippets, sent as each program sends them, and the columns that they name.
 * What LibreOffice does with its own is in `libreoffice.long.test.ts`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import vm from 'node:vm';
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser';
import { parse } from 'csv-parse/sync';
import { DOCUMENTED_ADDRESS, snippetsOf } from '../../support/documented-code.ts';
import { allowAll, SOME_KEY } from '../../support/service/open-access.ts';
import { aWaitingSite } from '../../support/service/site-builders.ts';
import { TestService } from '../../support/service/test-service.ts';
import { world } from '../../support/worlds/contract-world.ts';

const PAGE = 'docs/SPREADSHEETS.md';
const FILES = ['orase', 'retele', 'national'] as const;
const fileAddress = (name: string) => `${DOCUMENTED_ADDRESS}/date/v1/preturi/${name}.csv`;
const SHEETS = {
  'User-Agent': 'Mozilla/5.0 (compatible; GoogleDocs; apps-spreadsheets; +http://docs.google.com)',
  'Accept-Encoding': 'gzip, deflate, br',
};
const APPS_SCRIPT = { 'User-Agent': 'Mozilla/5.0 (compatible; Google-Apps-Script; beanserver)' };
const EXCEL = {
  'User-Agent': 'Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)',
  'Accept-Encoding': 'gzip, deflate',
};
const LIBREOFFICE = { 'User-Agent': 'LibreOffice 7.4.7.2', 'Accept-Encoding': 'deflate, gzip, br, zstd' };

type Rows = { names: string[]; rows: string[][]; text: string };

describe('The snippets for spreadsheets', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start({
      ...{ accessControl: allowAll(SOME_KEY), snapshot: world(), site: aWaitingSite() },
    });
  });
  after(() => service.api.close());

  /** The rows of a CSV answer to a request for a documented address. */
  async function csvAt(address: string, headers: Record<string, string>): Promise<Rows> {
    assert.ok(address.startsWith(`${DOCUMENTED_ADDRESS}/`), address);
    const answer = await service.ask(address.slice(DOCUMENTED_ADDRESS.length), { headers });
    assert.equal(answer.status, 200, address);
    assert.match(String(answer.headers['content-type']), /^text\/csv; charset=utf-8/);
    const [names = [], ...rows]: string[][] = parse(answer.text);
    assert.ok(rows.length > 0, address);
    return { names, rows, text: answer.text };
  }

  for (const name of FILES) {
    test(`name the columns of ${name}.csv as they are, for every program`, async () => {
      const documented = columnsOnPage()[FILES.indexOf(name)];
      for (const program of [SHEETS, EXCEL, LIBREOFFICE])
        assert.deepEqual((await csvAt(fileAddress(name), program)).names, documented);
    });
  }

  describe('in Google Sheets', () => {
    const formulas = snippetsOf(PAGE, 'sheets').flatMap((block) => block.trim().split('\n'));
    /** The columns that each formula means, and a value that it looks for. */
    const MEANT: [columns: Record<string, string>, value: string][] = [
      [{}, ''],
      [{ Col3: 'oras', Col5: 'judet', Col10: 'motorina_standard' }, 'CJ'],
      [{ Col3: 'tip', Col6: 'mediu' }, 'motorina_standard'],
    ];

    for (const [index, [columns, value]] of MEANT.entries()) {
      const formula = formulas[index] ?? '';
      test(`name the columns that they mean, and the language: ${formula.replace(/"http.*v1./, '"')}`, async () => {
        const [, address = '', language] = /IMPORTDATA\("([^"]+)"; ","; "(\w+)"\)/.exec(formula) ?? [];
        assert.equal(language, 'en_US');
        const { names, rows } = await csvAt(address, SHEETS);
        const named = new Set(formula.match(/Col\d+/g));
        const found = [...named].map((column) => [column, names[Number(column.slice(3)) - 1]]);
        assert.deepEqual(Object.fromEntries(found), columns);
        assert.ok(formula.includes(value) && (value === '' || rows.some((row) => row.includes(value))), value);
      });
    }

    test('are all there', () => assert.equal(formulas.length, MEANT.length));

    test('give the stations of a query as numbers and texts, missing prices empty, through a script', async () => {
      const call = '=POMPA("oras=Cluj-Napoca&tip=gpl")';
      const [script = ''] = snippetsOf(PAGE, 'js');
      assert.ok(script.includes(call));
      const query = 'oras=Iași';
      const { table, sent } = await runAppsScript(script, query, async (address) => {
        assert.ok(address.endsWith('oras=Ia%C8%99i'), address);
        return csvAt(address, APPS_SCRIPT);
      });
      assert.equal(sent.headers['X-Api-Key'], 'key of the script');
      const [names = [], ...rows] = table;
      const valuesOf = (name: string) => rows.map((row) => row[names.indexOf(name)]);
      assert.deepEqual(new Set(valuesOf('id')), new Set(['1b2c3d4e5f60', '2c3d4e5f6071']));
      assert.ok(valuesOf('lat').every((lat) => typeof lat === 'number'));
      const prices = valuesOf('pret');
      assert.ok(prices.includes(''));
      assert.ok(prices.every((price) => price === '' || (typeof price === 'number' && price > 1)));
    });
  });

  describe('in Excel', () => {
    const [small = '', stations = '', ...others] = snippetsOf(PAGE, 'powerquery');

    test('are all there', () => assert.deepEqual(others, []));

    for (const [title, query, expected] of [
      ['the cities', small, fileAddress('orase')],
      ['stations', stations, `${DOCUMENTED_ADDRESS}/api/v1/statii?oras=Cluj-Napoca&tip=benzina_standard&format=csv`],
    ] as const) {
      test(`are a query in Power Query's language whose columns have their types in English: ${title}`, async () => {
        await assertParses(query);
        const address = addressIn(query);
        assert.equal(address, expected);
        assert.match(query, /\},\s+"en-US"\s+\)/);
        const { names, rows } = await csvAt(address, EXCEL);
        const typed = [...query.matchAll(/\{"(\w+)", type (\w+)\}/g)];
        assert.ok(typed.length > 3);
        for (const [, name = '', type = ''] of typed) {
          assert.ok(names.includes(name), name);
          const values = rows.map((row) => row[names.indexOf(name)] ?? '');
          for (const value of values) assert.match(value, TYPES[type] ?? assert.fail(type), name);
        }
      });
    }

    test('send the key of whoever reads stations', () => assert.match(stations, /Headers = \[#"X-Api-Key" = Key\]/));

    test('would not be accepted with a mistake', async () => {
      await assert.rejects(assertParses(small.replace('in\n', '')));
    });
  });
});

/** What is written in a file that Power Query reads as a type, in English; nothing where a value is missing. */
const TYPES: Readonly<Record<string, RegExp>> = {
  number: /^(\d+(\.\d+)?)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  datetimezone: /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/,
  text: /^/,
};

/** The columns of the three files, by the table on the page. */
function columnsOnPage(): string[][] {
  const lines = readFileSync(new URL(`../../../${PAGE}`, import.meta.url), 'utf8').match(/^\| \d+ \|.*$/gm) ?? [];
  const cells = lines.map((line) => line.split('|').slice(2, 5));
  return FILES.map((_, file) => cells.flatMap((row) => row[file]?.match(/\w+/)?.[0] ?? []));
}

async function assertParses(query: string): Promise<void> {
  const task = await TaskUtils.tryLexParse(DefaultSettings, query);
  assert.ok(TaskUtils.isParseStageOk(task), query);
}

/** The address that a query of Power Query asks for. */
function addressIn(query: string): string {
  const [, base] = /Web\.Contents\(\s*"([^"]+)"/.exec(query) ?? [];
  const [, file] = /RelativePath = "([^"]+)"/.exec(query) ?? [];
  const [, parameters = ''] = /Query = \[([^\]]+)\]/.exec(query) ?? [];
  const search = new URLSearchParams(
    [...parameters.matchAll(/(\w+) = "([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  return `${base}/${file}${search.size > 0 ? `?${search}` : ''}`;
}

type Table = (string | number)[][];
type AppsScriptRun = { readonly table: Table; readonly sent: { headers: Record<string, string> } };

/** Calls the custom function of a script. Google's services answer at once, so the first run only says what it asks. */
async function runAppsScript(
  script: string,
  query: string,
  answerTo: (address: string) => Promise<Rows>,
): Promise<AppsScriptRun> {
  const asked: { address: string; options: AppsScriptRun['sent'] }[] = [];
  const run = (text: string): Table => {
    const services = {
      PropertiesService: {
        getScriptProperties: () => ({
          getProperty: (name: string) => (name === 'POMPA_API_KEY' ? 'key of the script' : null),
        }),
      },
      UrlFetchApp: {
        fetch: (address: string, options: AppsScriptRun['sent']) => {
          asked.push({ address, options });
          return { getContentText: () => text };
        },
      },
      Utilities: { parseCsv: (csv: string) => parse(csv) },
    };
    return JSON.parse(vm.runInNewContext(`${script}\nJSON.stringify(POMPA(${JSON.stringify(query)}))`, services));
  };
  run('id\r\n');
  const [request] = asked;
  assert.ok(request !== undefined);
  return { table: run((await answerTo(request.address)).text), sent: request.options };
}
