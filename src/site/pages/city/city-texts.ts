/** The texts of the pages of a city. */
import { counted, STATIONS } from '../../html/counted.ts';
import { text } from '../../html/text.ts';

export const TEXTS = {
  heading: text('Prețuri carburanți în', 'Fuel prices in'),
  lead: text(
    'Prețurile cunoscute acum, cu vechimea și sursa fiecăruia; cele îndoielnice sunt gri, cu motivul, și nu intră în clasament; „–” înseamnă că nu se știe niciun preț.',
    'The prices known now, each with its age and source; doubtful ones are grey, with the reason, and are left out of the ranking; “–” means that no price is known.',
  ),
  title: text(
    (city: string) => `Preț carburanți ${city} azi`,
    (city: string) => `Fuel prices in ${city} today`,
  ),
  fuelTitle: text(
    (fuel: string, city: string) => `Preț ${fuel} ${city} azi`,
    (fuel: string, city: string) => `${fuel.charAt(0).toUpperCase()}${fuel.slice(1)} price in ${city} today`,
  ),
  previewOf: text(
    (fuel: string) => `Preț ${fuel}`,
    (fuel: string) => `${fuel.charAt(0).toUpperCase()}${fuel.slice(1)} price`,
  ),
  from: text('de la', 'from'),
  description: text(
    (city: string, prices: string, stations: string) =>
      `Cele mai mici prețuri din ${city} azi, în lei pe litru: ${prices}. ${stations}`,
    (city: string, prices: string, stations: string) =>
      `Lowest prices in ${city} today, in lei per litre: ${prices}. ${stations}`,
  ),
  withSources: text(', cu adresă, vechimea și sursa fiecărui preț', ', with address, age and source of every price'),
  descriptionWithoutPrice: text(
    (city: string, count: number) =>
      count === 1
        ? `Singura benzinărie din ${city} nu are acum un preț de încredere. Adresa ei și motivul pentru care fiecare preț nu contează.`
        : `${counted(count, STATIONS, 'ro')} din ${city}: niciuna nu are acum un preț de încredere. Adresele și motivul pentru care fiecare preț nu contează.`,
    (city: string, count: number) =>
      count === 1
        ? `The only station in ${city} has no trusted price now. Its address, and why each price does not count.`
        : `${counted(count, STATIONS, 'en')} in ${city}: none has a trusted price now. Addresses, and why each price does not count.`,
  ),
  fuelUnknown: text(
    (fuel: string, city: string) => `Nicio benzinărie din ${city} nu are acum un preț de încredere pentru ${fuel}.`,
    (fuel: string, city: string) => `No station in ${city} has a trusted price of ${fuel} now.`,
  ),
  priceOf: text(
    (fuel: string, city: string) => `Prețul ${fuel} în ${city}, azi`,
    (fuel: string, city: string) => `${fuel.charAt(0).toUpperCase()}${fuel.slice(1)} price in ${city} today`,
  ),
  noPrice: text(
    'Nicio benzinărie de aici nu are acum un preț de încredere pentru acest carburant.',
    'No station here has a trusted price of this fuel now.',
  ),
  cheapestNow: text('Cea mai ieftină acum', 'Cheapest now'),
  meanOf: text(
    (city: string) => `Media în ${city}`,
    (city: string) => `Average in ${city}`,
  ),
  over: text(
    (stations: string) => `din ${stations} cu preț de încredere`,
    (stations: string) => `over ${stations} with a trusted price`,
  ),
  tank: text(
    (litres: number) => `La un plin de ${litres} de litri`,
    (litres: number) => `On a tank of ${litres} litres`,
  ),
  tankAbout: text('între cea mai ieftină și cea mai scumpă', 'between the cheapest and the most expensive'),
  allOf: text(
    (stations: string) => `Clasamentul: ${stations}`,
    (stations: string) => `Ranking: ${stations}`,
  ),
  lowest: text('Cele mai mici prețuri', 'Lowest prices'),
  allStations: text('Toate benzinăriile', 'All stations'),
  networks: text('Rețelele comparate', 'Networks compared'),
  networksCaption: text('Media prețurilor de încredere, lei pe litru', 'Average of trusted prices, lei per litre'),
  band: text(
    (city: string) => `8 din 10 benzinării din ${city}`,
    (city: string) => `8 of 10 stations in ${city}`,
  ),
  map: text(
    (city: string) => `Harta prețurilor din ${city}`,
    (city: string) => `Map of prices in ${city}`,
  ),
  petrolMap: text('Benzina pe hartă', 'Petrol on the map'),
  nearby: text('În apropiere', 'Nearby'),
  fuel: text('Carburant', 'Fuel'),
  price: text('Preț (lei/l)', 'Price (lei/l)'),
  station: text('Benzinărie', 'Station'),
  stations: text('Benzinării', 'Stations'),
  address: text('Adresă', 'Address'),
  network: text('Rețea', 'Network'),
  origin: text('Vechime și sursă', 'Age and source'),
  stationsCaption: text(
    'În ordinea prețului benzinei; fără un preț de încredere la benzină, o stație nu are loc în clasament',
    'By the price of petrol; a station without a trusted price of it has no rank',
  ),
  premium: text('Carburanții premium au paginile lor:', 'Premium fuels have pages of their own:'),
  rank: text('Loc', 'Rank'),
  more: text(
    (stations: string) => `Nu sunt în listă: ${stations}. Fișierul CSV le are pe toate.`,
    (stations: string) => `Not in the list: ${stations}. The CSV file has them all.`,
  ),
  csv: text('Descarcă prețurile orașului (CSV)', 'Download the prices of the city (CSV)'),
};
