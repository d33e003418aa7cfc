/** The texts of the page of the stations nearby. */

import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import { text } from '../../html/text.ts';

export const TEXTS = {
  heading: text('Benzinării lângă mine', 'Stations near me'),
  headingOf: text(
    (fuel: string) => `Prețul ${fuel} lângă mine`,
    (fuel: string) => `${fuel.charAt(0).toUpperCase()}${fuel.slice(1)} prices near me`,
  ),
  title: text(
    `Benzinării lângă mine: cele mai ieftine până la 25 km | ${SERVICE_NAME}`,
    `Fuel stations near me: the cheapest within 25 km | ${SERVICE_NAME}`,
  ),
  description: text(
    'Benzinăriile din jurul dumneavoastră, cele mai ieftine primele, cu prețul de azi, distanța, adresa, sursa și vechimea fiecărui preț.',
    'The stations around you, cheapest first, with today’s price, distance, address, and the source and age of every price.',
  ),
  lead: text(
    'Cele mai ieftine benzinării din jur, la cel mult 5, 10 sau 25 km. Apăsați butonul, iar browserul vă cere permisiunea de a transmite poziția; sau căutați localitatea după nume.',
    'The cheapest stations around you, within 5, 10 or 25 km. Tap the button and the browser asks whether it may give your position; without it, search for the place by name.',
  ),
  notKept: text(
    'Poziția este rotunjită la aproximativ 100 m, ajunge numai la acest serviciu și nu este păstrată.',
    'Your position is rounded to about 100 m, reaches only this service, and is not kept.',
  ),
  malformed: text(
    'Adresa nu conține o poziție corectă: „lat” se așteaptă între −90 și 90, iar „lng” între −180 și 180, cu punct zecimal, de exemplu 46.771 și 23.590.',
    'The address has no correct position: “lat” must be between −90 and 90, and “lng” between −180 and 180, with a decimal point, for example 46.771 and 23.590.',
  ),
  abroad: text(
    `Poziția este în afara României: sunt arătate numai benzinării din România, la distanța în linie dreaptă, peste graniță. Pentru Germania: [prețuri după oraș sau cod poștal](${ROUTES.germany.ro}).`,
    `The position is outside Romania: only stations in Romania are shown, by their straight distance across the border. For Germany: [prices by town or postcode](${ROUTES.germany.en}).`,
  ),
  none: text(
    (km: number) => `Nicio benzinărie din România aflată la cel mult ${km} km nu are acum un preț de încredere.`,
    (km: number) => `No station in Romania within ${km} km has a trusted price now.`,
  ),
  found: text(
    (stations: string, km: number, place: string | null) =>
      `${stations} cu preț de încredere la cel mult ${km} km${place === null ? '' : `, în jurul localității ${place}`}, în linie dreaptă.`,
    (stations: string, km: number, place: string | null) =>
      `${stations} with a trusted price within ${km} km${place === null ? '' : ` around ${place}`}, in a straight line.`,
  ),
  cheapest: text('Cea mai ieftină', 'Cheapest'),
  nearest: text('Cea mai apropiată', 'Nearest'),
  within: text(
    (km: number) => `La cel mult ${km} km`,
    (km: number) => `Within ${km} km`,
  ),
  about: text('aproximativ', 'about'),
  position: text('Poziția dumneavoastră', 'Your position'),
  listedAs: text('listată și ca', 'also listed as'),
  byName: text('După nume', 'By name'),
  cities: text('Orașe mari', 'Large cities'),
  citiesCaption: text('Cel mai mic preț din fiecare oraș, lei pe litru', 'Lowest price in each city, lei per litre'),
  elsewhere: text('Altă poziție', 'Another position'),
};
