/**
 * docs/SPREADSHEETS.md: its formula, settings and command in LibreOffice, set to Romanian, which it installs from
 * Debian where it is missing; the same in every form.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { atAddress, snippetsOf } from '../../support/documented-code.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { aWaitingSite } from '../../support/service/site-builders.ts';
import { TestService } from '../../support/service/test-service.ts';
import { world } from '../../support/worlds/contract-world.ts';
import { type Calc, type Cell, libreOffice } from './libreoffice.ts';

const PAGE = 'docs/SPREADSHEETS.md';
const page = readFileSync(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');
const [formula = ''] = snippetsOf(PAGE, 'calc');
const [command = ''] = snippetsOf(PAGE, 'sh');
/** The filter options that stand for the settings of the dialog. */
const [, options = ''] = /filter options `([^`]+)`/.exec(page) ?? [];
const ROMANIAN = options.replace(/,1033$/, ',1048');

const DIESEL = { min: 7_120, mean: 7_490, max: 8_123 };
const NOT_SOLD = { min: null, mean: null, max: null };
const SNAPSHOT = world({
  national: {
    ...{ petrol: DIESEL, petrol_premium: NOT_SOLD, diesel: DIESEL, diesel_premium: NOT_SOLD, lpg: NOT_SOLD },
  },
});

describe('The snippets for LibreOffice', () => {
  let service: TestService;
  let folder: string;
  let calc: Calc;
  let url: string;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'pompa-calc-'));
    calc = await libreOffice(folder);
    service = await TestService.start({ snapshot: SNAPSHOT, site: aWaitingSite({ snapshot: SNAPSHOT }) });
    url = `http://127.0.0.1:${service.port}`;
  });
  after(async () => {
    await service.api.close();
    rmSync(folder, { recursive: true });
  });

  test('show one price as a number, and a missing one as #N/A', async () => {
    const ours = atAddress(formula.trim(), url);
    const cells = await calc.typed([ours, ours.replace('motorina_standard', 'gpl'), '=A1*40']);
    assert.deepEqual(
      cells.map(({ shown }) => shown),
      ['7,49', '#N/A', '299,6'],
    );
  });

  test('multiply a missing price only in the way that the page advises against', async () => {
    const [, guarded = '', plain = ''] = /write `(=[^`]+)`, not `(=[^`]+)`/.exec(page) ?? [];
    const cells = await calc.typed([guarded, plain]);
    assert.deepEqual(
      cells.map(({ shown }) => shown),
      ['', '0'],
    );
  });

  test('link a table whose prices are numbers and whose missing prices are empty cells', async () => {
    const [names = [], ...rows] = await calc.linked(`${url}/date/v1/preturi/orase.csv`, options);
    const [first = []] = rows;
    const cellOf = (name: string) => first[names.findIndex(({ shown }) => shown === name)];
    assert.deepEqual(cellOf('oras'), { kind: 'text', shown: 'Cluj-Napoca' });
    assert.deepEqual(cellOf('benzina_standard'), { kind: 'number', shown: '7,45' });
    assert.deepEqual(cellOf('gpl'), { kind: 'empty', shown: '' });
  });

  test('are needed: a file in English that is read as Romanian has other numbers, as the page says', async () => {
    const rows = await calc.linked(`${url}/date/v1/preturi/national.csv`, ROMANIAN);
    const diesel = rows.find((row) => row.some(({ shown }) => shown === 'motorina_standard')) ?? [];
    const [min, mean, max] = diesel.slice(4) as [Cell, Cell, Cell];
    assert.match(min.shown, /^07\.12\.\d\d$/);
    assert.deepEqual(
      [min.kind, mean, max],
      ['number', { kind: 'text', shown: '7.49' }, { kind: 'number', shown: '8123' }],
    );
    for (const row of ['| `7.12` | 7 December |', '| `8.123` | 8123 |', '| `7.49` | a text |'])
      assert.ok(page.includes(row));
  });

  test('make a file for Excel in which prices are numbers', async () => {
    await runProgram(['sh', '-euc', atAddress(command, url)], { cwd: folder, env: calc.env });
    const [names = [], ...rows] = await calc.opened(path.join(folder, 'orase.xlsx'));
    const at = names.findIndex(({ shown }) => shown === 'benzina_standard');
    assert.deepEqual(rows[0]?.[at], { kind: 'number', shown: '7,45' });
  });
});
