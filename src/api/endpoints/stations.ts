/** Station records. */

import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import { FUELS } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { EXAMPLE_STATION } from '../../domain/stations/station-slug.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { EXPECTED_VALUES, PARAMETER_MESSAGES } from '../contract/messages.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { StationFeaturesSchema, StationsCsvSchema, StationsSchema } from '../contract/station-schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { ONCE_A_WEEK } from '../declaration/describe-api.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { boundingBox, flag, list, optionalInteger } from '../declaration/filter-parameters.ts';
import { choice, clampedDecimal, decimal, type ParameterValues, text } from '../declaration/parameters.ts';
import { type PlaceFilter, parsePlaceFilter } from '../declaration/place-filter.ts';
import type { Body } from '../encoding/body.ts';
import type { ListFormat } from '../rendering/station-list-formats.ts';
import type { ListOrder, StationRefinement } from '../rendering/station-lists.ts';
import { MAX_RADIUS_KM } from '../rendering/station-search.ts';
import type { PlaceNames } from '../request/named-cities.ts';
import { type Answer, type HeaderList, ok, publicHeaders } from '../response/answer.ts';
import { problem } from '../response/problem.ts';

const fuelsByWord = new Map(FUELS.map((fuel) => [FUEL_CODE[fuel] as string, fuel]));
const ORDERS = new Map<string, ListOrder>([
  ['pret', 'price'],
  ['distanta', 'distance'],
]);
const FORMATS = new Map<string, ListFormat>((['json', 'geojson', 'csv'] as const).map((format) => [format, format]));

const RADIUS_KM = { min: 0.1, max: MAX_RADIUS_KM };
const MAX_IDS = 100;

const GEOJSON = 'application/geo+json';
const CSV = 'text/csv; charset=utf-8; header=present';
const GEOJSON_HEADERS = publicHeaders(GEOJSON);
const CSV_HEADERS = publicHeaders(CSV);

const PARAMETERS = {
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
  id: list(
    { most: MAX_IDS },
    {
      description: {
        ro: `Numai aceste stații: cel mult ${MAX_IDS} de valori ale câmpului \`id\`, despărțite prin virgulă. O stație necunoscută lipsește din răspuns. Gol = niciuna.`,
        en: `Only these stations: at most ${MAX_IDS} values of the field \`id\`, separated by commas. An unknown station is left out. Empty = none.`,
      },
      example: EXAMPLE_STATION.id,
    },
  ),
  bbox: boundingBox({
    description: {
      ro: 'Numai stațiile dintr-un dreptunghi: vest, sud, est, nord, în grade, în ordinea din GeoJSON. Gol = toate.',
      en: 'Only stations inside a box: west, south, east, north in degrees, the order of GeoJSON. Empty = all.',
    },
    example: '25.9,44.3,26.3,44.6',
  }),
  judet: text({
    description: {
      ro: 'Numai stațiile unui județ: numele întreg, cu sau fără diacritice, indiferent de majuscule, sau codul auto. Gol = toate.',
      en: 'Only stations of one county: full name, with or without diacritics, any letter case, or plate code. Empty = all.',
    },
    example: 'Cluj',
  }),
  oras: text({
    description: {
      ro: 'Numai stațiile unui oraș: slug-ul din `/preturi`, exact așa cum este acolo, care desemnează un singur oraș; numele, cu sau fără diacritice, care desemnează toate orașele cu acel nume (adăugați `judet`); sau orice alt mod de a numi o localitate pe care îl înțelege `/traseu/custom` (`Fântânele, Suceava`, `Cluj`, `Bucharest`). O localitate fără stații dă o listă goală, una necunoscută 404; gol = toate.',
      en: 'Only stations of a city: its slug in `/preturi`, exactly as there, which means one city; its name, with or without diacritics, which means all cities of that name (add `judet`); or any other way to name a place that `/traseu/custom` understands (`Fântânele, Suceava`, `Cluj`, `Bucharest`). A place without stations gives an empty list, an unknown one 404; empty = all.',
    },
    example: 'Cluj-Napoca',
  }),
  cu_pret: flag({
    description: {
      ro: 'Cu `1`, `true`, `yes` sau `da`: numai înregistrările care au un preț.',
      en: 'With `1`, `true`, `yes` or `da`: only records that have a price.',
    },
    example: '1',
  }),
  fara_nesigure: flag({
    description: {
      ro: 'Cu `1`, `true`, `yes` sau `da`: fără prețurile marcate `nesigur`.',
      en: 'With `1`, `true`, `yes` or `da`: without prices flagged `nesigur`.',
    },
    example: '1',
  }),
  varsta_max: optionalInteger(
    { min: 0 },
    {
      description: {
        ro: 'Numai prețurile observate cu cel mult N zile calendaristice în urmă (0 = azi), după `observat_la`. Prețurile fără dată și înregistrările fără preț lipsesc.',
        en: 'Only prices observed within this many calendar days (0 = today), by `observat_la`. Prices without a date and records without a price are left out.',
      },
      example: 3,
    },
  ),
  sort: choice(ORDERS, {
    description: {
      ro: '`pret`: cele mai ieftine primele; prețurile nesigure vin după toate cele de încredere, iar înregistrările fără preț la sfârșit; la preț egal, cele mai apropiate. Fără `tip`, carburanți diferiți stau în același clasament. `distanta`: cele mai apropiate primele; cere `lat` și `lon`; este și ordinea implicită când se trimit `lat` și `lon`.',
      en: '`pret`: cheapest first; doubtful prices follow all trusted ones, and records without a price come last; at the same price, nearest first. Without `tip`, different fuels are ranked together. `distanta`: nearest first; needs `lat` and `lon`, with which it is the default.',
    },
    example: 'pret',
  }),
  limita: optionalInteger(
    { min: 1 },
    {
      description: {
        ro: 'Numărul maxim de înregistrări, primele în ordinea cerută.',
        en: 'At most this many records, the first in the requested order.',
      },
      example: 10,
    },
  ),
  format: choice(FORMATS, {
    description: {
      ro: '`json` (implicit), `geojson` (o `FeatureCollection`, câte un punct pentru fiecare înregistrare) sau `csv`. Refuzurile rămân JSON.',
      en: '`json` (default), `geojson` (a `FeatureCollection`, one point per record) or `csv`. Refusals stay JSON.',
    },
    example: 'geojson',
  }),
  campuri: choice(new Map([['extins', true as const]]), {
    description: {
      ro: '`extins`: o înregistrare cu preț are și câmpul `vechime`, iar una fără preț are câmpul `stare`; cu `id`, și carburanții pe care o stație nu îi vinde apar, cu `nu_se_vinde`.',
      en: '`extins`: a record with a price has the field `vechime` too, and one without has `stare`; with `id`, fuels that a station does not sell appear as well, as `nu_se_vinde`.',
    },
    example: 'extins',
  }),
};

/** `/statii`. `places` looks up counties and cities; `cursorOf` says where the feed of changes leads on, if it does. */
export const stationsEndpoint = (places: PlaceNames, cursorOf: (snapshot: Snapshot) => string | null): Endpoint =>
  endpoint({
    operationId: 'getStations',
    path: '/api/v1/statii',
    tag: API_TAGS.stations,
    summary: { ro: 'Câte o înregistrare pentru fiecare stație și carburant', en: 'One record per station and fuel' },
    description: {
      ro:
        'Fără filtru geografic, în ordinea județului, orașului, stației și carburantului; cu unul (`lat` și `lon` împreună), numai stațiile din rază, cele mai apropiate primele, ' +
        `fiecare înregistrare cu \`distanta_km\`. Filtrele se combină. Fără cheie, cel mult ${ANONYMOUS_LIMITS.records} de înregistrări: un eșantion distribuit uniform în această ordine, același până la următoarea publicare, ` +
        `sau primele ${ANONYMOUS_LIMITS.records} când cererea are un punct, \`id\`, \`sort\` ori \`limita\`; \`total_disponibil\` și \`nota\` arată când lipsește ceva (CSV are în loc antetul \`Pompa-Total\`).`,
      en:
        'Without a geo filter, ordered by county, city, station and fuel; with one (`lat` and `lon` together), only stations within the radius, nearest first, ' +
        `each record with \`distanta_km\`. Filters combine. Without a key, at most ${ANONYMOUS_LIMITS.records} records: an even spread over the order, the same until the next publication, ` +
        `or the first ${ANONYMOUS_LIMITS.records} where the request has a point, \`id\`, \`sort\` or \`limita\`; \`total_disponibil\` and \`nota\` are present when something was left out (CSV has the header \`Pompa-Total\` instead).`,
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
    parameters: PARAMETERS,
    answers: {
      200: {
        description: { ro: 'Înregistrările.', en: 'The records.' },
        schema: StationsSchema,
        headers: {
          'Pompa-Cursor': {
            ro: 'Numai cu cheie: locul în fluxul modificărilor de la care continuă acest răspuns, trimis ca `dupa` la `/modificari`.',
            en: 'Only with a key: the place in the feed of changes from which this answer continues, sent as `dupa` to `/modificari`.',
          },
          'Pompa-Total': {
            ro: 'Numai în CSV și GeoJSON: câte înregistrări corespund cererii, fără `limita` și fără limita celor fără cheie. Când răspunsul are mai puține, lipsesc unele.',
            en: 'Only in CSV and GeoJSON: how many records match the request, regardless of `limita` and of what is left out without a key. An answer with fewer has been cut.',
          },
        },
        otherFormats: {
          [GEOJSON]: { schema: StationFeaturesSchema },
          'text/csv': { schema: StationsCsvSchema },
        },
      },
      404: {
        description: { ro: 'Județ sau localitate necunoscută.', en: 'Unknown county or place.' },
        schema: ProblemSchema,
      },
    },
    handle({ rendered, fullSet, key, caller, ...sent }) {
      const { brand, tip: fuel, lat, lon, raza, sort, format } = sent;
      if ((lat === null) !== (lon === null)) {
        return refuse(
          problem(400, PARAMETER_MESSAGES.missing(lat === null ? 'lat' : 'lon', EXPECTED_VALUES.bothCoordinates)),
        );
      }
      const geoFilter = lat === null || lon === null ? null : { point: { lat, lng: lon }, radiusKm: raza };
      if (sort === 'distance' && geoFilter === null) {
        return refuse(problem(400, PARAMETER_MESSAGES.missing('lat', EXPECTED_VALUES.pointForDistance)));
      }
      const place = parsePlaceFilter(sent, { served: rendered, places, caller });
      if ('problem' in place) return refuse(place.problem);
      const refinement = refinementOf(sent, place);
      const query = { brand: brand.trim(), fuel, geoFilter, fullSet, ...(refinement && { refinement }) };
      const cursor = key === null ? null : cursorOf(rendered.snapshot);
      const counted = (body: Body, headers: HeaderList) =>
        withHeaders(ok(body, headers), cursor, rendered.stationsTotal(body));
      if (format === 'csv') return async () => counted(await rendered.stationsCsv(query), CSV_HEADERS);
      if (format === 'geojson') return () => counted(rendered.stations(query, 'geojson'), GEOJSON_HEADERS);
      return () => withHeaders(ok(rendered.stations(query)), cursor);
    },
  });

/** `cursor` is the snapshot that the answer is made from, as a place in the feed of changes. */
function withHeaders(answer: Answer, cursor: string | null, total?: number): Answer {
  const extraHeaders = [
    ...(cursor === null ? [] : ['Pompa-Cursor', cursor]),
    ...(total === undefined ? [] : ['Pompa-Total', String(total)]),
  ];
  return extraHeaders.length === 0 ? answer : { ...answer, extraHeaders };
}

/** What a request asks for besides the parameters of the contract's first version; `null` = nothing. */
function refinementOf(
  sent: Omit<ParameterValues<typeof PARAMETERS>, 'brand' | 'tip' | 'lat' | 'lon' | 'raza' | 'judet' | 'oras'>,
  { county, cities }: PlaceFilter,
): StationRefinement | null {
  const { id: ids, bbox: box, cu_pret, fara_nesigure, varsta_max, sort, limita, campuri } = sent;
  const refinement = {
    ids,
    box,
    county,
    cities,
    priced: cu_pret,
    undoubted: fara_nesigure,
    maxAgeDays: varsta_max,
    order: sort,
    limit: limita,
    extended: campuri === true,
  };
  const isEmpty = Object.values(refinement).every(
    (value) => value === null || value === undefined || value === '' || value === false,
  );
  return isEmpty ? null : refinement;
}
