/** The description of the API that the documentation pages, and the clients, are made from. */
import { describeApi } from '../../../src/api/declaration/describe-api.ts';
import { openApiDocument } from '../../../src/api/declaration/openapi.ts';
import { createEndpoints } from '../../../src/api/http/create-endpoints.ts';
import { createJourneyPlanner } from '../../../src/app/routing-service.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { NOON } from '../builders/snapshot-builders.ts';
import { NO_GERMANY } from '../simulators/german-source.ts';
import { NO_REVIEWS } from './fake-reviews.ts';
import { NO_PUSH } from './no-push.ts';

const PUBLIC_URL = 'https://pompa.example';
const gazetteer = loadGazetteer();
const endpoints = createEndpoints({
  gazetteer,
  publicUrl: () => PUBLIC_URL,
  clientOf: () => '192.0.2.1',
  keyReport: () => Promise.resolve(null),
  germany: NO_GERMANY,
  journeys: createJourneyPlanner(gazetteer),
  reviews: NO_REVIEWS,
  push: NO_PUSH,
  clock: () => NOON,
});

export const API_DESCRIPTION = describeApi(endpoints);

/** The OpenAPI document of a service with the address `https://pompa.example`. */
export function realOpenApiDocument(): Readonly<Record<string, unknown>> {
  return openApiDocument(endpoints, PUBLIC_URL);
}
