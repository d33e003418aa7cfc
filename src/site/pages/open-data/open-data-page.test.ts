import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { awaitPage, readPage } from '../../../../test/support/service/site-builders.ts';
import { LICENCE } from '../../../domain/service-identity.ts';

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
    for (const { contentUrl } of distribution)
      if (contentUrl.endsWith('.csv')) await awaitPage(new URL(contentUrl).pathname);
  });

  it('says when the data were updated, and how often they are', () => {
    assert.match(readPage('/date'), /o dată la 2 ore.*Ultima actualizare: 20 noiembrie 2026 la 09:30\./);
    assert.match(readPage('/en/data', { collectEveryMs: null }), /read several times a day/);
  });
});
