import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { snippetsOf } from '../../../../test/support/documented-code.ts';
import { awaitPage, readPage } from '../../../../test/support/service/site-builders.ts';
import { LICENCE } from '../../../domain/service-identity.ts';
import { type DumpFile, type DumpManifest, dumpPath } from '../../../dumps/manifest.ts';

describe('the data page', () => {
  it('describes every column of the files that it links to', async () => {
    for (const path of ['/date', '/en/data']) {
      const text = readPage(path);
      const [, file = ''] = /<a href="([^"]+\.csv)" download>Cluj-Napoca</.exec(text) ?? [];
      const [header = ''] = (await awaitPage(file)).split('\r\n');
      const described = [...text.matchAll(/<dt><code>(\w+)<\/code><\/dt><dd>[^<]/g)].map(([, column]) => column);
      assert.deepEqual(described, header.split(','));
    }
  });

  it('names the licence, in words and as structured data, and how to cite', async () => {
    const text = readPage('/date');
    assert.ok(text.includes(`href="${LICENCE.url}"`));
    assert.match(
      text,
      /<code>Pompa, Prețurile carburanților în România, 20 noiembrie 2026, https:\/\/pompa\.example\/ \(CC BY 4\.0\)</,
    );
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    const { license, distribution } = JSON.parse(json);
    assert.equal(license, LICENCE.url);
    assert.match(readPage('/date', { simulated: true }), /"name":"DATE SIMULATE: /);
    assert.doesNotMatch(json, /SIMULATE/);
    for (const { contentUrl } of distribution)
      if (contentUrl.endsWith('.csv')) await awaitPage(new URL(contentUrl).pathname);
  });

  it('says when the data were updated, and how often they are', () => {
    assert.match(readPage('/date'), /o dată la 2 ore.*Ultima actualizare: 20 noiembrie 2026 la 09:30\./);
    assert.match(readPage('/en/data', { collectEveryMs: null }), /read several times a day/);
  });

  it('lists the files that are published with rows, size, age and sources, and describes them for programs', async () => {
    const file = (table: string, month: string | null, more: Partial<DumpFile> = {}): DumpFile => ({
      ...{
        table,
        format: 'parquet',
        month,
        isFinal: false,
        revision: 1,
        bytes: 1_234_567,
        sha256: '0'.repeat(64),
        rows: 102_452,
      },
      ...{ path: dumpPath(table, 'parquet', month, 1), sources: ['register'] },
      ...more,
    });
    const months = Array.from(
      { length: 14 },
      (_, index) => `${2025 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
    );
    const dumps: DumpManifest = {
      ...{
        madeAt: Date.parse('2026-11-20T02:00:00Z'),
        updatedAt: Date.parse('2026-11-20T01:00:00Z'),
        cursor: null,
        allowed: ['register'],
      },
      files: [file('preturi', null), ...months.map((month) => file('zilnic', month, { isFinal: month !== '2026-02' }))],
      ...{ simulated: false, emptyMonths: [], errata: [] },
    };
    const text = readPage('/date', { dumps });
    assert.match(
      text,
      /Făcute pe 20 noiembrie 2026 la 04:00, din datele citite până pe 20 noiembrie 2026 la 03:00\. Sursele din fișiere: register\./,
    );
    assert.match(
      text,
      /<td class="num">102\.452<\/td><td><a href="\/date\/v1\/preturi\/preturi\.parquet" download>Parquet<\/a>\u00a0<span class="soft">1,2\u00a0MB</,
    );
    assert.match(text, /2026-02 \(în curs\)/);
    const listed = [...text.matchAll(/href="\/date\/v1\/zilnic\/[^"]+"/g)].length;
    assert.equal(listed, 12, 'the latest months');
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    assert.equal(JSON.parse(json).temporalCoverage, '2025-01-01/2026-11-20');
    const urls = JSON.parse(json).distribution.map(({ contentUrl }: { contentUrl: string }) => contentUrl);
    assert.ok(urls.includes('https://pompa.example/date/v1/zilnic/an=2026/zilnic-2026-02.parquet'));
    assert.match(readPage('/en/data', { dumps }), /not over yet/);
    assert.match(
      text,
      /motorinei pe zile:<\/p>\s*<pre[^>]*><code>select zi, round\(avg\(motorina_standard\), 3\) as medie\nfrom &#39;[^']+zilnic-2026-02\.parquet&#39; group by 1/,
    );
    const early = readPage('/date', { dumps: { ...dumps, files: dumps.files.slice(0, 1) } });
    assert.match(
      early,
      /from &#39;[^']+preturi\.parquet&#39;\nwhere tip = &#39;motorina_standard&#39; and not nesigur group by 1/,
    );
  });

  it('says in plain words that no files are published, and has the small tables all the same', async () => {
    for (const path of ['/date', '/en/data']) {
      assert.match(readPage(path), /nu se publică acum fișiere|does not publish files of all stations/);
      const tables = [...readPage(path).matchAll(/href="(\/date\/v1\/preturi\/\w+\.csv)"/g)].map(
        ([, file = '']) => file,
      );
      assert.equal(tables.length, 3);
      for (const table of tables) assert.match(await awaitPage(table), /^data,actualizat_la,/);
    }
  });

  it('tells a Romanian sheet that its file is in English, as the documentation does', () => {
    const [formula = ''] = snippetsOf('docs/SPREADSHEETS.md', 'sheets').map((block) => block.trim());
    for (const path of ['/date', '/en/data']) assert.ok(readPage(path).includes(`<code>${formula}</code>`), path);
  });
});
