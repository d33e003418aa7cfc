/** Stations along the way from one place to another. */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Resolved } from '../../domain/places/place-resolve.ts';
import type { Point } from '../../domain/point.ts';
import type { Line } from '../../domain/roads/line.ts';
import { waypoints } from '../../domain/roads/line.ts';
import { CAPPED } from '../access/access.ts';
import { FUEL_WORD, routeStation } from '../contract/contract.ts';
import { type JourneyJson, JourneyProblemSchema, JourneySchema } from '../contract/journey-schemas.ts';
import { JOURNEY } from '../contract/messages.ts';
import { API_TAGS } from '../contract/tags.ts';
import { choiceField, positiveUpTo, requiredText } from '../declaration/body-fields.ts';
import { type Endpoint, endpoint, ok, refused } from '../declaration/endpoint.ts';
import { Body } from '../encoding/body.ts';
import { PRIVATE_HEADERS } from '../response/answer.ts';
import type { Problem } from '../response/problem.ts';

/** A way by car; `impossible` = there is none. */
export type Way = { readonly km: number; readonly minutes: number; readonly line: Line } | 'impossible';

export type Journeys = {
  /** The place that a text means, as autocomplete names it or otherwise. */
  readonly resolve: (text: string) => Resolved;
  readonly way: (from: Point, to: Point) => Promise<Way>;
};

/** Source: API contract, "Limits". */
const WIDEST_KM = 15;
const USUAL_KM = 5;
const MOST_STATIONS = 50;

const fuelsByWord = new Map<string, RoadFuel>(ROAD_FUELS.map((fuel) => [FUEL_WORD[fuel], fuel]));

/** The contract's own form of what is wrong with a journey: `{ok: false, msg}`. */
function inJourneyWords({ status, body, headers }: Problem): Problem {
  return { status, body: { ok: false, msg: String(body.message) }, ...(headers && { headers }) };
}

const impossible = (message: string) => refused({ status: 400, body: { ok: false, msg: message } }, false);

/** `/traseu/custom`. */
export function journeyEndpoint({ resolve, way }: Journeys): Endpoint {
  return endpoint({
    method: 'POST',
    operationId: 'planJourney',
    path: '/api/v1/traseu/custom',
    tag: API_TAGS.places,
    summary: 'Stations along a route',
    description:
      'Finds two places by name, the way between them by car, and the stations with a relied-on price of one fuel within a corridor, cheapest first, then nearest to the way. ' +
      'A name may carry its county (`Fântânele, Suceava` or `Fântânele, SV`); of several places of one name the most populous is taken.',
    access: CAPPED,
    parameters: {},
    fields: {
      start: requiredText({ description: 'Name of the place of departure.', example: 'Cluj-Napoca' }),
      end: requiredText({ description: 'Name of the destination.', example: 'București' }),
      tip: choiceField(fuelsByWord, 'benzina_standard', { description: 'The fuel whose prices are wanted.' }),
      raza: positiveUpTo(WIDEST_KM, USUAL_KM, {
        description: `How far a station may lie from the way, km; above ${WIDEST_KM} it is ${WIDEST_KM}.`,
      }),
    },
    ownWords: inJourneyWords,
    answers: {
      200: { description: 'The way and its stations.', schema: JourneySchema },
      400: {
        description: 'A place is not known, there is no way, or the body is not as it should be.',
        schema: JourneyProblemSchema,
      },
      413: { description: 'The body has more than 16 KiB.', schema: JourneyProblemSchema },
      415: { description: 'The body is not marked as JSON in UTF-8, or as compressed.', schema: JourneyProblemSchema },
    },
    handle({ body: { start, end, tip, raza }, edition }) {
      const from = resolve(start);
      if ('unknown' in from) return impossible(JOURNEY.unknownPlace(start, from.nearest));
      const to = resolve(end);
      if ('unknown' in to) return impossible(JOURNEY.unknownPlace(end, to.nearest));
      if (from.found === to.found) return impossible(JOURNEY.samePlace(from.found.name));
      return async () => {
        const found = await way(from.found, to.found);
        if (found === 'impossible') return impossible(JOURNEY.noWay(from.found.name, to.found.name));
        const along = edition.along(found.line, tip, raza);
        const answer: JourneyJson = {
          ok: true,
          start: named(from.found),
          end: named(to.found),
          km: Math.round(found.km * 10) / 10,
          duration_min: Math.round(found.minutes),
          tip: FUEL_WORD[tip],
          statii: along.slice(0, MOST_STATIONS).map(({ place, km }) => routeStation(place, km)),
          total_statii: along.length,
          waypoints: waypoints(found.line).map(([lat, lng]) => [rounded(lat), rounded(lng)]),
        };
        return ok(Body.once(JSON.stringify(answer)), PRIVATE_HEADERS);
      };
    },
  });
}

const named = ({ name, lat, lng }: Point & { readonly name: string }) => ({ name, lat, lng });

/** To a tenth of a metre. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
