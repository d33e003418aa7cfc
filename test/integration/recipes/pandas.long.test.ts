/**
 * docs/PANDAS.md: its blocks read dumps from a real service. Needs Python with pandas, which it installs from Debian
 * where it is missing; the same in every form.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { installDebianPackages } from '../../support/debian-packages.ts';
import { atAddress, snippetsOf } from '../../support/documented-code.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { pythonThatRuns } from '../../support/python.ts';
import { type ServedDumps, serveDumps } from './served-dumps.ts';

const PACKAGE = 'python3-pandas';
const [settings = '', ...blocks] = snippetsOf('docs/PANDAS.md', 'python');
const [R1, R2, R9] = ['132e600e8212', 'cfee7a67cd84', '71cf46373b31'];

/** After each block of the page, in its order: what a table of it has, as JSON, where a missing price is null. */
const FOUND: [title: string, table: string, rows: unknown[][]][] = [
  ['the cheapest diesel', 'cheapest', [['Petrom', 'Voluntari', 'IF', 7.6, '2026-11-20T00:00:00.000']]],
  [
    'stations without a price, as NaN',
    'stations_with_prices[["oras", "motorina_standard"]]',
    [
      ['Voluntari', 7.6],
      ['Nucsoara de Jos', null],
      ['Balotesti', null],
    ],
  ],
  [
    'every change, a withdrawn price as NaN',
    'changes[["vazut_la", "statie_id", "fel", "pret_nou", "diferenta"]].tail(3)',
    [
      ['2026-10-06T08:00:00.000Z', R1, 'pret', 7.111, 0.111],
      ['2026-10-31T12:00:00.000Z', R1, 'retras', null, null],
      ['2026-10-31T12:00:00.000Z', R2, 'retras', null, null],
    ],
  ],
  [
    'the prices at a moment, without those that were withdrawn before',
    'at_moment.sort_values(["statie_id", "tip"])',
    [
      [R1, 'benzina_standard', 'register', 7.111],
      [R1, 'motorina_standard', 'register', null],
      [R9, 'benzina_standard', 'rompetrol', 7.9],
      [R2, 'benzina_standard', 'register', null],
    ],
  ],
  [
    'the daily prices of all months',
    'by_station.reset_index()[["zi", "statie_id", "benzina_standard", "gpl"]].iloc[[0, -1]]',
    [
      ['2026-10-05T00:00:00.000', R1, 7, null],
      ['2026-11-02T00:00:00.000', R2, 7.02, null],
    ],
  ],
  [
    'days without a measurement as gaps',
    'mean[["benzina_standard"]].reset_index().iloc[[0, 1, 2, -1]]',
    [
      ['2026-10-05T00:00:00.000', 7.303],
      ['2026-10-06T00:00:00.000', 7.34],
      ['2026-10-07T00:00:00.000', null],
      ['2026-11-02T00:00:00.000', 7.377],
    ],
  ],
  [
    'what it has fetched',
    'november[["statie_id", "motorina_standard"]]',
    [
      [R1, 7.6],
      [R9, null],
      [R2, null],
    ],
  ],
];

describe('The page on pandas', () => {
  let python: string;
  let dumps: ServedDumps;
  let folder: string;
  /** What the blocks leave in these tables when they run one after the other. */
  const tablesAfter = async (code: readonly string[], tables: readonly string[]): Promise<unknown[][][]> => {
    const asked = tables.map((table) => `print((${table}).to_json(orient="values", date_format="iso"))`);
    const program = [atAddress(settings, dumps.url), ...code, `print("${END}")`, ...asked].join('\n');
    const [, printed = ''] = (await runProgram([python, '-W', 'error', '-c', program], { cwd: folder })).split(END);
    return printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  before(async () => {
    python = pandasPython();
    folder = mkdtempSync(path.join(tmpdir(), 'pompa-pandas-'));
    dumps = await serveDumps();
  });
  after(async () => {
    await dumps.close();
    rmSync(folder, { recursive: true });
  });

  test('has blocks that run one after the other', async () => {
    assert.equal(blocks.length, FOUND.length);
    const found = await tablesAfter(
      blocks,
      FOUND.map(([, table]) => table),
    );
    for (const [index, [title, , expected]] of FOUND.entries()) assert.deepEqual(found[index], expected, title);
  });

  test('fetches only what has changed', async () => {
    const file = path.join(folder, 'pompa/zilnic/an=2026/zilnic-2026-11.csv.gz');
    const [fetching = ''] = blocks.slice(-1);
    const needed = ['from urllib.request import urlopen', fetching];
    const [first] = await tablesAfter(needed, ['november']);
    const bytes = readFileSync(file);
    utimesSync(file, 1_000, 1_000);
    assert.deepEqual(await tablesAfter(needed, ['november']), [first]);
    assert.equal(statSync(file).mtimeMs, 1_000_000);
    rmSync(file);
    await tablesAfter(needed, ['november']);
    assert.deepEqual(readFileSync(file), bytes);
  });
});

const END = '--- end of the page ---';

/** The Python that has pandas, installed where it is missing; throws a sentence that says what is missing. */
function pandasPython(): string {
  const find = () => pythonThatRuns('import pandas');
  const python = find() ?? (installDebianPackages([PACKAGE]) ? find() : undefined);
  if (python === undefined)
    throw new Error(`the test of the page on pandas needs ${PACKAGE}: install it, then try again`);
  return python;
}
