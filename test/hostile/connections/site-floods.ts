/** Requests of one address to everything that the site serves: pages, forms, pictures, tiles and files. */
import type { EndpointFlood } from './endpoint-floods.ts';

const get = (name: string, path: EndpointFlood['path']): EndpointFlood => ({ name, path });
const post = (name: string, path: EndpointFlood['path'], body: (at: number) => string): EndpointFlood => ({
  ...{ name, method: 'POST', path },
  type: 'application/x-www-form-urlencoded',
  body,
});
const nth = (all: readonly string[], at: number) => all[at % all.length] as string;
const FUELS = ['benzina', 'benzina-premium', 'motorina', 'motorina-premium', 'gpl'];
const ZOOM = 16;
/** The tile in the middle of Cluj-Napoca, where the streets of the test are. */
const [X, Y] = [37_061, 23_167];

export const SITE_FLOODS: readonly EndpointFlood[] = [
  get('/', (at) => `/?x=${at}`),
  get('/preturi-carburanti', (at, { cities }) => `/preturi-carburanti/${nth(cities, at)}`),
  get('/preturi-carburanti, query', (at) => `/preturi-carburanti/cluj-napoca?x=${at}`),
  get(
    '/preturi-carburanti, fuels',
    (at, { cities }) => `/preturi-carburanti/${nth(cities, at)}/${nth(FUELS, Math.floor(at / cities.length))}`,
  ),
  get('/statie', (at, { stations }) => `/statie/${nth(stations, at)}`),
  get('/judet', (at) => `/judet/cluj?tip=motorina&x=${at}`),
  get('/judet, query', (at) => `/judet/cluj?x=${at}`),
  get('/retea', (at) => `/retea/petrom?tip=motorina&x=${at}`),
  get('/autostrazi', (at) => `/autostrazi?x=${at}`),
  get('/harta', (at) => `/harta?tip=gpl&x=${at}`),
  get('/traseu', (at) => `/traseu/bucuresti/cluj-napoca?litri=${at}`),
  get('/traseu, unknown places', (at) => `/traseu?de=Craiovvaxx${at}&la=x`),
  get('/langa-mine', (at) => `/langa-mine?lat=44.${at}&lng=26.1`),
  get('/cautare', (at) => `/cautare?q=pet${at % 2 ? 'rom' : ''}+${at}`),
  get('/cautare, unknown places', (at) => `/cautare?q=Craiovvaxx${at}`),
  get('/sugestii', (at) => `/sugestii?q=${at % 2 ? 'valea' : 'a'}+${at % 100}`),
  get('/sugestii, unknown places', (at) => `/sugestii?q=Craiovvaxx${at}`),
  get('/sugestii, places for a journey', (at) => `/sugestii?fel=locuri&q=Craiovvaxx${at}`),
  get('/azi', (at) => `/azi?x=${at}`),
  get('/zi', (at) => `/zi?an=${at}`),
  get('/statistici', (at) => `/statistici?x=${at}`),
  get('/alerte', (at) => `/alerte?oras=Craiovvaxx${at}`),
  get('/germania', (at) => `/germania?x=${at}`),
  get('addresses without a page', (at) => `/nu-exista/Craiovvaxx${at}`),
  get('tiles', (at) => `/harta/10/${560 + (at % 60)}/${355 + (Math.floor(at / 60) % 30)}.svg`),
  get('tiles with streets', (at) => `/harta/${ZOOM}/${X + (at % 12)}/${Y + (Math.floor(at / 12) % 12)}.svg`),
  get('tiles without streets', (at) => `/harta/${ZOOM}/${X + 1_000 + (at % 1_000)}/${Y}.svg`),
  get('link previews', (at, { cities }) => `/og/0123456789ab/preturi-carburanti/${nth(cities, at)}.png`),
  get('badges', (at, { stations }) => `/insigna/statie/${nth(stations, at)}/benzina.svg`),
  get('widgets', (at, { cities }) => `/widget/oras/${nth(cities, at)}?carburant=${nth(FUELS, at)}&x=${at}`),
  get('widgets, unknown values', (at) => `/widget/romania?tema=${at}`),
  get('prices for other sites', (at, { stations }) => `/widget/statie/${nth(stations, at)}.json`),
  get('the choice of a widget', (at, { stations }) => `/widget?statie=${nth(stations, at)}`),
  get('the choice of a widget, unknown places', (at) => `/widget?oras=Craiovvaxx${at}`),
  get('CSV of a city', (at, { cities }) => `/preturi-carburanti/${nth(cities, at)}.csv`),
  get('the map of the country', (at) => `/harta/statii.json?x=${at}`),
  get('sitemap', (at) => `/sitemap.xml?x=${at}`),
  get('challenges', () => '/captcha/provocare'),
  post('/recenzie', '/recenzie', (at) => `statie_slug=x-${at.toString(16).padStart(12, '0')}&rating=5`),
  post(
    'reports of prices',
    (at, { stations }) => `/statie/${nth(stations, at)}/semnalare`,
    () => 'kind=price&fuel=petrol+7450',
  ),
];
