/** What Lighthouse says of the main pages, besides times: those depend on the machine, see `lighthouse.long.test.ts`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAP_PAGES, readingPages, runLighthouse, useLighthouse } from './lighthouse.ts';

const CATEGORIES = ['accessibility', 'best-practices', 'seo'] as const;

useLighthouse();

describe('Lighthouse gives full marks for accessibility, good practice and search to', async () => {
  for (const path of [...(await readingPages()), ...MAP_PAGES])
    test(path, async () => {
      const { categories, audits } = await runLighthouse(path, CATEGORIES);
      const wanting = CATEGORIES.filter((name) => categories[name]?.score !== 1).map((name) => {
        const refs = categories[name]?.auditRefs ?? [];
        return `${name}: ${refs.filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0).map(({ id }) => id)}`;
      });
      assert.deepEqual(wanting, []);
    });
});
