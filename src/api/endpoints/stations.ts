/** Station records and the price history of a station. */

import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import { FUELS } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { EXAMPLE_STATION } from '../../domain/stations/station-slug.ts';
import { HISTORY_DAYS } from '../../snapshot/price-history.ts';
import { EXPECTED_VALUES, MESSAGES, PARAMETER_MESSAGES } from '../contract/messages.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { HistorySchema, StationsSchema } from '../contract/station-schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { ONCE_A_WEEK } from '../declaration/describe-api.ts';
import { type Endpoint, endpoint, ok, refuse } from '../declaration/endpoint.ts';
import { cappedInteger, choice, clampedDecimal, decimal, segment, text } from '../declaration/parameters.ts';
import { MAX_RADIUS_KM } from '../rendering/rendered-snapshot.ts';
import { problem } from '../response/problem.ts';

const fuelsByWord = new Map(FUELS.map((fuel) => [FUEL_CODE[fuel] as string, fuel]));

const RADIUS_KM = { min: 0.1, max: MAX_RADIUS_KM };

const stations = endpoint({
  operationId: 'getStations',
  path: '/api/v1/statii',
  tag: API_TAGS.stations,
  summary: { ro: 'Câte o înregistrare pentru fiecare stație și carburant', en: 'One record per station and fuel' },
  description: {
    ro:
      'Fără filtru geografic, în ordinea județului, orașului, stației și carburantului; cu unul (`lat` și `lon` împreună), numai stațiile din rază, cele mai apropiate primele, ' +
      `fiecare înregistrare cu \`distanta_km\`. Fără cheie, cel mult ${ANONYMOUS_LIMITS.records} de înregistrări: un eșantion distribuit uniform în această ordine, același până la următoarea publicare, ` +
      `sau cele mai apropiate ${ANONYMOUS_LIMITS.records}; \`total_disponibil\` și \`nota\` arată când lipsește ceva.`,
    en:
      'Without a geo filter, ordered by county, city, station and fuel; with one (`lat` and `lon` together), only stations within the radius, nearest first, ' +
      `each record with \`distanta_km\`. Without a key, at most ${ANONYMOUS_LIMITS.records} records: an even spread over the order, the same until the next publication, ` +
      `or the nearest ${ANONYMOUS_LIMITS.records}; \`total_disponibil\` and \`nota\` are present when something was left out.`,
  },
  withoutKey: {
    ro: `un eșantion de cel mult ${ANONYMOUS_LIMITS.records} de înregistrări și ${ONCE_A_WEEK.ro}`,
    en: `a sample of at most ${ANONYMOUS_LIMITS.records} records, and ${ONCE_A_WEEK.en}`,
  },
  example: ['lat', 'lon', 'raza', 'tip'],
  access: {
    key: 'optional',
    quota: true,
    withoutKey: { weeklyCap: { crawlerExemption: 'by DNS' }, subset: ANONYMOUS_LIMITS.records },
  },
  prerendered: true,
  parameters: {
    brand: text({
      description: {
        ro: 'Numai stațiile unei rețele, după nume sau slug, indiferent de majuscule. O rețea necunoscută dă o listă goală; gol = toate.',
        en: 'Only stations of one network, by name or slug, any letter case. An unknown brand gives an empty list; empty = all.',
      },
      example: 'Petrom',
    }),
    tip: choice(fuelsByWord, {
      description: {
        ro: 'Numai un carburant; orice altă valoare decât acestea dă 400. `adblue` se vinde numai la unele stații. Gol = toate.',
        en: 'Only one fuel; any other value is a 400. `adblue` is sold at some stations only. Empty = all.',
      },
      example: 'motorina_standard',
    }),
    lat: decimal(
      { min: -90, max: 90 },
      {
        description: {
          ro: 'Latitudinea filtrului geografic; numai împreună cu `lon`.',
          en: 'Latitude of the geo filter; needs `lon`.',
        },
        example: 44.4268,
      },
    ),
    lon: decimal(
      { min: -180, max: 180 },
      {
        description: {
          ro: 'Longitudinea filtrului geografic; numai împreună cu `lat`.',
          en: 'Longitude of the geo filter; needs `lat`.',
        },
        alias: 'lng',
        example: 26.1025,
      },
    ),
    raza: clampedDecimal(RADIUS_KM, 10, {
      description: {
        ro: `Raza în km, limitată la intervalul ${RADIUS_KM.min}–${RADIUS_KM.max}.`,
        en: `Radius in km, clamped to ${RADIUS_KM.min} to ${RADIUS_KM.max}.`,
      },
      example: 5,
    }),
  },
  answers: { 200: { description: { ro: 'Înregistrările.', en: 'The records.' }, schema: StationsSchema } },
  handle({ brand, tip, lat, lon, raza, rendered, fullSet }) {
    if ((lat === null) !== (lon === null)) {
      return refuse(
        problem(400, PARAMETER_MESSAGES.missing(lat === null ? 'lat' : 'lon', EXPECTED_VALUES.bothCoordinates)),
      );
    }
    const geoFilter = lat === null || lon === null ? null : { point: { lat, lng: lon }, radiusKm: raza };
    return () => ok(rendered.stations({ brand: brand.trim(), fuel: tip, geoFilter, fullSet }));
  },
});

const history = endpoint({
  operationId: 'getStationHistory',
  path: '/api/v1/statie/{station_id}/istoric',
  tag: API_TAGS.stations,
  summary: { ro: 'Istoricul zilnic al unei stații', en: 'Daily price series of one station' },
  description: {
    ro:
      'Toate zilele ferestrei, de la prima zi cunoscută a stației până azi, după calendarul României; o zi fără măsurătoare este null în fiecare serie. ' +
      '`variatie` are carburanții cu cel puțin două zile cunoscute în fereastră.',
    en:
      'All days of the window from the first known day of the station to today, in Romanian calendar days; a day without a measurement is null in every series. ' +
      '`variatie` has the fuels with at least two known days in the window.',
  },
  example: ['days'],
  access: { key: 'optional', quota: true, withoutKey: { weeklyCap: { crawlerExemption: 'by DNS' } } },
  parameters: {
    station_id: segment({
      description: { ro: 'Câmpul `id` al unei înregistrări din `/statii`.', en: 'The `id` of a `/statii` record.' },
      example: EXAMPLE_STATION.id,
    }),
    days: cappedInteger({ min: 1, max: HISTORY_DAYS }, 30, {
      description: {
        ro: `Câte zile are fereastra, inclusiv ziua de azi; peste ${HISTORY_DAYS} înseamnă ${HISTORY_DAYS}.`,
        en: `Days of the window, today included; above ${HISTORY_DAYS} means ${HISTORY_DAYS}.`,
      },
      example: 30,
    }),
  },
  answers: {
    200: { description: { ro: 'Seriile.', en: 'The series.' }, schema: HistorySchema },
    404: {
      description: { ro: 'Stație necunoscută sau fără istoric.', en: 'Unknown id, or a station without history.' },
      schema: ProblemSchema,
    },
  },
  handle({ station_id: id, days, rendered }) {
    const renderBody = rendered.history(id, days);
    return renderBody === null ? refuse(problem(404, MESSAGES.historyUnknown)) : () => ok(renderBody());
  },
});

/** The station endpoints of the contract. */
export const stationEndpoints: Endpoint[] = [stations, history];
