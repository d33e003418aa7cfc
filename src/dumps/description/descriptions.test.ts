/** What describes the dumps says what they are: read back, complete, and documented. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type DumpFile, type DumpManifest, dumpPath } from '../manifest.ts';
import { AGGREGATE_TABLES } from '../tables/aggregate-tables.ts';
import { DUMP_TABLES } from '../tables/all-tables.ts';
import { dataPackage } from './data-package.ts';
import { dcatCatalog } from './dcat-catalog.ts';
import { citationText, errataText, licenceText } from './dump-texts.ts';
import { parseDataPackage } from './parse-data-package.ts';
import { tableSchema } from './table-schema.ts';

const ADDRESS = 'https://pompa.example/sub/date/v1/';
const file = (month: string | null, revision = 1): DumpFile => ({
  ...{ path: dumpPath('zilnic', 'parquet', month, revision), table: 'zilnic', format: 'parquet', month, revision },
  ...{ isFinal: month !== null, bytes: 12, sha256: 'ab'.repeat(32), rows: 3, sources: ['manual', 'register'] },
});
const MANIFEST: DumpManifest = {
  madeAt: Date.parse('2026-11-20T02:00:00.123Z'),
  updatedAt: Date.parse('2026-11-20T01:00:00Z'),
  cursor: 'epoch_01.2s',
  simulated: false,
  allowed: ['manual', 'register'],
  files: [file(null), file('2026-02', 2)],
  emptyMonths: ['modificari/2026-01'],
  errata: [
    {
      ...{ day: '2026-11-20', why: 'preț „greșit”', before: { path: 'zilnic/a', sha256: '0' } },
      after: { path: 'zilnic/b', sha256: '1' },
    },
  ],
};

describe('datapackage.json', () => {
  const text = JSON.stringify(dataPackage(MANIFEST, ADDRESS));

  it('is read back as the manifest that it was made from', () => {
    assert.deepEqual(parseDataPackage(text), MANIFEST);
    assert.deepEqual(
      parseDataPackage(JSON.stringify(dataPackage({ ...MANIFEST, updatedAt: null, cursor: null }, ADDRESS))),
      {
        ...MANIFEST,
        updatedAt: null,
        cursor: null,
      },
    );
  });

  it('is none where the text is something else, and has no file whose path leads elsewhere', () => {
    for (const other of ['', '[]', '{}', '{"resources":[]}', 'null', '{"created":"x","resources":[]}'])
      assert.equal(parseDataPackage(other), null);
    for (const path of ['../zilnic.parquet', '/etc/passwd', 'zilnic/../../x.parquet', 'zilnic/zilnic.csv'])
      assert.deepEqual(parseDataPackage(text.replace('"zilnic/zilnic.parquet"', JSON.stringify(path)))?.files, [
        MANIFEST.files[1],
      ]);
    const escaped = text
      .replaceAll('"tabel":"zilnic"', '"tabel":"../zilnic"')
      .replaceAll('"path":"zilnic', '"path":"../zilnic');
    assert.deepEqual(parseDataPackage(escaped)?.files, []);
  });

  it('names the schema of each resource, by names that are unique', () => {
    const { resources } = JSON.parse(text);
    assert.equal(resources.length, 2 + AGGREGATE_TABLES.length);
    assert.equal(new Set(resources.map(({ name }: { name: string }) => name)).size, resources.length);
    for (const { name, schema } of resources) {
      assert.match(name, /^[a-z0-9-]+$/);
      assert.match(schema, /^scheme\/[a-z]+\.json$/);
    }
  });
});

describe('the other descriptions', () => {
  it('have a dataset for each table and a distribution for each file, with the address of the service', () => {
    const catalog = dcatCatalog(MANIFEST, ADDRESS) as Record<string, never>;
    const datasets: Record<string, { [name: string]: unknown }[]>[] = catalog['dcat:dataset'] as never;
    assert.equal(datasets.length, DUMP_TABLES.length + AGGREGATE_TABLES.length);
    const distributions = datasets.flatMap((dataset) => dataset['dcat:distribution'] ?? []);
    assert.deepEqual(distributions[1]?.['dcat:downloadURL'], { '@id': `${ADDRESS}${MANIFEST.files[1]?.path}` });
    assert.deepEqual(distributions[1]?.['dct:temporal'], {
      '@type': 'dct:PeriodOfTime',
      'dcat:startDate': { '@type': 'xsd:date', '@value': '2026-02-01' },
      'dcat:endDate': { '@type': 'xsd:date', '@value': '2026-02-28' },
    });
    assert.deepEqual(catalog['foaf:homepage'], { '@id': 'https://pompa.example/sub/date' });
  });

  it('name licence, sources, credit and corrections', () => {
    assert.match(licenceText(MANIFEST, ADDRESS), /CC BY 4\.0[\s\S]*manual, register[\s\S]*GeoNames/);
    assert.match(
      errataText(MANIFEST),
      /- 2026-11-20: `zilnic\/a` \(sha256 0\) → `zilnic\/b` \(sha256 1\): preț „greșit”\n$/,
    );
    assert.match(errataText({ ...MANIFEST, errata: [] }), /Nicio corectură/);
    assert.match(citationText(MANIFEST, ADDRESS), /^cff-version: 1\.2\.0\n[\s\S]*license: CC-BY-4\.0\n/);
  });

  it('have every column, in the order of the files, and so has the documentation', () => {
    const documented = readFileSync(new URL('../../../docs/OPEN-DATA.md', import.meta.url), 'utf8');
    for (const table of [...DUMP_TABLES, ...AGGREGATE_TABLES]) {
      const { fields, primaryKey } = tableSchema(table) as {
        fields: { name: string; description: string }[];
        primaryKey: string[];
      };
      const names = table.columns.map(({ name }) => name);
      assert.deepEqual(
        fields.map(({ name }) => name),
        names,
      );
      assert.ok(primaryKey.every((name) => names.includes(name)));
      assert.equal(new Set(names).size, names.length);
      const row = documented.split('\n').find((line) => line.startsWith(`| \`${table.name}\` |`)) ?? '';
      const isFuel = (name: string) => /^(benzina|motorina|gpl|adblue)/.test(name);
      assert.deepEqual(
        [...row.matchAll(/`(\w+)`/g)]
          .slice(1)
          .map(([, name = '']) => name)
          .filter((name) => !isFuel(name)),
        names.filter((name) => !isFuel(name)),
      );
    }
  });
});
