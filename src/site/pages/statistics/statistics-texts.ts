/** The texts of the page of the history. */
import { text } from '../../html/text.ts';

export const TEXTS = {
  heading: text('Istoricul prețurilor la carburanți', 'History of fuel prices'),
  title: text(
    'Istoricul prețurilor la carburanți în România, cu CSV',
    'History of fuel prices in Romania, with every day as CSV',
  ),
  description: text(
    'Prețul mediu al benzinei, motorinei și GPL-ului în România, zi de zi, pe rețele și județe, cu recorduri și fișiere CSV.',
    'The mean price of petrol, diesel and LPG in Romania, day by day, by network and county, with records and CSV files.',
  ),
  lead: text(
    (days: string) => `${days} de măsurători: media pe țară și între ce prețuri se află 8 din 10 benzinării.`,
    (days: string) => `${days} of records: the mean of the country, and the prices between which 8 of 10 stations lie.`,
  ),
  oneDay: text('Prețurile unei zile anume', 'The prices of a single day'),
  none: text('Încă nu există măsurători.', 'There are no records yet.'),
  past: text(
    (fuel: string) => `Prețul mediu al ${fuel}`,
    (fuel: string) => `Mean price of ${fuel}`,
  ),
  band: text('8 din 10 benzinării din țară', '8 of 10 stations of the country'),
  records: text(
    'Recordurile prețului mediu, lei pe litru, cu prima zi a fiecăruia',
    'Records of the mean price, lei per litre, with the first day of each',
  ),
  fuel: text('Carburant', 'Fuel'),
  lowest: text('Cel mai mic', 'Lowest'),
  highest: text('Cel mai mare', 'Highest'),
  downloads: text('Toate seriile', 'All series'),
  nationalCsv: text('Media națională, zi de zi (CSV)', 'The national mean, day by day (CSV)'),
  networks: text('Rețele', 'Networks'),
  counties: text('Județe', 'Counties'),
};
