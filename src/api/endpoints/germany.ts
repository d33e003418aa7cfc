/** Stations in Germany: a channel separate from the Romanian data. */

import { GERMANY_RATE_LIMIT } from '../../domain/access/request-limits.ts';
import { GERMAN_RADIUS_KM, GERMANY, type GermanAnswer, type GermanOutcome } from '../../domain/german-station.ts';
import { type Access, OPEN_ACCESS } from '../access/access-rules.ts';
import { germanStations } from '../contract/contract.ts';
import { GermanStationsSchema } from '../contract/german-schemas.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { clampedDecimal, requiredDecimal } from '../declaration/parameters.ts';
import { Body } from '../encoding/body.ts';
import { type Answer, ok } from '../response/answer.ts';
import {
  GERMAN_SOURCE_FAILED,
  GERMAN_UNAVAILABLE,
  GERMAN_UNCONFIGURED,
  germanBudgetExhausted,
} from '../response/refusals.ts';
import type { GermanSearchService } from './german-search.ts';

const ACCESS: Access = { ...OPEN_ACCESS, minuteLimit: GERMANY_RATE_LIMIT };

/** `/de-statii`, from the German channel. */
export function germanEndpoint(service: GermanSearchService): Endpoint {
  const answerTo = createOutcomeMapper();
  return endpoint({
    operationId: 'getGermanStations',
    path: '/api/v1/de-statii',
    tag: API_TAGS.germany,
    summary: {
      ro: 'Stații din Germania în jurul unui punct, prețuri în EUR',
      en: 'Stations in Germany around a point, prices in EUR',
    },
    description: {
      ro:
        'Prețuri în timp real de la o sursă publică germană (CC BY 4.0; menționați sursa așa cum arată `sursa` și `atribuire`), cele mai apropiate stații primele. ' +
        'Un răspuns se păstrează 10 minute pentru toate punctele din aceeași sutime de grad și aceeași rază în km întregi, așa că `lat` și `lng` pot fi ale unei cereri anterioare. ' +
        'Întrebările către sursă sunt limitate pe oră, în total și pentru fiecare adresă IP; după ele se trimite răspunsul păstrat, vechi de cel mult o oră (`generat_la`), sau 503. ' +
        `Cel mult ${GERMANY_RATE_LIMIT.perMinute} de cereri pe minut de la o adresă IP. Nu cere cheie și nu are limită săptămânală.`,
      en:
        'Live prices from a public German source (CC BY 4.0; attribution as `sursa` and `atribuire` say), nearest first. An answer is kept for 10 minutes for ' +
        'all points within the same hundredth of a degree and the same radius in whole km, so `lat` and `lng` may be those of an earlier request. ' +
        'Questions to the source are limited per hour, in all and for each address; beyond that the answer is an earlier one, up to an hour old (`generat_la`), or 503. ' +
        `At most ${GERMANY_RATE_LIMIT.perMinute} requests per minute from one address. No key needed, no weekly cap.`,
    },
    access: ACCESS,
    parameters: {
      lat: requiredDecimal(GERMANY.lat, {
        description: { ro: 'Latitudinea, în Germania.', en: 'Latitude, in Germany.' },
        example: 52.52,
      }),
      lng: requiredDecimal(GERMANY.lng, {
        description: { ro: 'Longitudinea, în Germania.', en: 'Longitude, in Germany.' },
        example: 13.4,
      }),
      rad: clampedDecimal(GERMAN_RADIUS_KM, GERMAN_RADIUS_KM.defaultKm, {
        description: {
          ro: `Raza în km, limitată la intervalul ${GERMAN_RADIUS_KM.min}–${GERMAN_RADIUS_KM.max} și rotunjită la km întregi.`,
          en: `Radius in km, clamped to ${GERMAN_RADIUS_KM.min} to ${GERMAN_RADIUS_KM.max} and rounded to whole km.`,
        },
        example: 5,
      }),
    },
    example: ['rad'],
    answers: {
      200: { description: { ro: 'Stațiile.', en: 'The stations.' }, schema: GermanStationsSchema },
      502: {
        description: {
          ro: 'Sursa nu a răspuns. Problema este temporară: încercați din nou, cu pauze tot mai mari.',
          en: 'The source did not answer. Transient: try again with growing pauses.',
        },
        schema: ProblemSchema,
      },
      503: {
        description: {
          ro: 'Prețurile din Germania nu sunt configurate sau nu pot fi cerute acum; cu `Retry-After` când sursa poate fi interogată abia mai târziu.',
          en: 'The channel is not configured or cannot be used right now; with `Retry-After` if the service knows when it may ask the source again.',
        },
        schema: ProblemSchema,
        retryAfter: 'sometimes',
      },
    },
    handle: ({ lat, lng, rad, caller }) => {
      const startedAt = performance.now();
      return () => {
        const outcome = service.find({ lat, lng, radiusKm: Math.round(rad) }, caller, startedAt);
        return outcome instanceof Promise ? outcome.then(answerTo) : answerTo(outcome);
      };
    },
  });
}

/** Maps outcomes to answers; an answer's bytes are made once for all who receive it. */
function createOutcomeMapper(): (outcome: GermanOutcome) => Answer {
  const bodies = new WeakMap<GermanAnswer, Body>();
  const bodyOf = (answer: GermanAnswer) => {
    const body = bodies.get(answer) ?? Body.shared(JSON.stringify(germanStations(answer)));
    bodies.set(answer, body);
    return body;
  };
  return (outcome) => {
    switch (outcome.kind) {
      case 'found':
        return ok(bodyOf(outcome.answer));
      case 'failed':
        return refuse(GERMAN_SOURCE_FAILED);
      case 'over budget':
        return refuse(germanBudgetExhausted(outcome.waitMs));
      case 'not configured':
        return refuse(GERMAN_UNCONFIGURED);
      case 'unavailable':
        return refuse(GERMAN_UNAVAILABLE);
    }
  };
}
