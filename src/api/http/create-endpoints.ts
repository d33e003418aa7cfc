/** All endpoints of the API, and what they need from the service. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { KeyReport } from '../../store/keys/key-usage-report.ts';
import { ChangeFeed } from '../changes/change-feed.ts';
import { ChangeLog } from '../changes/change-log.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { openApiDocument } from '../declaration/openapi.ts';
import { Body } from '../encoding/body.ts';
import { accountEndpoint } from '../endpoints/account.ts';
import { changeEndpoints } from '../endpoints/changes.ts';
import { placeEndpoints } from '../endpoints/geocode.ts';
import type { GermanSearchService } from '../endpoints/german-search.ts';
import { germanEndpoint } from '../endpoints/germany.ts';
import { healthEndpoint, openApiEndpoints } from '../endpoints/health-and-openapi.ts';
import { type JourneyPlanner, journeyEndpoint } from '../endpoints/journey.ts';
import { priceEndpoints } from '../endpoints/prices.ts';
import { type PushDependencies, pushEndpoints } from '../endpoints/push.ts';
import { type ReviewEndpointDependencies, reviewEndpoints } from '../endpoints/reviews.ts';
import { historyEndpoint } from '../endpoints/station-history.ts';
import { stationsEndpoint } from '../endpoints/stations.ts';
import type { Caller } from '../request/caller.ts';
import type { PlaceLookup } from '../request/named-cities.ts';
import { NO_WEBHOOKS } from '../webhooks/no-webhooks.ts';
import type { WebhookDependencies } from '../webhooks/webhook-dependencies.ts';
import { webhookEndpoints } from '../webhooks/webhook-endpoints.ts';

export type EndpointDependencies = {
  readonly gazetteer: PlaceLookup & Pick<Gazetteer, 'search'>;
  /** The base address of links, without a trailing slash; called only once the service listens. */
  readonly publicUrl: () => string;
  /** The client that limits and turns count a request for. */
  readonly clientOf: (caller: Caller) => string;
  /** The usage of a key; `null` = there is no such key. */
  readonly keyReport: (key: number) => Promise<KeyReport | null>;
  readonly germany: GermanSearchService;
  readonly journeys: JourneyPlanner;
  readonly reviews: ReviewEndpointDependencies;
  readonly push: PushDependencies;
  /** The feed of changes; by default nothing was told. */
  readonly changes?: ChangeLog;
  /** By default none are stored. */
  readonly webhooks?: WebhookDependencies;
  /** Epoch ms. */
  readonly clock: () => number;
};

/** Creates every endpoint, in the order of the OpenAPI document. */
export function createEndpoints(dependencies: EndpointDependencies): Endpoint[] {
  const { gazetteer, clock, publicUrl, keyReport, journeys, germany, reviews, push, clientOf } = dependencies;
  const { changes = new ChangeLog(), webhooks = NO_WEBHOOKS } = dependencies;
  const places = { ...gazetteer, suggestPlaces: journeys.suggestPlaces };
  const endpoints: Endpoint[] = [];
  let document: { url: string; body: Body } | undefined;
  endpoints.push(
    ...priceEndpoints(gazetteer),
    stationsEndpoint(places, (snapshot) => changes.cursorOf(snapshot)),
    historyEndpoint,
    ...changeEndpoints(changes, places),
    ...placeEndpoints(gazetteer),
    germanEndpoint(germany),
    journeyEndpoint(journeys),
    ...reviewEndpoints(reviews, clientOf),
    ...pushEndpoints(push, gazetteer),
    accountEndpoint(keyReport),
    ...webhookEndpoints({ ...webhooks, feed: new ChangeFeed(changes), places: gazetteer }),
    healthEndpoint(clock),
    ...openApiEndpoints(() => {
      const url = publicUrl();
      if (document?.url !== url) document = { url, body: Body.shared(JSON.stringify(openApiDocument(endpoints, url))) };
      return document.body;
    }),
  );
  return endpoints;
}
