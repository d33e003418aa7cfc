/** CPU that counting costs each request, beside the cheapest answer of the fast path. */
import { RequestCounts } from '../../src/telemetry/request-counts.ts';
import { finishReport, heading, LONG, median, reportMetric } from '../../test/support/benchmark-report.ts';

const ROUNDS = LONG ? 15 : 7;
const REQUESTS = 2_000_000;
/** A prerendered answer over a connection that stays open (`bench/http.ts`, last figures). */
const CHEAPEST_ANSWER_NS = 11_000;

const series = new RequestCounts(['weekly_cap']).series('getNationalPrices', 'fast');

heading(`counting ${REQUESTS / 1e6} million requests, ${ROUNDS} times`);
const costs = Array.from({ length: ROUNDS + 1 }, costOfOne).slice(1);
reportMetric('one request: two clock reads, status, duration', median(costs), 'ns CPU');
reportMetric('of a prerendered answer', (100 * median(costs)) / CHEAPEST_ANSWER_NS, '%', { most: 3 });
finishReport();

/** ns of CPU. */
function costOfOne(): number {
  const before = process.cpuUsage();
  for (let at = 0; at < REQUESTS; at += 1) {
    const startedAt = performance.now();
    series.count(at % 50 === 0 ? 429 : 200, performance.now() - startedAt, at % 50 === 0 ? 'weekly_cap' : undefined);
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / REQUESTS;
}
