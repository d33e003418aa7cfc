/** CPU that counting, and naming it for the log, cost each request, beside answers of the fast path. */
import { RequestCounts } from '../../src/telemetry/request-counts.ts';
import { RequestScope } from '../../src/telemetry/request-scope.ts';
import { finishReport, heading, LONG, median, reportMetric } from '../../test/support/benchmark-report.ts';

const ROUNDS = LONG ? 15 : 7;
const REQUESTS = 2_000_000;
/** A prerendered answer over a connection that stays open (`bench/http.ts`, last figures). */
const CHEAPEST_ANSWER_NS = 11_000;
/** A search within 5 km, likewise. */
const SEARCH_NS = 22_000;

const series = new RequestCounts(['weekly_cap']).series('getNationalPrices', 'fast');

heading(`counting ${REQUESTS / 1e6} million requests, ${ROUNDS} times`);
const costs = Array.from({ length: ROUNDS + 1 }, () => costOf(countOne)).slice(1);
const scopeCosts = Array.from({ length: ROUNDS + 1 }, () => costOf(scopeOne)).slice(1);
reportMetric('one request: two clock reads, status, duration', median(costs), 'ns CPU');
reportMetric('of a prerendered answer', (100 * median(costs)) / CHEAPEST_ANSWER_NS, '%', { most: 3 });
reportMetric('naming the request for the log, per search', median(scopeCosts), 'ns CPU');
reportMetric('of a search', (100 * median(scopeCosts)) / SEARCH_NS, '%', { most: 3 });
finishReport();

function countOne(at: number): void {
  const startedAt = performance.now();
  series.count(at % 50 === 0 ? 429 : 200, performance.now() - startedAt, at % 50 === 0 ? 'weekly_cap' : undefined);
}

function scopeOne(at: number): number {
  return new RequestScope('GET', '/api/v1/statii', null).run(() => at);
}

/** ns of CPU of one request. */
function costOf(handle: (at: number) => unknown): number {
  const before = process.cpuUsage();
  for (let at = 0; at < REQUESTS; at += 1) handle(at);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / REQUESTS;
}
