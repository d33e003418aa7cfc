/** docs/DUCKDB.md: its commands download dumps from a service, its statements read them; the same in every form. */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { atAddress, snippetsOf } from '../../support/documented-code.ts';
import { type ForeignReader, openDuckDb } from '../../support/duckdb.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { type ServedDumps, serveDumps } from './served-dumps.ts';

const [download = '', single = '', csv = ''] = snippetsOf('docs/DUCKDB.md', 'sh');
const statements = snippetsOf('docs/DUCKDB.md', 'sql');
const [R1, R2, R9] = ['132e600e8212', 'cfee7a67cd84', '71cf46373b31'];

/** What each statement of the page finds, in its order: the values of its rows. */
const FOUND: [title: string, rows: unknown[][]][] = [
  ['the cheapest diesel', [['Petrom', 'Voluntari', 'IF', 7.6, '2026-11-20']]],
  [
    'the prices of each county',
    [
      ['IF', 'benzina_standard', '2', 7.02, 7.066],
      ['IF', 'motorina_standard', '1', 7.6, 7.6],
      ['PH', 'benzina_standard', '1', 8, 8],
    ],
  ],
  [
    'a station without a price, as NULL',
    [
      ['Petrom', 'Voluntari', 'Strada 1', 7.6],
      ['Petrom', 'Balotesti', 'Strada 2', null],
    ],
  ],
  ['the stations around a point', [['Voluntari', 'Strada 1', 7.8]]],
  [
    'the points of GeoParquet',
    [
      [R1, 'POINT (26.1 44.5)'],
      [R9, 'POINT (26.1 45.3)'],
      [R2, 'POINT (26.1 44.6)'],
    ],
  ],
  [
    'every change in a town, a withdrawn price as NULL',
    [
      ['2026-10-05 11:00:00', 'benzina_standard', 'nou', null, 7, null],
      ['2026-10-05 11:00:00', 'motorina_standard', 'nou', null, 7.5, null],
      ['2026-10-06 11:00:00', 'benzina_standard', 'pret', 7, 7.111, 0.111],
      ['2026-10-31 14:00:00', 'motorina_standard', 'retras', 7.5, null, null],
    ],
  ],
  [
    'the prices at a moment, without those that were withdrawn before',
    [
      [R1, 'benzina_standard', 'register', 7.111],
      [R1, 'motorina_standard', 'register', null],
      [R9, 'benzina_standard', 'rompetrol', 7.9],
      [R2, 'benzina_standard', 'register', null],
    ],
  ],
  [
    'what was served on a day, in its order',
    [
      ['10:00', R2, 'benzina_standard', 'pret', 7.01, 7.02, null],
      ['10:00', R1, 'motorina_standard', 'revenit', null, 7.6, null],
      ['10:00', R9, 'benzina_standard', 'pret', 7.9, 8, null],
    ],
  ],
  [
    'the mean of each day, of stations with a price alone',
    [
      ['2026-10-05', '3', 7.303],
      ['2026-10-06', '3', 7.34],
      ['2026-10-31', '2', 7.506],
      ['2026-11-02', '3', 7.377],
    ],
  ],
  [
    'one row a station and day',
    [
      ['2026-11-02', R1, 7.111, 7.6, null],
      ['2026-11-02', R9, 8, null, null],
      ['2026-11-02', R2, 7.02, null, null],
    ],
  ],
  [
    'one row a price',
    [
      ['2026-11-02', R1, 'benzina_standard', 7.111],
      ['2026-11-02', R1, 'motorina_standard', 7.6],
      ['2026-11-02', R9, 'benzina_standard', 8],
      ['2026-11-02', R2, 'benzina_standard', 7.02],
    ],
  ],
  [
    'days without a measurement, as NULL',
    [
      ['2026-10-04', null],
      ['2026-10-05', 7.5],
      ['2026-10-06', 7.5],
      ['2026-10-07', null],
    ],
  ],
  [
    'the same in CSV',
    [
      ['2026-10-05', R9, 7.9, null],
      ['2026-10-05', R2, 7.01, null],
      ['2026-10-06', R9, 7.9, null],
      ['2026-10-06', R2, 7.01, null],
      ['2026-10-31', R1, 7.111, null],
      ['2026-10-31', R9, 7.9, null],
    ],
  ],
  ['the cheapest cities', [['Cluj-Napoca', 'CJ', 7.45]]],
];

describe('The page on DuckDB', () => {
  let dumps: ServedDumps;
  let duckDb: ForeignReader;
  let folder: string;
  const file = (name: string) => path.join(folder, name);
  /** As a reader pastes a block into a shell: all that it says. */
  const paste = (block: string, cwd = folder) =>
    runProgram(['sh', '-euc', `exec 2>&1\n${atAddress(block, dumps.url)}`], { cwd });
  const parquets = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet'));

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'pompa-duckdb-'));
    dumps = await serveDumps();
    duckDb = await openDuckDb();
    await duckDb.rows(`set file_search_path = '${folder}'`);
    // Nothing on the page may need what DuckDB would download.
    await duckDb.rows('set autoinstall_known_extensions = false');
    for (const block of [download, single, csv]) await paste(block);
  });
  after(async () => {
    duckDb.close();
    await dumps.close();
    rmSync(folder, { recursive: true });
  });

  for (const [index, [title, expected]] of FOUND.entries()) {
    test(`finds ${title}`, async () => {
      const rows = await duckDb.rows(statements[index] ?? assert.fail('the page has no such statement'));
      assert.deepEqual(
        rows.map((row) => Object.values(row)),
        expected,
      );
    });
  }

  test('has no statement that is not tested', () => assert.equal(statements.length, FOUND.length));

  test('downloads again only what is missing or damaged, and removes months that have another name now', async () => {
    const [lost, damaged] = ['10', '11'].map((month) => `zilnic/an=2026/zilnic-2026-${month}.parquet`) as [
      string,
      string,
    ];
    const kept = 'modificari/an=2026/modificari-2026-11.parquet';
    const before = parquets();
    const bytes = readFileSync(file(damaged));
    rmSync(file(lost));
    writeFileSync(file(damaged), 'PAR1');
    utimesSync(file(kept), 1_000, 1_000);
    for (const [table, month] of [
      ['zilnic', '10-r2'],
      ['servite', '11-r2'],
      ['modificari', '10-r2'],
    ])
      writeFileSync(file(`${table}/an=2026/${table}-2026-${month}.parquet`), 'PAR1');
    await paste(download);
    assert.deepEqual(parquets().toSorted(), before.toSorted());
    assert.deepEqual(readFileSync(file(damaged)), bytes);
    assert.equal(statSync(file(kept)).mtimeMs, 1_000_000);
  });

  test('downloads from a service that has no month yet, and each file alone', async () => {
    const young = file('young');
    mkdirSync(young);
    const pricesAlone = download.replace(String.raw`'[^o]\.parquet$'`, "'preturi.parquet'");
    assert.equal(await paste(pricesAlone, young), '');
    assert.deepEqual(readdirSync(young).toSorted(), ['SHA256SUMS', 'preturi', 'wanted']);
    const [oneFile = ''] = snippetsOf('docs/OPEN-DATA.md', 'sh');
    assert.match(await paste(oneFile, young), /^statii.statii.csv.gz: OK$/m);
  });

  test('continues a download that was cut off, and leaves alone what has not changed', async () => {
    const whole = readFileSync(file('statii.geo.parquet'));
    // Marked, so that it shows whether the beginning was fetched again.
    const begun = Buffer.alloc(100, 'x');
    writeFileSync(file('statii.geo.parquet'), begun);
    utimesSync(file('preturi.geojson'), 1_000, 1_000);
    await paste(single);
    assert.deepEqual(readFileSync(file('statii.geo.parquet')), Buffer.concat([begun, whole.subarray(100)]));
    assert.equal(statSync(file('preturi.geojson')).mtimeMs, 1_000_000);
  });
});
