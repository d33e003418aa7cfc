/** The texts of the page of the German channel. */
import { GERMAN_RADIUS_KM } from '../../../domain/german-station.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import type { Point } from '../../../domain/point.ts';
import { text } from '../../html/text.ts';

export const TEXTS = {
  heading: text('Prețurile carburanților în Germania', 'Fuel prices in Germany'),
  title: text(
    'Prețuri carburanți Germania, în EUR: stații din apropiere, API',
    'Fuel prices in Germany, in EUR: stations nearby, by the API',
  ),
  description: text(
    `Benzinăriile din Germania în jurul unui punct, până la ${GERMAN_RADIUS_KM.max} km, cu prețurile de acum în EUR pentru benzină E5, E10 și motorină, prin API, fără cheie.`,
    `Stations in Germany around a point, up to ${GERMAN_RADIUS_KM.max} km, with current prices in EUR for petrol E5, E10 and diesel, by the API, without a key.`,
  ),
  lead: text(
    'Pentru drumul prin Germania: stațiile din jurul unui punct, cu prețurile lor de acum. Este un canal separat, în EUR; pe celelalte pagini și în celelalte răspunsuri sunt numai prețuri din România, în lei.',
    'For the way through Germany: the stations around a point, with their current prices. This is a channel of its own, in EUR; all other pages and answers have prices of Romania only, in lei.',
  ),
  facts: text(
    (perMinute: number): readonly string[] => [
      'Benzină E5 (`benzina`), benzină E10 (`e10`) și motorină (`motorina`), în EUR pe litru; un preț care lipsește este necunoscut, nu zero.',
      'Adresa stației, distanța până la ea și dacă este deschisă acum.',
      `Fără cheie și fără limită săptămânală: cel mult ${perMinute} de cereri pe minut de la o adresă IP.`,
      'Un răspuns poate avea până la 10 minute; `generat_la` spune de când este. Când sursa nu mai poate fi întrebată, se dă ultimul răspuns din ultima oră.',
      'Funcționează dacă operatorul acestui serviciu are o cheie a sursei germane; altfel API-ul răspunde cu 503.',
    ],
    (perMinute: number): readonly string[] => [
      'Petrol E5 (`benzina`), petrol E10 (`e10`) and diesel (`motorina`), in EUR per litre; a missing price is not known, not zero.',
      'The station’s address, the distance to it, and whether it is open now.',
      `No key and no weekly cap: at most ${perMinute} requests per minute of one IP address.`,
      'An answer may be up to 10 minutes old; `generat_la` says since when. When the source cannot be queried, the latest answer of the last hour is given.',
      'It works where the operator of this service has a key of the German source; otherwise the API answers 503.',
    ],
  ),
  search: text('Caută în jurul unui punct', 'Search around a point'),
  searchAbout: text(
    'Formularul deschide răspunsul API-ului (JSON). Coordonatele câtorva orașe sunt mai jos.',
    'The form opens the answer of the API (JSON). The coordinates of some cities are below.',
  ),
  columns: text(['Oraș', 'Latitudine', 'Longitudine'] as const, ['City', 'Latitude', 'Longitude'] as const),
  radius: text('Raza, km', 'Radius, km'),
  submit: text('Deschide răspunsul', 'Open the answer'),
  citiesCaption: text('Coordonate (WGS84)', 'Coordinates (WGS84)'),
  apiAbout: text(
    (city: string) => `Aceeași cerere dintr-un program, pentru ${city}:`,
    (city: string) => `The same request from a program, for ${city}:`,
  ),
  answer: text(
    'Răspunsul spune mereu `tara: DE` și `moneda: EUR`, sursa (`sursa`) și adresa de citat (`atribuire`).',
    'The answer always says `tara: DE` and `moneda: EUR`, the source (`sursa`) and the address to credit (`atribuire`).',
  ),
  docs: text('Toți parametrii, câmpurile și erorile', 'All parameters, fields and errors'),
  source: text('Sursa și licența', 'Source and licence'),
  sourceAbout: text(
    'Prețurile vin de la serviciul public german de transparență a pieței, prin',
    'The prices come from the German market transparency unit for fuels, by way of',
  ),
  sourceCredit: text('La reutilizare se menționează această sursă.', 'Reuse must credit this source.'),
};

type GermanCity = Point & { readonly name: LocalizedText };
const city = (ro: string, en: string, lat: number, lng: number): GermanCity => ({ name: { ro, en }, lat, lng });

/** Large cities, and some on the way from Romania; centres from general maps. */
export const GERMAN_CITIES: readonly [GermanCity, ...GermanCity[]] = [
  city('Berlin', 'Berlin', 52.52, 13.41),
  city('Hamburg', 'Hamburg', 53.55, 10),
  city('München', 'Munich', 48.14, 11.58),
  city('Köln', 'Cologne', 50.94, 6.96),
  city('Frankfurt pe Main', 'Frankfurt am Main', 50.11, 8.68),
  city('Stuttgart', 'Stuttgart', 48.78, 9.18),
  city('Nürnberg', 'Nuremberg', 49.45, 11.08),
  city('Passau', 'Passau', 48.57, 13.46),
  city('Regensburg', 'Regensburg', 49.02, 12.1),
  city('Dresda', 'Dresden', 51.05, 13.74),
  city('Leipzig', 'Leipzig', 51.34, 12.37),
  city('Hanovra', 'Hanover', 52.37, 9.73),
];
