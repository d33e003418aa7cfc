/** What the mock has in place of other services: a German source, routes on the built-in roads, and push. */
import type { GermanSearchService } from '../../api/endpoints/german-search.ts';
import type { JourneyPlanner } from '../../api/endpoints/journey.ts';
import type { PushDependencies } from '../../api/endpoints/push.ts';
import { readTankerkoenig } from '../../clients/tankerkoenig-answer.ts';
import type { PushHost } from '../../domain/alerts/push-host.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { simulatedGermanStations } from '../../simulation/country/german-stations.ts';
import { MOCK_NOW } from './mock-moment.ts';

const GERMAN_SEED = 49;
/** From the example in RFC 8291, 5. */
const PUBLIC_KEY = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';

/** Simulated stations, in the form in which the source sends them. */
export const mockGermany: GermanSearchService = {
  find(search) {
    const stations = simulatedGermanStations(GERMAN_SEED, search, search.radiusKm, MOCK_NOW);
    const body = Buffer.from(JSON.stringify({ ok: true, stations }));
    const read = readTankerkoenig({ status: 200, contentType: 'application/json', body });
    if ('failed' in read) return { kind: 'failed' };
    return { kind: 'found', answer: { search, stations: read.stations, answeredAt: MOCK_NOW } };
  },
};

/** The routes of the service without an engine; the roads are loaded for the first one. */
export function mockJourneys(gazetteer: Gazetteer): JourneyPlanner {
  let loading: Promise<JourneyPlanner> | undefined;
  const load = async () => (await import('../routing-service.ts')).createJourneyPlanner(gazetteer);
  return {
    findPlace: (text) => gazetteer.findPlace(text),
    suggestPlaces: (text) => gazetteer.suggestPlaces(text),
    findRoute: async (...journey) => {
      loading ??= load();
      return (await loading).findRoute(...journey);
    },
  };
}

/** Accepts every subscription and stores none. */
export function mockPush(hosts: readonly PushHost[]): PushDependencies {
  return { publicKey: PUBLIC_KEY, hosts, save: () => Promise.resolve('saved') };
}
