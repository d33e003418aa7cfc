/**
 * The HTTP service: the fast path in front, Fastify behind it, and the endpoints, which both call. Its caller passes
 * snapshots in; it never fetches one.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { givenRequestId } from '../../domain/access/given-request-id.ts';
import { NO_PROXIES, type TrustedProxies } from '../../domain/access/trusted-proxies.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { RequestCounts } from '../../telemetry/request-counts.ts';
import type { AccessControl } from '../access/access-rules.ts';
import { NO_SITE_LIMIT, type SiteLimit } from '../access/site-limit.ts';
import type { BillingRoute } from '../billing/billing-route.ts';
import { ROUTE_GROUPS } from '../counting/endpoint-series.ts';
import { type ApiDescription, describeApi } from '../declaration/describe-api.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { createEndpointFinder } from '../declaration/endpoint-finder.ts';
import type { DriverReportService } from '../endpoints/driver-report-submission.ts';
import type { Caller } from '../request/caller.ts';
import { createFailureAnswer } from '../response/failure.ts';
import type { Log } from '../response/log.ts';
import { REFUSAL_KINDS } from '../response/refusal-kinds.ts';
import type { SitePageLookup } from '../response/site-pages.ts';
import type { ConnectionCounts } from './connection/connection-limiter.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection/connection-limits.ts';
import { listenError } from './connection/listen-error.ts';
import { logRefusals } from './connection/refusal-log.ts';
import { createRequestTurns } from './connection/request-turns.ts';
import { createEndpoints, type EndpointDependencies } from './create-endpoints.ts';
import type { DumpLookup } from './dump-routes.ts';
import type { EndpointRoutesDependencies } from './endpoint-routes.ts';
import { createFastPathAnswer } from './fast-path/fast-path-answers.ts';
import { HttpServer } from './http-server.ts';
import { createRouter, type FurtherRoutes } from './router.ts';
import { SnapshotRenderer } from './snapshot-renderer.ts';
import type { ReceiveWebhook } from './webhook-route.ts';

export type ApiOptions = EndpointDependencies & {
  /** The first snapshot served; later ones come through `refresh`. */
  readonly snapshot: Snapshot;
  /** Runs before every endpoint. */
  readonly accessControl: AccessControl;
  /** Changes each endpoint before it is routed; nothing by default. */
  readonly adaptEndpoint?: (endpoint: Endpoint) => Endpoint;
  readonly reports: DriverReportService;
  /** The pages and forms of selling; none by default. */
  readonly billing?: readonly BillingRoute[];
  /** Where Stripe posts its events; nowhere by default. */
  readonly webhook?: ReceiveWebhook | null;
  /** The files of open data; none by default. */
  readonly dumps?: DumpLookup | null;
  /** Makes further routes that answer from the endpoints, such as `/mcp`; none by default. */
  readonly routesOn?: (
    served: EndpointRoutesDependencies & { readonly siteLimit: SiteLimit },
  ) => readonly FurtherRoutes[];
  readonly site: SitePageLookup;
  /** None by default. */
  readonly siteLimit?: SiteLimit;
  readonly log: Log;
  /** Whether load balancers may send requests, `/readyz`; always by default. */
  readonly isReady?: () => boolean;
  /** Whether it is about to end, so that they may not; never by default. */
  readonly isStopping?: () => boolean;
  /** Where requests are counted; nowhere that anybody reads by default. */
  readonly counts?: RequestCounts;
  readonly limits?: Partial<ConnectionLimits>;
  /** Proxies, which only the limit of all connections binds; none by default. */
  readonly trustedProxies?: TrustedProxies;
};

/** Where to listen: on an address, or on a socket that the process has inherited, which is bound to the host. */
type ListenAddress = { readonly host: string } & ({ readonly port: number } | { readonly fd: number });

export type Api = {
  /** For the documentation pages. */
  readonly description: ApiDescription;
  /** The connections that the service holds, refused and closed. */
  connectionCounts(): ConnectionCounts;
  /** Starts to accept connections; rejects with a readable message when it cannot listen on the address. */
  listen(at: ListenAddress): Promise<{ host: string; port: number }>;
  /** Renders a snapshot and swaps it in whole; resolves when it, or a later one, is served. */
  refresh(snapshot: Snapshot): Promise<void>;
  /**
   * Stops accepting connections, whose socket another process may serve from now on. Each open one ends with its next
   * answer, which says so, and none before its keep-alive time is over. Resolves when all have ended, when the service
   * is closed, or after a bounded time.
   */
  drain(): Promise<void>;
  /** Stops accepting connections, gives requests under way a bounded time to finish, then cuts the rest. */
  close(): Promise<void>;
};

/** Builds the service and renders the first snapshot; does not listen yet. */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { snapshot, publicUrl, site, siteLimit = NO_SITE_LIMIT, log, accessControl } = options;
  const { counts = new RequestCounts(REFUSAL_KINDS) } = options;
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  const { adaptEndpoint = (endpoint) => endpoint } = options;
  const endpoints = createEndpoints(options).map(adaptEndpoint);
  const renderer = await SnapshotRenderer.start(endpoints, log, snapshot);
  const served = () => renderer.served;
  const failureAnswer = createFailureAnswer(log);
  const findEndpoint = createEndpointFinder(endpoints.filter(({ streams }) => streams !== true));
  const turns = createRequestTurns(options.clientOf);
  const proxies = options.trustedProxies ?? NO_PROXIES;
  const givenIdsOf = ({ headers, peer }: Caller) => givenRequestId(headers, peer.remoteAddress, proxies);
  const fastPathAnswer = createFastPathAnswer({
    ...{ findEndpoint, endpoints, served, failureAnswer, accessControl, turns, counts, givenIdsOf },
    site,
    siteLimit,
  });
  let httpServer: HttpServer | undefined;
  const routed = { endpoints, accessControl, served, siteLimit, counts, stallTimeoutMs: limits.stallTimeoutMs };
  const app = createRouter({
    ...routed,
    givenIdsOf,
    publicUrl,
    site,
    reviews: options.reviews,
    reports: options.reports,
    billing: options.billing ?? [],
    dumps: options.dumps ?? null,
    webhook: options.webhook ?? null,
    furtherRoutes: options.routesOn?.(routed) ?? [],
    isReady: options.isReady ?? (() => true),
    isStopping: options.isStopping ?? (() => false),
    clientOf: options.clientOf,
    limits,
    turns,
    failureAnswer,
    serverFactory: (route) => {
      httpServer = new HttpServer({
        ...{ route, limits, fastPathAnswer },
        refusals: counts.series(ROUTE_GROUPS.notHttp, 'socket', { isTimed: false }),
        trustedProxies: proxies,
        onRefused: logRefusals(log, limits),
      });
      return httpServer.server;
    },
    clientErrorHandler: (error, socket) => httpServer?.refuse(error, socket),
  });
  const stop = async () => {
    renderer.close();
    // Whoever waits for changes is answered now.
    options.changes?.close();
    if (httpServer?.isServing) httpServer.startClosing();
    const cutTimer = setTimeout(() => httpServer?.destroyConnections(), limits.shutdownGraceMs);
    await app.close();
    clearTimeout(cutTimer);
  };
  let closed: Promise<void> | undefined;
  return {
    description: describeApi(endpoints),
    connectionCounts: () => (httpServer as HttpServer).connectionCounts,
    listen: (at) => listen(app, at),
    refresh: (next) => renderer.refresh(next),
    drain: () => (httpServer as HttpServer).drain(),
    close: () => {
      closed ??= stop();
      return closed;
    },
  };
}

async function listen(app: FastifyInstance, { host, ...at }: ListenAddress): Promise<{ host: string; port: number }> {
  try {
    await app.listen({ host, ...at });
  } catch (error) {
    throw listenError({ host, port: 'port' in at ? at.port : 0 }, error);
  }
  const { address, port } = app.server.address() as AddressInfo;
  return { host: address, port };
}
