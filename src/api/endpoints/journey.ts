/** Stations along the route from one place to another. */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { Locality } from '../../domain/places/locality.ts';
import type { Point } from '../../domain/point.ts';
import type { Polyline } from '../../domain/roads/line.ts';
import { waypoints } from '../../domain/roads/line.ts';
import { WEEKLY_CAPPED_ACCESS } from '../access/access-rules.ts';
import { routeStation } from '../contract/contract.ts';
import { type JourneyJson, JourneyProblemSchema, JourneySchema } from '../contract/journey-schemas.ts';
import { JOURNEY_MESSAGES, MESSAGES } from '../contract/messages.ts';
import { API_TAGS } from '../contract/tags.ts';
import { choiceField, positiveUpTo, requiredText } from '../declaration/body-fields.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { BODY_TOO_LARGE } from '../declaration/refusal-descriptions.ts';
import { Body } from '../encoding/body.ts';
import type { Caller } from '../request/caller.ts';
import type { PlaceNames } from '../request/named-cities.ts';
import { ok, SAME_ORIGIN_JSON_HEADERS } from '../response/answer.ts';
import { JOURNEY_PATH, toJourneyProblem } from '../response/journey-problem.ts';
import { problem } from '../response/problem.ts';

/** A driving route; `no_route` = there is none. */
type JourneyRoute = { readonly km: number; readonly minutes: number; readonly line: Polyline } | 'no_route';

export type JourneyPlanner = Pick<PlaceNames, 'suggestPlaces'> & {
  /** The place that a text means, written as autocomplete writes it or otherwise. */
  readonly findPlace: (text: string) => Locality | undefined;
  /** Resolves in a turn of the event loop in which no other journey is computed, so that the caller may use it up. */
  readonly findRoute: (from: Point, to: Point, caller: Caller) => Promise<JourneyRoute>;
};

/** Source: API contract, "Limits". */
export const MAX_CORRIDOR_KM = 15;
export const DEFAULT_CORRIDOR_KM = 5;
const MAX_STATIONS_ON_ROUTE = 50;

const fuelsByWord = new Map<string, RoadFuel>(ROAD_FUELS.map((fuel) => [FUEL_CODE[fuel], fuel]));

const refuseJourney = (message: string) => refuse(toJourneyProblem(problem(400, message)), { cors: false });

/** `/traseu/custom`. */
export function journeyEndpoint({ findPlace, suggestPlaces, findRoute }: JourneyPlanner): Endpoint {
  const refuseUnknown = (text: string, caller: Caller) =>
    refuseJourney(MESSAGES.placeUnknown(text, suggestPlaces(text, caller)));
  return endpoint({
    method: 'POST',
    isReadOnly: true,
    operationId: 'planJourney',
    path: JOURNEY_PATH,
    tag: API_TAGS.places,
    summary: { ro: 'Stații de-a lungul unui traseu', en: 'Stations along a route' },
    description: {
      ro:
        'Găsește două localități după nume, traseul cu mașina între ele și stațiile cu preț de încredere la un carburant dintr-un coridor, cele mai ieftine primele, apoi cele mai apropiate de traseu. ' +
        'Un nume poate avea și județul (`Fântânele, Suceava` sau `Fântânele, SV`); dintre mai multe localități cu același nume se ia cea mai populată.',
      en:
        'Finds two places by name, the driving route between them, and the stations with a trusted price of one fuel within a corridor, cheapest first, then nearest to the route. ' +
        'A name may include its county (`Fântânele, Suceava` or `Fântânele, SV`); of several places with the same name the most populous is used.',
    },
    access: WEEKLY_CAPPED_ACCESS,
    parameters: {},
    fields: {
      start: requiredText({
        description: { ro: 'Numele localității de plecare.', en: 'Name of the place of departure.' },
        example: 'Cluj-Napoca',
      }),
      end: requiredText({
        description: { ro: 'Numele destinației.', en: 'Name of the destination.' },
        example: 'București',
      }),
      tip: choiceField(fuelsByWord, 'benzina_standard', {
        description: { ro: 'Carburantul ale cărui prețuri sunt cerute.', en: 'The fuel whose prices are requested.' },
      }),
      raza: positiveUpTo(MAX_CORRIDOR_KM, DEFAULT_CORRIDOR_KM, {
        description: {
          ro: `Cât de departe de traseu poate fi o stație, km; peste ${MAX_CORRIDOR_KM} înseamnă ${MAX_CORRIDOR_KM}.`,
          en: `How far a station may be from the route, km; above ${MAX_CORRIDOR_KM} means ${MAX_CORRIDOR_KM}.`,
        },
      }),
    },
    mapProblem: toJourneyProblem,
    answers: {
      200: {
        description: { ro: 'Traseul și stațiile lui.', en: 'The route and its stations.' },
        schema: JourneySchema,
      },
      400: {
        description: {
          ro: 'O localitate nu este cunoscută, nu există traseu sau cererea (ori corpul ei) nu are forma așteptată.',
          en: 'A place is unknown, there is no route, or the request or its body does not have the expected form.',
        },
        schema: JourneyProblemSchema,
      },
      413: {
        description: BODY_TOO_LARGE,
        schema: JourneyProblemSchema,
      },
      415: {
        description: {
          ro: 'Corpul cererii nu este marcat ca JSON în UTF-8 sau este marcat ca fiind comprimat.',
          en: 'The body is not labelled as JSON in UTF-8, or is labelled as compressed.',
        },
        schema: JourneyProblemSchema,
      },
    },
    handle({ body: { start, end, tip, raza }, rendered, caller }) {
      const from = findPlace(start);
      if (from === undefined) return refuseUnknown(start, caller);
      const to = findPlace(end);
      if (to === undefined) return refuseUnknown(end, caller);
      if (from === to) return refuseJourney(JOURNEY_MESSAGES.samePlace(from.name));
      return async () => {
        const route = await findRoute(from, to, caller);
        if (route === 'no_route') return refuseJourney(JOURNEY_MESSAGES.noRoute(from.name, to.name));
        const along = rendered.stationsAlong(route.line, tip, raza);
        const answer: JourneyJson = {
          ok: true,
          start: placeFields(from),
          end: placeFields(to),
          km: Math.round(route.km * 10) / 10,
          duration_min: Math.round(route.minutes),
          tip: FUEL_CODE[tip],
          statii: along.slice(0, MAX_STATIONS_ON_ROUTE).map(({ place, km }) => routeStation(place, km)),
          total_statii: along.length,
          waypoints: waypoints(route.line).map(([lat, lng]) => [roundDegrees(lat), roundDegrees(lng)]),
        };
        return ok(Body.singleUse(JSON.stringify(answer)), SAME_ORIGIN_JSON_HEADERS);
      };
    },
  });
}

const placeFields = ({ name, lat, lng }: Point & { readonly name: string }) => ({ name, lat, lng });

/** Rounds to a tenth of a metre. */
const roundDegrees = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
