/**
 * The HTTP service: the fast path in front, Fastify behind it, and the endpoints, which both call. Its caller passes
 * snapshots in; it never fetches one.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { KeyReport } from '../../store/keys/key-report.ts';
import type { AccessControl } from '../access/access.ts';
import { type ApiDescription, describeApi } from '../declaration/api-description.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { createEndpointFinder } from '../declaration/endpoint-finder.ts';
import { openApiDocument } from '../declaration/openapi.ts';
import { Body } from '../encoding/body.ts';
import { accountEndpoint } from '../endpoints/account.ts';
import type { GermanChannel } from '../endpoints/german-lookup.ts';
import { germanEndpoint } from '../endpoints/germany.ts';
import { type JourneyPlanner, journeyEndpoint } from '../endpoints/journey.ts';
import { placeEndpoints } from '../endpoints/places.ts';
import { priceEndpoints } from '../endpoints/prices.ts';
import { type PushDependencies, pushEndpoints } from '../endpoints/push.ts';
import { type ReviewEndpointDependencies, reviewEndpoints } from '../endpoints/reviews.ts';
import { healthEndpoint, openApiEndpoints } from '../endpoints/service.ts';
import { stationEndpoints } from '../endpoints/stations.ts';
import { createFailureAnswer } from '../response/failure.ts';
import type { Log } from '../response/log.ts';
import type { SiteHandler } from '../response/site-pages.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection/connection-limits.ts';
import { createFastPathAnswer } from './fast-path/fast-path-answers.ts';
import { HttpServer } from './http-server.ts';
import { Publisher } from './publisher.ts';
import { createRouter } from './router.ts';

export type ApiOptions = {
  /** The first snapshot served; later ones come through `refresh`. */
  readonly snapshot: Snapshot;
  readonly gazetteer: Pick<Gazetteer, 'countyByName' | 'search' | 'localityBySlug'>;
  /** The base address of links, without a trailing slash; called only once the service listens. */
  readonly publicUrl: () => string;
  /** Runs before every endpoint. */
  readonly accessControl: AccessControl;
  /** The usage of a key; `null` = there is no such key. */
  readonly keyReport: (key: number) => Promise<KeyReport | null>;
  readonly germany: GermanChannel;
  readonly journeys: JourneyPlanner;
  readonly reviews: ReviewEndpointDependencies;
  readonly push: PushDependencies;
  readonly site: SiteHandler;
  readonly log: Log;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly limits?: Partial<ConnectionLimits>;
};

export type Api = {
  /** For the documentation pages. */
  readonly description: ApiDescription;
  /** Starts to accept connections; rejects with a readable message when it cannot listen on the address. */
  listen(at: { host: string; port: number }): Promise<{ host: string; port: number }>;
  /** Renders a snapshot and swaps it in whole; resolves when it, or a later one, is served. */
  refresh(snapshot: Snapshot): Promise<void>;
  /** Stops accepting connections, gives requests under way a bounded time to finish, then cuts the rest. */
  close(): Promise<void>;
};

/** Builds the service and renders the first snapshot; does not listen yet. */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { snapshot, publicUrl, site, log, accessControl } = options;
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  const endpoints = allEndpoints(options);
  const publisher = await Publisher.start(endpoints, log, snapshot);
  const served = () => publisher.served;
  const failureAnswer = createFailureAnswer(log);
  const findEndpoint = createEndpointFinder(endpoints);
  const fastPathAnswer = createFastPathAnswer({ findEndpoint, served, failureAnswer, accessControl });
  let httpServer: HttpServer | undefined;
  const app = createRouter({
    endpoints,
    accessControl,
    served,
    publicUrl,
    site,
    limits,
    failureAnswer,
    serverFactory: (route) => {
      httpServer = new HttpServer({ route, limits, fastPathAnswer });
      return httpServer.server;
    },
    clientErrorHandler: (error, socket) => httpServer?.refuse(error, socket),
  });
  const stop = async () => {
    publisher.close();
    if (httpServer?.server.listening) httpServer.startClosing();
    const cutTimer = setTimeout(() => httpServer?.destroyConnections(), limits.shutdownGraceMs);
    await app.close();
    clearTimeout(cutTimer);
  };
  let closed: Promise<void> | undefined;
  return {
    description: describeApi(endpoints),
    listen: (at) => listen(app, at),
    refresh: (next) => publisher.refresh(next),
    close: () => {
      closed ??= stop();
      return closed;
    },
  };
}

function allEndpoints(options: ApiOptions): Endpoint[] {
  const { gazetteer, clock, publicUrl, keyReport, journeys, germany, reviews, push } = options;
  const endpoints: Endpoint[] = [];
  let document: { url: string; body: Body } | undefined;
  endpoints.push(
    ...priceEndpoints(gazetteer),
    ...stationEndpoints,
    ...placeEndpoints(gazetteer),
    germanEndpoint(germany),
    journeyEndpoint(journeys),
    ...reviewEndpoints(reviews),
    ...pushEndpoints(push, gazetteer),
    accountEndpoint(keyReport),
    healthEndpoint(clock),
    ...openApiEndpoints(() => {
      const url = publicUrl();
      if (document?.url !== url) document = { url, body: Body.shared(JSON.stringify(openApiDocument(endpoints, url))) };
      return document.body;
    }),
  );
  return endpoints;
}

async function listen(
  app: FastifyInstance,
  at: { host: string; port: number },
): Promise<{ host: string; port: number }> {
  try {
    await app.listen(at);
  } catch (error) {
    throw new Error(
      `cannot listen on ${at.host}:${at.port}: ${LISTEN_ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message}`,
      { cause: error },
    );
  }
  const { address, port } = app.server.address() as AddressInfo;
  return { host: address, port };
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process uses this address; set PORT to a free port',
  EACCES: 'this user may not use this port; set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one of its own',
  ENOTFOUND: 'unknown host name; set HOST to an address of this machine',
};
