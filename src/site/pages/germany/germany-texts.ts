/** The texts of the page of the German channel. */
import { GERMAN_RADIUS_KM } from '../../../domain/german-station.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { text } from '../../html/text.ts';

export const TEXTS = {
  heading: text('Prețurile carburanților în Germania', 'Fuel prices in Germany'),
  title: text(
    'Prețuri carburanți Germania: benzinării după oraș sau cod poștal',
    'Fuel prices in Germany, in EUR: stations by town or postcode',
  ),
  description: text(
    `Benzinăriile din jurul unei localități din Germania, până la ${GERMAN_RADIUS_KM.max} km, cele mai ieftine primele: benzină E5, E10 și motorină, în euro, cu prețurile de acum.`,
    `The stations around a town in Germany, up to ${GERMAN_RADIUS_KM.max} km, cheapest first: petrol E5, E10 and diesel, in euros, at current prices.`,
  ),
  lead: text(
    'Pentru drumul prin Germania: benzinăriile din jurul unei localități, cu prețurile lor de acum, în euro, cele mai ieftine primele.',
    'For the way through Germany: the stations around a town with their current prices, in euros, cheapest first.',
  ),
  facts: text(
    (perMinute: number): readonly string[] => [
      'Benzină E5 (`benzina`), benzină E10 (`e10`) și motorină (`motorina`), în EUR pe litru; un preț care lipsește este necunoscut, nu zero.',
      'Adresa stației, distanța până la ea și dacă este deschisă acum.',
      `Fără cheie și fără limită săptămânală: cel mult ${perMinute} de cereri pe minut de la o adresă IP, căutările de pe această pagină incluse.`,
      'Un răspuns poate avea până la 10 minute; `generat_la` spune de când este. Când sursa nu mai poate fi întrebată, se dă ultimul răspuns din ultima oră.',
      'Funcționează dacă operatorul acestui serviciu are o cheie a sursei germane; altfel API-ul răspunde cu 503.',
    ],
    (perMinute: number): readonly string[] => [
      'Petrol E5 (`benzina`), petrol E10 (`e10`) and diesel (`motorina`), in EUR per litre; a missing price is not known, not zero.',
      'The station’s address, the distance to it, and whether it is open now.',
      `No key and no weekly cap: at most ${perMinute} requests per minute of one IP address, searches on this page included.`,
      'An answer may be up to 10 minutes old; `generat_la` says since when. When the source cannot be queried, the latest answer of the last hour is given.',
      'It works where the operator of this service has a key of the German source; otherwise the API answers 503.',
    ],
  ),
  search: text('Altă căutare', 'Another search'),
  apiAbout: text(
    (city: string) => `Dintr-un program, după coordonate, de exemplu pentru ${city}:`,
    (city: string) => `From a program, by coordinates, for instance for ${city}:`,
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

type GermanCity = {
  readonly name: LocalizedText;
  /** As the search understands it. */
  readonly town: string;
};
const city = (town: string, ro = town, en = town): GermanCity => ({ name: { ro, en }, town });

/** Those on the way from Romania, and large ones. */
export const GERMAN_CITIES: readonly GermanCity[] = [
  city('Passau'),
  city('Regensburg'),
  city('Nürnberg', 'Nürnberg', 'Nuremberg'),
  city('München', 'München', 'Munich'),
  city('Stuttgart'),
  city('Frankfurt am Main', 'Frankfurt pe Main', 'Frankfurt am Main'),
  city('Köln', 'Köln', 'Cologne'),
  city('Dresden', 'Dresda', 'Dresden'),
  city('Leipzig'),
  city('Berlin'),
  city('Hannover', 'Hanovra', 'Hanover'),
  city('Hamburg'),
];

/** The place of the example of the API. */
export const API_EXAMPLE = { name: 'Berlin', lat: 52.52, lng: 13.41 };
