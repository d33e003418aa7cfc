/** Station records and the price history of a station. */

import { ANONYMOUS_LIMITS } from '../../domain/access/plans.ts';
import { FUELS } from '../../domain/fuel.ts';
import { HISTORY_DAYS } from '../../snapshot/history.ts';
import { FUEL_CODE } from '../contract/contract.ts';
import { EXPECTED_VALUES, MESSAGES, PARAMETER_MESSAGES } from '../contract/messages.ts';
import { HistorySchema, ProblemSchema, StationsSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { type Endpoint, endpoint, ok, refuse } from '../declaration/endpoint.ts';
import { cappedInteger, choice, clampedDecimal, decimal, segment, text } from '../declaration/parameters.ts';
import { MAX_RADIUS_KM } from '../rendering/rendered-snapshot.ts';
import { problem } from '../response/problem.ts';

const fuelsByWord = new Map(FUELS.map((fuel) => [FUEL_CODE[fuel] as string, fuel]));

const stations = endpoint({
  operationId: 'getStations',
  path: '/api/v1/statii',
  tag: API_TAGS.stations,
  summary: 'One record per station and fuel',
  description:
    'Without a geo filter ordered by county, city, station and fuel; with one (`lat` and `lon` together) only stations within the radius, nearest first, ' +
    `each record with \`distanta_km\`. Without a key at most ${ANONYMOUS_LIMITS.records} records: an even spread over the order, the same until the next publication, ` +
    `or the nearest ${ANONYMOUS_LIMITS.records}; \`total_disponibil\` and \`nota\` tell when something was cut.`,
  access: {
    key: 'optional',
    quota: true,
    withoutKey: { weeklyCap: { crawlers: 'confirmed' }, subset: ANONYMOUS_LIMITS.records },
  },
  prerendered: true,
  parameters: {
    brand: text({
      description:
        'Only stations of one network, by name or slug, any letter case. An unknown brand gives an empty list; empty = all.',
      example: 'Petrom',
    }),
    tip: choice(fuelsByWord, {
      description:
        'Only one fuel; another value than these is 400. `adblue` is sold at some stations only. Empty = all.',
      example: 'motorina_standard',
    }),
    lat: decimal({ min: -90, max: 90 }, { description: 'Latitude of the geo filter; needs `lon`.', example: 44.4268 }),
    lon: decimal(
      { min: -180, max: 180 },
      { description: 'Longitude of the geo filter; needs `lat`.', alias: 'lng', example: 26.1025 },
    ),
    raza: clampedDecimal({ min: 0.1, max: MAX_RADIUS_KM }, 10, {
      description: 'Radius in km, clamped to 0.1 to 50.',
      example: 5,
    }),
  },
  answers: { 200: { description: 'The records.', schema: StationsSchema } },
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
  summary: 'Daily price series of one station',
  description:
    'All days of the window from the first known day of the station to today, in Romanian calendar days; a day without a measurement is null in every series. ' +
    '`variatie` has the fuels with at least two known days in the window.',
  access: { key: 'optional', quota: true, withoutKey: { weeklyCap: { crawlers: 'confirmed' } } },
  parameters: {
    station_id: segment({ description: 'The `id` of a `/statii` record.', example: '0a1b2c3d4e5f' }),
    days: cappedInteger({ min: 1, max: HISTORY_DAYS }, 30, {
      description: `Days of the window, today included; above ${HISTORY_DAYS} it is ${HISTORY_DAYS}.`,
      example: 30,
    }),
  },
  answers: {
    200: { description: 'The series.', schema: HistorySchema },
    404: { description: 'Unknown id, or a station without history.', schema: ProblemSchema },
  },
  handle({ station_id: id, days, rendered }) {
    const renderBody = rendered.history(id, days);
    return renderBody === null ? refuse(problem(404, MESSAGES.historyUnknown)) : () => ok(renderBody());
  },
});

/** The station endpoints of the contract. */
export const stationEndpoints: Endpoint[] = [stations, history];
