/** The texts of the page of the map. */
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import { type Text, text } from '../../html/text.ts';
import { EXPIRED } from '../../parts/price-notes.ts';

const capital = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

export const TEXTS = {
  previewSubject: text('Harta prețurilor', 'The map of prices'),
  title: text(
    (fuel: string, count: string, from: string) =>
      `Preț ${fuel} pe hartă: ${count}, de la ${from} lei | ${SERVICE_NAME}`,
    (fuel: string, count: string, from: string) =>
      `${capital(fuel)} prices on a map: ${count}, from ${from} lei | ${SERVICE_NAME}`,
  ),
  titleWithoutPrice: text(
    `Harta prețurilor la carburanți din România | ${SERVICE_NAME}`,
    `A map of fuel prices in Romania, station by station | ${SERVICE_NAME}`,
  ),
  heading: text(
    (fuel: string, place: string) => `Prețul ${fuel} pe hartă${place}`,
    (fuel: string, place: string) => `${capital(fuel)} prices on the map${place}`,
  ),
  inCity: text(
    (city: string) => `, ${city}`,
    (city: string) => ` of ${city}`,
  ),
  lead: text(
    (stations: string, from: string, to: string) =>
      `Pe hartă: ${stations} cu preț de încredere și poziție cunoscută, de la ${from} la ${to} lei pe litru.`,
    (stations: string, from: string, to: string) =>
      `On the map: ${stations} with a trusted price and a known position, from ${from} to ${to} lei per litre.`,
  ),
  description: text(
    (fuel: string, stations: string, from: string, place: string) =>
      `Harta prețurilor de azi la ${fuel}: ${stations} în ${place}, de la ${from} lei pe litru; cele mai ieftine se văd primele, cu vechimea fiecărui preț.`,
    (fuel: string, stations: string, from: string, place: string) =>
      `A map of today’s ${fuel} prices: ${stations} in ${place}, from ${from} lei per litre; the cheapest show first, with the age of every price.`,
  ),
  descriptionWithoutPrice: text(
    'Harta benzinăriilor din România cu prețul, vechimea și sursa fiecărui carburant.',
    'A map of the fuel stations in Romania with the price, age and source of every fuel.',
  ),
  none: text('Niciun preț de încredere pentru această alegere.', 'There is no trusted price for this choice.'),
  filters: text('Ce arată harta', 'What the map shows'),
  fuel: text('Carburant', 'Fuel'),
  network: text('Rețea', 'Network'),
  allNetworks: text('Toate rețelele', 'All networks'),
  show: text('Arată', 'Show'),
  wholeCountry: text('Toată țara', 'The whole country'),
  map: text(
    (fuel: string, place: string) => `Harta prețurilor la ${fuel}, ${place}`,
    (fuel: string, place: string) => `Map of ${fuel} prices, ${place}`,
  ),
  legend: text(
    'Se scriu întâi cele mai mici prețuri. Pe fond verde: cele mai mici 10% dintre prețurile de pe hartă; cu contur portocaliu: cele mai mari 10%. Punctele, în aceleași culori, sunt benzinării al căror preț nu are loc; cele gri, și fără un preț de încredere. Măriți harta sau atingeți-le.',
    'The lowest prices are written first. Filled green: the lowest tenth of the prices on the map; outlined in orange: the highest tenth. Dots, in the same colours, are stations without room for their price; grey ones also those without a price that counts. Zoom in, or tap them.',
  ),
  cheapest: text(
    (stations: string) => `Cele mai ieftine ${stations}`,
    (stations: string) => `The cheapest ${stations}`,
  ),
  cheapestOne: text('Cea mai ieftină benzinărie', 'The cheapest station'),
};

/** What the code of the map says in the browser. `{…}` stands for a figure. */
export const BROWSER_TEXTS: Text<Readonly<Record<string, string>>> = {
  ro: {
    inView: 'Prețuri pe hartă: {count}, de la {from} la {to} lei.',
    nothing: 'Niciun preț de încredere în această parte a hărții.',
    failed: 'Prețurile nu au putut fi citite; reîncărcați pagina.',
    directions: 'Drumul până acolo',
    app: 'Aplicația de hărți',
    close: 'Închide',
    zoomIn: 'Mărește',
    zoomOut: 'Micșorează',
    doubtful: 'preț nesigur, nu se ia în considerare',
    expired: EXPIRED.ro('{when}'),
    incoherent: 'preț retras',
    unknown: 'preț necunoscut',
    undated: 'fără dată',
  },
  en: {
    inView: 'Prices on the map: {count}, from {from} to {to} lei.',
    nothing: 'There is no trusted price in this part of the map.',
    failed: 'The prices could not be read; reload the page.',
    directions: 'Directions',
    app: 'Map app',
    close: 'Close',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    doubtful: 'doubtful, does not count',
    expired: EXPIRED.en('{when}'),
    incoherent: 'withdrawn',
    unknown: 'not known',
    undated: 'undated',
  },
};
