/**
 * The HTTP service: the fast path in front, Fastify behind it, and the endpoints, which both call. Its caller passes
 * snapshots in; it never fetches one.
 */
import { givenRequestId } from '../../domain/access/given-request-id.ts';
import { NO_PROXIES, type TrustedProxies } from '../../domain/access/trusted-proxies.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { RequestCounts } from '../../telemetry/request-counts.ts';
import type { AccessControl } from '../access/access-rules.ts';
import { NO_SITE_LIMIT, type SiteLimit } from '../access/site-limit.ts';
import type { BillingRoute } from '../billing/billing-route.ts';
import { type ApiDescription, describeApi } from '../declaration/describe-api.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { createEndpointFinder } from '../declaration/endpoint-finder.ts';
import type { DriverReportService } from '../endpoints/driver-report-submission.ts';
import { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import type { Caller } from '../request/caller.ts';
import { createFailureAnswer } from '../response/failure.ts';
import type { Log } from '../response/log.ts';
import { REFUSAL_KINDS } from '../response/refusal-kinds.ts';
import type { SitePageLookup } from '../response/site-pages.ts';
import type { ConnectionCounts } from './connection/connection-limiter.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection/connection-limits.ts';
import { createRequestTurns } from './connection/request-turns.ts';
import { createEndpoints, type EndpointDependencies } from './create-endpoints.ts';
import type { DumpLookup } from './dump-routes.ts';
import type { EndpointRoutesDependencies } from './endpoint-routes.ts';
import { createFastPathAnswer } from './fast-path/fast-path-answers.ts';
import { type Answerers, createHttpServer, type HttpServer, type ListenAddress } from './http-server.ts';
import { createRouter, type FurtherRoutes } from './router.ts';
import { SnapshotRenderer } from './snapshot-renderer.ts';
import type { ReceiveWebhook } from './webhook-route.ts';

/** A server that listens already, and what it answers from. */
export type EarlyServer = { readonly httpServer: HttpServer; readonly rendered: RenderedSnapshot };

export type ApiOptions = EndpointDependencies & {
  /** The first snapshot served; later ones come through `refresh`. */
  readonly snapshot: Snapshot;
  /** What answers from this snapshot already; nothing by default. */
  readonly early?: EarlyServer;
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

export type Api = {
  /** For the documentation pages. */
  readonly description: ApiDescription;
  /** The connections that the service holds, refused and closed. */
  connectionCounts(): ConnectionCounts;
  /** Answers every request from now on, those that wait on a listening server included; `listen` does so, too. */
  answer(): void;
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

/** Builds the service and renders the first snapshot; does not listen yet, unless what answers early does. */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { snapshot, publicUrl, site, siteLimit = NO_SITE_LIMIT, log, accessControl } = options;
  const { counts = new RequestCounts(REFUSAL_KINDS) } = options;
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  // Nothing that lives on refers to `options`, which has the first snapshot.
  const { adaptEndpoint = (endpoint) => endpoint, changes } = options;
  const endpoints = createEndpoints(options).map(adaptEndpoint);
  const proxies = options.trustedProxies ?? NO_PROXIES;
  const httpServer = options.early?.httpServer ?? createHttpServer({ limits, counts, trustedProxies: proxies, log });
  const rendered = options.early?.rendered ?? (await RenderedSnapshot.render(snapshot));
  const renderer = await SnapshotRenderer.start(endpoints, log, rendered);
  const served = () => renderer.served;
  const failureAnswer = createFailureAnswer(log);
  const findEndpoint = createEndpointFinder(endpoints.filter(({ streams }) => streams !== true));
  const turns = createRequestTurns(options.clientOf);
  const givenIdsOf = ({ headers, peer }: Caller) => givenRequestId(headers, peer.remoteAddress, proxies);
  const fastPathAnswer = createFastPathAnswer({
    ...{ findEndpoint, endpoints, served, failureAnswer, accessControl, turns, counts, givenIdsOf },
    site,
    siteLimit,
  });
  const routed = { endpoints, accessControl, served, siteLimit, counts, stallTimeoutMs: limits.stallTimeoutMs };
  const routing = Promise.withResolvers<Answerers['route']>();
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
      routing.resolve(route);
      return httpServer.server;
    },
  });
  await app.ready();
  const route = await routing.promise;
  const answer = () => httpServer.answerWith({ route, fastPathAnswer });
  const stop = async () => {
    renderer.close();
    // Whoever waits for changes is answered now.
    changes?.close();
    await httpServer.close();
    await app.close();
  };
  let closed: Promise<void> | undefined;
  return {
    description: describeApi(endpoints),
    connectionCounts: () => httpServer.connectionCounts,
    answer,
    listen: (at) => {
      answer();
      return httpServer.listen(at);
    },
    refresh: (next) => renderer.refresh(next),
    drain: () => httpServer.drain(),
    close: () => {
      closed ??= stop();
      return closed;
    },
  };
}
