/** How fast Lighthouse finds the main pages on a phone with a slow network: on a machine that does nothing else. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Result } from 'lighthouse';
import { MAP_PAGES, readingPages, runLighthouse, useLighthouse } from './lighthouse.ts';

type Budget = {
  /** The least score, of 100. */
  readonly score: number;
  readonly lcpMs: number;
  readonly tbtMs: number;
};
const READING: Budget = { score: 100, lcpMs: 1_000, tbtMs: 0 };
const MAP: Budget = { score: 90, lcpMs: 2_500, tbtMs: 250 };
/** The best run counts: whatever else the machine does only adds to the times. */
const RUNS = 3;
/** How many times slower than this machine a phone is: what Lighthouse assumes unless told otherwise. */
const CPU_SLOWDOWN = 4;

useLighthouse();

describe('Lighthouse finds within the budget', async () => {
  for (const path of await readingPages()) test(path, (context) => assertWithin(READING, path, context));
  for (const path of MAP_PAGES) test(path, (context) => assertWithin(MAP, path, context));
});

async function assertWithin(budget: Budget, path: string, context: TestContext): Promise<void> {
  let excess: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    excess = excessOf(await runLighthouse(path, ['performance'], CPU_SLOWDOWN), budget, context);
    if (excess.length === 0) return;
  }
  assert.deepEqual(excess, []);
}

function excessOf({ categories, audits }: Result, budget: Budget, context: TestContext): string[] {
  const score = Math.round((categories.performance?.score ?? 0) * 100);
  const ms = (audit: string) => Math.round(audits[audit]?.numericValue ?? Number.POSITIVE_INFINITY);
  const [lcp, tbt] = [ms('largest-contentful-paint'), ms('total-blocking-time')];
  context.diagnostic(`score ${score}, largest contentful paint ${lcp} ms, blocked for ${tbt} ms`);
  return [
    ...(score < budget.score ? [`the score is ${score}`] : []),
    ...(lcp > budget.lcpMs ? [`the largest contentful paint comes after ${lcp} ms`] : []),
    ...(tbt > budget.tbtMs ? [`the page is blocked for ${tbt} ms`] : []),
  ];
}
