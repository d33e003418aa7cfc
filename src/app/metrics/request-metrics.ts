/** Metrics of requests: how many, how long, refused why. */
import type { Registry } from 'prom-client';
import type { SiteRefusals } from '../../api/access/site-limit.ts';
import type { RequestCounts } from '../../telemetry/request-counts.ts';
import { registerCounter, registerHistogram } from './scraped-metrics.ts';

export function registerRequests(registry: Registry, counts: RequestCounts): void {
  registerCounter(
    registry,
    {
      name: 'pompa_http_requests_total',
      help: 'Requests by endpoint, status (499 = the client had gone) and path: fast, router, or socket where it was no HTTP.',
      labelNames: ['endpoint', 'path', 'status'],
    },
    () =>
      [...counts.all].flatMap(({ endpoint, path, byStatus }) =>
        [...byStatus].map(([status, count]) => [{ endpoint, path, status }, count] as const),
      ),
  );
  registerHistogram(
    registry,
    {
      name: 'pompa_http_request_duration_seconds',
      help: 'From the head of a request to the last byte handed to the connection; without answers that wait on purpose.',
      labelNames: ['endpoint', 'path'],
    },
    () =>
      [...counts.all].flatMap(({ endpoint, path, seconds, byStatus }) =>
        seconds === null || byStatus.size === 0 ? [] : [[{ endpoint, path }, seconds] as const],
      ),
  );
  registerCounter(
    registry,
    {
      name: 'pompa_http_refusals_total',
      help: 'Requests refused by access control, a limit, or because something they need is away, by kind.',
      labelNames: ['kind'],
    },
    () => [...counts.refusals].map(([kind, count]) => [{ kind }, count]),
  );
}

export function registerSiteRefusals(registry: Registry, refusals: SiteRefusals): void {
  registerCounter(
    registry,
    {
      name: 'pompa_site_refused_total',
      help: 'Requests for pages and their files refused: by whose limit was used up: of a client, a network, or a confirmed crawler.',
      labelNames: ['limit'],
    },
    () => Object.entries(refusals).map(([limit, count]) => [{ limit }, count]),
  );
}
