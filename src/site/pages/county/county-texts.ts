/** The texts of the page of a county. */
import { text } from '../../html/text.ts';

export const TEXTS = {
  heading: text(
    (county: string) => `Prețuri carburanți în județul ${county}`,
    (county: string) => `Fuel prices in ${county} county`,
  ),
  previewSubject: text(
    (county: string) => `Județul ${county}`,
    (county: string) => `${county} county`,
  ),
  title: text(
    (county: string) => `Preț carburanți județul ${county}: medii pe localități`,
    (county: string) => `Fuel prices in ${county} county: averages by town today`,
  ),
  description: text(
    (county: string, prices: string) =>
      `Media celor mai mici prețuri din localitățile județului ${county} azi, în lei pe litru: ${prices}.`,
    (county: string, prices: string) =>
      `Average of the lowest prices in the places of ${county} county today, in lei per litre: ${prices}.`,
  ),
  in: text('în', 'in'),
  meansCaption: text(
    'Media celor mai mici prețuri din localitățile județului, lei pe litru',
    'Average of the lowest prices in the places of the county, lei per litre',
  ),
  fuel: text('Carburant', 'Fuel'),
  mean: text('Județul', 'The county'),
  others: text('Media județelor', 'Average of counties'),
  difference: text('Diferență', 'Difference'),
  places: text('Localitățile județului', 'Places of the county'),
  placesCaption: text('Cel mai mic preț din fiecare localitate', 'Lowest price in each place'),
  morePlaces: text(
    (places: string) => `Încă ${places} din județ, cu mai puține benzinării, găsiți prin`,
    (places: string) => `${places} more in the county, with fewer stations: use the`,
  ),
  search: text('căutare', 'search'),
  line: text('media celor mai mici prețuri din localități', 'average of the towns’ lowest prices'),
  band: text(
    (county: string) => `8 din 10 benzinării din ${county}`,
    (county: string) => `8 of 10 stations in ${county}`,
  ),
  map: text(
    (fuel: string, county: string) => `Cel mai mic preț la ${fuel} în localitățile județului ${county}`,
    (fuel: string, county: string) => `Lowest ${fuel} price in the places of ${county} county`,
  ),
  cheapest: text(
    (fuel: string) => `Cele mai ieftine stații din județ la ${fuel}`,
    (fuel: string) => `Cheapest ${fuel} in the county`,
  ),
};
