/** Where the requests of an endpoint are counted, and those of addresses that are none. */
import type { RequestCounts, RequestPath, RequestSeries } from '../../telemetry/request-counts.ts';
import type { Endpoint } from '../declaration/endpoint.ts';

/** The endpoint's name in metrics is its `operationId`. */
export function endpointSeries(
  counts: RequestCounts,
  { operationId, streams, longestWaitMs }: Endpoint,
  path: RequestPath,
): RequestSeries {
  return counts.series(operationId, path, { isTimed: streams !== true && longestWaitMs === undefined });
}

/** Names in metrics of what is no endpoint of the API. */
export const ROUTE_GROUPS = {
  page: 'page',
  form: 'form',
  selling: 'selling',
  stripe: 'stripe_webhook',
  challenge: 'captcha_challenge',
  dumps: 'open_data',
  mcp: 'mcp',
  publications: 'publications',
  probe: 'probe',
  unrouted: 'unrouted',
  notHttp: 'not_http',
} as const;
