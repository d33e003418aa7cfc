/**
 * The HTTP service: hot answers in front, then routing by Fastify, then the endpoints. It is handed snapshots and never
 * asks for one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { KeyReport } from '../../store/keys/key-report.ts';
import type { Gate } from '../access/access.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { endpointFinder } from '../declaration/endpoint-finder.ts';
import { describeApi } from '../declaration/openapi.ts';
import { Body } from '../encoding/body.ts';
import { accountEndpoint } from '../endpoints/account.ts';
import type { GermanChannel } from '../endpoints/german-lookup.ts';
import { germanEndpoint } from '../endpoints/germany.ts';
import { type Journeys, journeyEndpoint } from '../endpoints/journey.ts';
import { placeEndpoints } from '../endpoints/places.ts';
import { priceEndpoints } from '../endpoints/prices.ts';
import { type Push, pushEndpoints } from '../endpoints/push.ts';
import { type Reviews, reviewEndpoints } from '../endpoints/reviews.ts';
import { descriptionEndpoints, healthEndpoint } from '../endpoints/service.ts';
import { stationEndpoints } from '../endpoints/stations.ts';
import { Publisher } from '../publishing/publisher.ts';
import type { Log } from '../response/log.ts';
import { attempts, responder } from '../response/responder.ts';
import type { SiteHook } from '../response/site-pages.ts';
import { LIMITS, type Limits } from './connection/connection-limits.ts';
import { laneAnswers } from './fast-path/fast-path-answers.ts';
import { Door } from './http-server.ts';
import { createRouter } from './router.ts';

export type ApiOptions = {
  /** What is served first; later ones come through `refresh`. */
  readonly snapshot: Snapshot;
  readonly gazetteer: Pick<Gazetteer, 'countyByName' | 'search' | 'localityBySlug'>;
  /** The address that links use, without a slash at the end; asked for once the service listens. */
  readonly publicUrl: () => string;
  /** Stands before every endpoint. */
  readonly gate: Gate;
  /** What a key has used; `null` = there is no such key. */
  readonly keyReport: (key: number) => Promise<KeyReport | null>;
  readonly germany: GermanChannel;
  readonly journeys: Journeys;
  readonly reviews: Reviews;
  readonly push: Push;
  readonly site: SiteHook;
  readonly log: Log;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly limits?: Partial<Limits>;
};

export type Api = {
  /** Starts to accept connections; rejects with a sentence when the address cannot be had. */
  listen(at: { host: string; port: number }): Promise<{ host: string; port: number }>;
  /** Renders a snapshot and swaps it in whole; resolves when it, or a later one, is served. */
  refresh(snapshot: Snapshot): Promise<void>;
  /** Accepts nothing new, lets what is under way finish for a bounded time, then cuts what is left. */
  close(): Promise<void>;
};

/** Builds the service and renders the first snapshot; nothing is listened on yet. */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { snapshot, publicUrl, site, log, gate } = options;
  const limits = { ...LIMITS, ...options.limits };
  const endpoints = allEndpoints(options);
  const publisher = await Publisher.of(endpoints, log, snapshot);
  const served = () => publisher.served;
  const find = endpointFinder(endpoints);
  const lane = laneAnswers(find, served, attempts(log), gate);
  let door: Door | undefined;
  const app = createRouter({
    endpoints,
    find,
    gate,
    served,
    publicUrl,
    site,
    limits,
    respond: responder(log),
    serverFactory: (route) => {
      const answered = (request: IncomingMessage, response: ServerResponse) => served().hot.answered(request, response);
      door = new Door({ route, limits, lane, answered });
      return door.server;
    },
  });
  const stop = async () => {
    publisher.close();
    if (door?.server.listening) door.startClosing();
    const cut = setTimeout(() => door?.cut(), limits.closeMs);
    await app.close();
    clearTimeout(cut);
  };
  let closed: Promise<void> | undefined;
  return {
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
  const described: Endpoint[] = [];
  let document: { url: string; body: Body } | undefined;
  described.push(
    ...priceEndpoints(gazetteer),
    ...stationEndpoints,
    ...placeEndpoints(gazetteer),
    germanEndpoint(germany),
    journeyEndpoint(journeys),
    ...reviewEndpoints(reviews),
    ...pushEndpoints(push, gazetteer),
    accountEndpoint(keyReport),
    healthEndpoint(clock),
    ...descriptionEndpoints(() => {
      const url = publicUrl();
      if (document?.url !== url) document = { url, body: Body.kept(JSON.stringify(describeApi(described, url))) };
      return document.body;
    }),
  );
  return described;
}

async function listen(
  app: FastifyInstance,
  at: { host: string; port: number },
): Promise<{ host: string; port: number }> {
  try {
    await app.listen(at);
  } catch (error) {
    throw new Error(
      `cannot listen on ${at.host}:${at.port}: ${WHY_NOT[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message}`,
      { cause: error },
    );
  }
  const { address, port } = app.server.address() as AddressInfo;
  return { host: address, port };
}

const WHY_NOT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has this address; set PORT to a free one',
  EACCES: 'this user may not use that port; set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one of its own',
  ENOTFOUND: 'no machine has that name; set HOST to an address of this machine',
};
