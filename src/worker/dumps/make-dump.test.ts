/** What is dumped is what the database holds of the allowed sources, in every format, read back by DuckDB. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import {
  at,
  COLLECTION_SETTINGS,
  collectorFixture,
  FakeSource,
} from '../../../test/support/collection/collector-fixture.ts';
import { testDatabase } from '../../../test/support/database/test-database.ts';
import { openDuckDb } from '../../../test/support/duckdb.ts';
import { dayNumber } from '../../domain/days.ts';
import { FUELS } from '../../domain/fuel.ts';
import { readManifest } from '../../dumps/published/dump-folder.ts';
import { importDays } from '../../store/prices/daily-prices.ts';
import { type DumpOptions, DumpRefused } from './dump-options.ts';
import { makeDump } from './make-dump.ts';

const database = await testDatabase();
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-dumps-'));
const duckDb = await openDuckDb();
after(async () => {
  duckDb.close();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

const NOW = '2026-11-20T10:00Z';
const folder = path.join(dataDir, 'dumps', 'v1');
const file = (name: string) => path.join(folder, name);

const dump = (more: Partial<DumpOptions> = {}) =>
  makeDump(database.kysely, {
    folder,
    allowed: ['register'],
    settings: COLLECTION_SETTINGS,
    publicUrl: 'https://pompa.example',
    simulated: false,
    now: at(NOW),
    correction: null,
    signal: new AbortController().signal,
    ...more,
  });

/** Every file below the folder, with its hash. */
function contents(): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(file(name)).isFile(),
  );
  return Object.fromEntries(names.sort().map((name) => [name, hash('sha256', readFileSync(file(name)))]));
}
const months = () => Object.keys(contents()).filter((name) => /^(modificari|zilnic)\//.test(name));
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it was not refused'),
    (error) => (error instanceof DumpRefused ? error.message : assert.fail(error)),
  );

const CHANGED_BY_TESTS = ['publication', 'daily_prices', 'daily_reliance', 'observations'];

/** Two months of two sources: changes, prices that go and come back, one that never was usable. */
before(async () => {
  const [register, rompetrol] = [new FakeSource('register'), new FakeSource('rompetrol')];
  const bench = collectorFixture(database, dataDir, [register, rompetrol]);
  const both = { sources: ['register', 'rompetrol'] };
  rompetrol.respondsWith({ R9: { petrol: 7_900 } });
  register.respondsWith({ R1: { petrol: 7_000, diesel: 7_500 }, R2: { petrol: 7_010, lpg: null } });
  await bench.run('2026-10-05T08:00Z', both);
  register.respondsWith({ R1: { petrol: 7_111, diesel: 7_500 }, R2: { petrol: 7_010 } });
  await bench.run('2026-10-06T08:00Z', both);
  register.respondsWith({ R1: { petrol: 7_111, diesel: null } }, { units: { '2:petrol': 'empty' } });
  await bench.run('2026-10-31T21:59:59Z', both);
  rompetrol.respondsWith({ R9: { petrol: 8_000 } });
  register.respondsWith({ R1: { petrol: 7_111, diesel: 7_600 }, R2: { petrol: 7_020 } });
  await bench.run('2026-11-01T00:30Z', both);
  await bench.run(NOW, both);
  for (const table of CHANGED_BY_TESTS)
    await sql`create table ${sql.table(`kept_${table}`)} as table ${sql.table(table)}`.execute(database.kysely);
});

/** Each test begins with that past, and without dumps. */
beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const table of CHANGED_BY_TESTS) await sql`delete from ${sql.table(table)}`.execute(database.kysely);
  for (const table of CHANGED_BY_TESTS)
    await sql`
      insert into ${sql.table(table)} overriding system value table ${sql.table(`kept_${table}`)}`.execute(
      database.kysely,
    );
});

describe('the dumps', () => {
  test('have what each allowed source changed, month by month in Bucharest', async () => {
    await dump();
    const columns = `strftime(vazut_la at time zone 'UTC', '%m-%d %H:%M') as la, tip, fel, pret_vechi, pret_nou, sursa`;
    const read = async (month: string) =>
      (await duckDb.rows(`select ${columns} from '${file(`modificari/an=2026/modificari-${month}.parquet`)}'`)).map(
        (row) => Object.values(row).join(' '),
      );
    const [r1, r2] = (
      await duckDb.rows(`select statie_id from '${file('statii/statii.parquet')}' order by adresa`)
    ).map(({ statie_id }) => String(statie_id));
    assert.ok(r1 !== undefined && r2 !== undefined);
    const first = [
      'benzina_standard nou  7 register',
      'motorina_standard nou  7.5 register',
      'benzina_standard nou  7.01 register',
    ];
    assert.deepEqual(
      (await read('2026-10')).toSorted(),
      [
        ...first.map((row) => `10-05 08:00 ${row}`),
        '10-06 08:00 benzina_standard pret 7 7.111 register',
        '10-31 21:59 motorina_standard retras 7.5  register',
        '10-31 21:59 benzina_standard retras 7.01  register',
      ].toSorted(),
    );
    assert.deepEqual((await read('2026-11')).toSorted(), [
      '11-01 00:30 benzina_standard revenit  7.02 register',
      '11-01 00:30 motorina_standard revenit  7.6 register',
    ]);
  });

  test('say the same as CSV, as Parquet and in the database', async () => {
    await dump({ allowed: ['register', 'rompetrol'] });
    for (const table of ['modificari', 'zilnic'])
      assert.deepEqual(
        await differing(
          `read_parquet('${file(`${table}/*/*.parquet`)}')`,
          `read_csv('${file(`${table}/*/*.csv.gz`)}')`,
        ),
        [],
      );
    for (const table of ['statii', 'preturi'])
      assert.deepEqual(
        await differing(
          `'${file(`${table}/${table}.parquet`)}'`,
          `read_csv('${file(`${table}/${table}.csv.gz`)}', all_varchar = false)`,
        ),
        [],
      );
    const stored = await sql<{ day: string; prices: number }>`
      select to_char(day, 'YYYY-MM-DD') as day, sum(coalesce(case when trusted & 1 > 0 then petrol end, 0)
          + coalesce(case when trusted & 4 > 0 then diesel end, 0))::int as prices
      from daily_prices where day < '2026-11-20' group by day order by day`.execute(database.kysely);
    const dumped = await duckDb.rows(`
      select zi::text as day, round(sum(1000 * (coalesce(benzina_standard, 0) + coalesce(motorina_standard, 0))))::int as prices
      from '${file('zilnic/*/*.parquet')}' group by 1 order by 1`);
    assert.deepEqual(dumped, stored.rows);
  });

  test('place stations and prices on the map in every format that has places', async () => {
    await dump();
    const wkb = await duckDb.rows(
      `select statie_id, lat, lng, geometry::text as punct from '${file('statii/statii.geo.parquet')}'`,
    );
    const { features } = JSON.parse(readFileSync(file('statii/statii.geojson'), 'utf8'));
    assert.equal(features.length, 2);
    for (const { geometry, properties } of features) {
      const row = wkb.find(({ statie_id }) => statie_id === properties.statie_id);
      assert.deepEqual(geometry, { type: 'Point', coordinates: [row?.lng, row?.lat] });
      assert.equal(row?.punct, `POINT (${row?.lng} ${row?.lat})`);
    }
    const prices = JSON.parse(readFileSync(file('preturi/preturi.geojson'), 'utf8')).features;
    assert.deepEqual(
      prices.map(({ properties }: never) => (properties as { pret: number }).pret).toSorted(),
      [7.02, 7.111, 7.6],
    );
  });

  test('have no row of a source that is not named', async () => {
    await dump({ allowed: ['rompetrol'] });
    for (const name of Object.keys(contents()).filter((one) => one.endsWith('.csv.gz'))) {
      const rows = gunzipSync(readFileSync(file(name)))
        .toString()
        .trim()
        .split('\r\n')
        .slice(1);
      assert.ok(rows.length > 0 && rows.every((row) => row.endsWith(',rompetrol')), name);
    }
    assert.deepEqual(
      readManifest(folder)
        ?.files.flatMap(({ sources }) => sources)
        .filter((one) => one !== 'rompetrol'),
      [],
    );
  });

  test('have imported days only where "import" is named', async () => {
    const [row] = (await sql<{ id: string }>`select station_id as id from price_facts limit 1`.execute(database.kysely))
      .rows;
    const prices = FUELS.map((fuel) => (fuel === 'petrol' ? 6_900 : null));
    await importDays(database.kysely, [{ day: dayNumber('2026-09-01'), station: row?.id ?? '', prices, facts: 0 }]);
    await dump();
    assert.ok(!months().includes('zilnic/an=2026/zilnic-2026-09.csv.gz'));
    await dump({ allowed: ['register', 'import'] });
    const csv = gunzipSync(readFileSync(file('zilnic/an=2026/zilnic-2026-09.csv.gz'))).toString();
    assert.match(csv, /\r\n2026-09-01,[0-9a-f]{12},6\.9,,,,,,import\r\n$/);
  });

  test('attribute days from before their sources were kept to the only source that told prices', async () => {
    await dump();
    const before = gunzipSync(readFileSync(file('zilnic/an=2026/zilnic-2026-10.csv.gz'))).toString();
    await sql`delete from daily_reliance`.execute(database.kysely);
    rmSync(folder, { recursive: true });
    await dump();
    assert.equal(gunzipSync(readFileSync(file('zilnic/an=2026/zilnic-2026-10.csv.gz'))).toString(), before);
  });

  test('are the same bytes when they are made again, and unchanged files keep their times', async () => {
    const { written, files } = await dump();
    assert.equal(written, files);
    const before = contents();
    utimesSync(file('statii/statii.csv.gz'), 1_000, 1_000);
    assert.equal((await dump()).written, 0);
    assert.deepEqual(contents(), before);
    assert.equal(statSync(file('statii/statii.csv.gz')).mtimeMs, 1_000_000);
    rmSync(folder, { recursive: true });
    await dump();
    assert.deepEqual(contents(), before);
  });

  test('name every file with its size, hash and rows, and sums that hold', async () => {
    await dump();
    const sums = readFileSync(file('SHA256SUMS'), 'utf8').trim().split('\n');
    for (const line of sums) {
      const [sum, name] = line.split('  ') as [string, string];
      assert.equal(hash('sha256', readFileSync(file(name))), sum, name);
    }
    const unnamed = Object.keys(contents()).filter((name) => !sums.some((line) => line.endsWith(`  ${name}`)));
    assert.deepEqual(unnamed, ['SHA256SUMS', 'preturi/national.csv', 'preturi/orase.csv', 'preturi/retele.csv']);
    const manifest = readManifest(folder);
    assert.equal(manifest?.madeAt, at(NOW));
    assert.equal(manifest?.updatedAt, at(NOW));
    for (const { path: name, bytes, sha256, rows, format } of manifest?.files ?? []) {
      assert.equal(statSync(file(name)).size, bytes);
      assert.equal(hash('sha256', readFileSync(file(name))), sha256);
      if (format === 'parquet')
        assert.deepEqual(await duckDb.rows(`select count(*)::int as n from '${file(name)}'`), [{ n: rows }]);
    }
  });

  test('are not made before anything was collected', async () => {
    await sql`update publication set version = 0`.execute(database.kysely);
    assert.match(await refusal(dump()), /nothing was collected yet/);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('leave nothing of a run that was cut off, and nothing half written', async () => {
    await dump();
    const before = contents();
    mkdirSync(file('.preparing-dead/statii'), { recursive: true });
    const stop = new AbortController();
    const cut = dump({
      now: at(NOW) + 3_600_000,
      onTable: () => stop.abort(new Error('stopped')),
      signal: stop.signal,
    });
    await assert.rejects(cut, /stopped/);
    assert.deepEqual(contents(), before);
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('.')));
  });
});

describe('a past month', () => {
  const october = (table: string, format = 'csv.gz') => file(`${table}/an=2026/${table}-2026-10.${format}`);
  const changePast = () =>
    sql`update daily_prices set petrol = petrol + 10 where day = '2026-10-06'`.execute(database.kysely);

  test('stays as it was published, whatever the database says later, while the present one follows', async () => {
    await dump();
    const before = contents();
    await changePast();
    await sql`update daily_prices set petrol = petrol + 10 where day = '2026-11-01'`.execute(database.kysely);
    await dump();
    const changed = Object.entries(contents()).filter(([name, sum]) => before[name] !== sum);
    const data = changed.map(([name]) => name).filter((name) => name.startsWith('zilnic/'));
    assert.deepEqual(data, ['zilnic/an=2026/zilnic-2026-11.csv.gz', 'zilnic/an=2026/zilnic-2026-11.parquet']);
  });

  test('is final some days after its end, and made again until then', async () => {
    await dump({ now: at('2026-11-03T21:59:59Z') });
    assert.equal(
      readManifest(folder)?.files.some(({ isFinal }) => isFinal),
      false,
    );
    await changePast();
    await dump({ now: at('2026-11-03T22:00:00Z') });
    const final = readManifest(folder)?.files.filter(({ isFinal }) => isFinal) ?? [];
    assert.deepEqual([...new Set(final.map(({ month }) => month))], ['2026-10']);
    assert.match(gunzipSync(readFileSync(october('zilnic'))).toString(), /2026-10-06,[^,]+,7\.121,/);
  });

  test('is put back, byte for byte, where a file of it was lost', async () => {
    await dump();
    const before = hash('sha256', readFileSync(october('zilnic')));
    rmSync(october('zilnic'));
    assert.ok((await dump()).written >= 1);
    assert.equal(hash('sha256', readFileSync(october('zilnic'))), before);
  });

  test('is corrected only with a reason, under another name, and with a line in ERATA.md', async () => {
    await dump();
    const published = hash('sha256', readFileSync(october('zilnic')));
    assert.equal((await dump({ correction: { month: '2026-10', why: null } })).written, 0);
    await changePast();
    assert.match(
      await refusal(dump({ correction: { month: '2026-10', why: null } })),
      /2026-10 of zilnic differs.*--why/,
    );
    assert.equal(hash('sha256', readFileSync(october('zilnic'))), published);
    await dump({ correction: { month: '2026-10', why: 'zi greșită' } });
    assert.ok(months().includes('modificari/an=2026/modificari-2026-10.csv.gz'), 'what did not differ stays');
    assert.ok(!months().includes('zilnic/an=2026/zilnic-2026-10.csv.gz'));
    const corrected = hash('sha256', readFileSync(file('zilnic/an=2026/zilnic-2026-10-r2.csv.gz')));
    const errata = readFileSync(file('ERATA.md'), 'utf8');
    for (const part of ['2026-11-20', published, corrected, 'zi greșită']) assert.ok(errata.includes(part), part);
    await dump();
    assert.equal(readFileSync(file('ERATA.md'), 'utf8'), errata);
    assert.match(await refusal(dump({ correction: { month: '2019-01', why: 'x' } })), /nothing of 2019-01/);
  });

  test('loses the rows of a source that may no longer be dumped, and says so', async () => {
    await dump({ allowed: ['register', 'rompetrol'] });
    await dump({ allowed: ['register'] });
    for (const name of months().filter((one) => one.endsWith('.csv.gz')))
      assert.ok(!gunzipSync(readFileSync(file(name))).includes(',rompetrol'), name);
    assert.ok(months().includes('zilnic/an=2026/zilnic-2026-10-r2.parquet'));
    assert.match(readFileSync(file('ERATA.md'), 'utf8'), /source withdrawn: rompetrol/);
  });

  test('is withdrawn where nothing is left, and gets another name when it comes back', async () => {
    await dump({ allowed: ['rompetrol'] });
    await sql`delete from daily_reliance where day < '2026-11-01'`.execute(database.kysely);
    await sql`delete from daily_prices where day < '2026-11-01'`.execute(database.kysely);
    await sql`delete from observations where seen_at < '2026-11-01'`.execute(database.kysely);
    await dump({ allowed: ['register'] });
    assert.ok(!months().some((name) => name.includes('2026-10')));
    assert.match(readFileSync(file('ERATA.md'), 'utf8'), /retras \/ withdrawn/);
  });

  test('of which the rows are deleted by now stays', async () => {
    await dump();
    const before = contents();
    const later = at('2028-12-20T10:00Z');
    await dump({ now: later });
    assert.equal(
      contents()['modificari/an=2026/modificari-2026-10.parquet'],
      before['modificari/an=2026/modificari-2026-10.parquet'],
    );
  });
});

/** Rows that one relation has and the other lacks, both ways. */
async function differing(one: string, other: string): Promise<unknown[]> {
  const texts = 'columns(*)::text';
  const [a, b] = [`select ${texts} from ${one}`, `select ${texts} from ${other}`];
  return duckDb.rows(`(${a} except all ${b}) union all (${b} except all ${a})`);
}
