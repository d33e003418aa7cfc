/**
 * What the site serves besides the API, in the form of an OpenAPI document, so that its pages, forms, pictures and
 * files get the same hostile requests as endpoints.
 */
import { type Json, type Operation, operationsOf } from './operations.ts';

/** Of an address that leads to a page: the page, another address for it, none, or too many read. */
const PAGE = [200, 301, 404, 429];
/** A page that says in words what is wrong with the query. */
const ANSWERING_PAGE = [...PAGE, 400];
const FILE = [200, 301, 404, 429];
/** A form says in words what came of it. */
const FORM = [200, 400, 403, 404, 409, 413, 429];

const text = (example: string) => ({ schema: { type: 'string' }, example });
const PARAMETERS: Readonly<Record<string, Json>> = {
  city: text('cluj-napoca'),
  fuel: { schema: { type: 'string', enum: ['benzina', 'motorina', 'gpl', 'benzina-premium'] } },
  englishFuel: { schema: { type: 'string', enum: ['petrol', 'diesel', 'lpg', 'premium-petrol'] } },
  station: text('petrom-cluj-napoca-0a1b2c3d4e5f'),
  county: text('cluj'),
  network: text('petrom'),
  from: text('cluj-napoca'),
  to: text('turda'),
  day: text('2026-11-19'),
  z: { schema: { type: 'integer', minimum: 0, maximum: 18 }, example: 10 },
  x: { schema: { type: 'integer', minimum: 0, maximum: 300_000 }, example: 579 },
  y: { schema: { type: 'integer', minimum: 0, maximum: 300_000 }, example: 362 },
  fingerprint: text('0123456789ab'),
  tip: text('motorina'),
  oras: text('cluj-napoca'),
  statie: text('petrom-cluj-napoca-0a1b2c3d4e5f'),
  carburant: text('motorina'),
  tema: text('inchis'),
  retea: text('petrom'),
  ziua: text('2026-11-20'),
  an: text('2026'),
  de: text('Cluj-Napoca'),
  la: text('Turda'),
  raza: text('5'),
  litri: text('40'),
  consum: text('6,5'),
  ora: text('30'),
  q: text('Petrom Cluj'),
  loc: text('Passau'),
  limba: text('en'),
  fel: text('locuri'),
  lat: text('46.77'),
  lng: text('23.59'),
};

/** A GET of a path in Romanian and in English, with the names of its query. */
const get = (paths: readonly string[], statuses: readonly number[], query: readonly string[] = []) =>
  paths.map((path) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    const parameters = [
      ...inPath.map((name) => ({ name, in: 'path', required: true, ...PARAMETERS[name] })),
      ...query.map((name) => ({ name, in: 'query', ...PARAMETERS[name] })),
    ];
    return [path, { get: { operationId: path, parameters, responses: responsesOf(statuses) } }];
  });

const post = (path: string, fields: Json) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const content = { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: fields } } };
  return [
    path,
    {
      post: {
        operationId: path,
        parameters: inPath.map((name) => ({ name, in: 'path', required: true, ...PARAMETERS[name] })),
        requestBody: { content },
        responses: responsesOf(FORM),
      },
    },
  ];
};

function responsesOf(statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [status, {}]));
}

const JOURNEY_CHOICES = ['tip', 'raza', 'litri', 'consum', 'ora'];
const string = { type: 'string' };
const REVIEW_FIELDS = {
  statie_slug: string,
  rating: { type: 'integer', minimum: 1, maximum: 5 },
  nickname: string,
  comment: string,
  recaptcha_token: string,
};
const REPORT_FIELDS = {
  kind: { type: 'string', enum: ['price', 'no_fuel', 'closed', 'other'] },
  fuel: { type: 'string', enum: ['petrol 7450', 'diesel', 'lpg 3600'] },
  seen_price: { type: 'string', enum: ['7,59', '7.6 lei', ''] },
  comment: string,
  recaptcha_token: string,
};

const PATHS: Json = Object.fromEntries([
  // Before the page of a city, whose pattern matches it, too.
  ...get(['/preturi-carburanti/{city}.csv'], FILE),
  ...get(['/', '/en'], PAGE),
  ...get(['/preturi-carburanti/{city}', '/en/fuel-prices/{city}'], PAGE),
  ...get(['/preturi-carburanti/{city}/{fuel}', '/en/fuel-prices/{city}/{englishFuel}'], PAGE),
  ...get(['/statie/{station}', '/en/station/{station}'], PAGE),
  ...get(['/judet/{county}', '/en/county/{county}'], PAGE, ['tip']),
  ...get(['/retea/{network}', '/en/network/{network}'], PAGE, ['tip']),
  ...get(['/harta', '/en/map'], PAGE, ['tip', 'oras', 'retea']),
  ...get(['/traseu', '/en/route'], ANSWERING_PAGE, ['de', 'la', ...JOURNEY_CHOICES]),
  ...get(['/traseu/{from}/{to}', '/en/route/{from}/{to}'], ANSWERING_PAGE, JOURNEY_CHOICES),
  ...get(['/zi', '/en/day'], PAGE, ['ziua', 'an']),
  ...get(['/zi/{day}.csv'], FILE),
  ...get(['/zi/{day}', '/en/day/{day}'], PAGE),
  ...get(['/azi', '/autostrazi', '/statistici', '/stare', '/planuri', '/docs', '/date'], PAGE),
  ...get(['/widget', '/en/widget'], ANSWERING_PAGE, ['oras', 'statie', 'carburant', 'tema']),
  // Before the frames, whose patterns match them, too.
  ...get(['/widget/oras/{city}.json', '/widget/statie/{station}.json', '/widget/romania.json'], FILE),
  ...get(['/widget/pompa-pret.js'], FILE),
  ...get(['/widget/oras/{city}', '/en/widget/station/{station}'], ANSWERING_PAGE, ['carburant', 'tema']),
  ...get(['/widget/romania'], ANSWERING_PAGE, ['carburant', 'tema']),
  ...get(['/alerte', '/en/alerts'], ANSWERING_PAGE, ['oras', 'tip']),
  ...get(['/cautare', '/en/search'], PAGE, ['q']),
  ...get(['/germania', '/en/germany'], ANSWERING_PAGE, ['loc', 'tip', 'raza']),
  ...get(['/langa-mine', '/en/near-me'], ANSWERING_PAGE, ['lat', 'lng', 'tip']),
  ...get(['/sugestii'], FILE, ['q', 'limba', 'fel']),
  ...get(['/harta/{z}/{x}/{y}.svg'], FILE),
  ...get(['/og/{fingerprint}/preturi-carburanti/{city}.png'], FILE),
  ...get(
    ['/insigna/{city}/{fuel}.svg', '/card/{city}.svg', '/insigna/statie/{station}/{fuel}.svg'],
    [...FILE, 400],
    ['tema'],
  ),
  ...get(['/statistici/judet-{county}.csv', '/statistici/national.csv'], FILE),
  ...get(['/logo/{network}.svg', '/harta/statii.json', '/sitemap.xml', '/robots.txt', '/sw.js'], FILE),
  post('/recenzie', REVIEW_FIELDS),
  post('/statie/{station}/semnalare', REPORT_FIELDS),
]);

/** Its operations. */
export const SITE_OPERATIONS: readonly Operation[] = operationsOf({ paths: PATHS }).map((each) => ({
  ...each,
  isOfSite: true,
}));
