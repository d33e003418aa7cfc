/** The texts of the pages of days. */
import { type Text, text } from '../../html/text.ts';

const CHANGE_WORDS: Readonly<Record<number, Text<string>>> = {
  1: text('1 zi', '1 day'),
  7: text('7 zile', '7 days'),
  30: text('30 de zile', '30 days'),
  365: text('1 an', '1 year'),
};

export const TEXTS = {
  days: text('Toate zilele', 'All days'),
  anyDay: text('Alegeți o zi', 'Choose a day'),
  show: text('Arată', 'Show'),
  feed: text('zilele noi, ca flux (Atom)', 'new days as a feed (Atom)'),
  everyDay: text('Toate zilele, ca fișier:', 'All days as a file:'),
  dayCsv: text('Cifrele acestei zile (CSV)', 'The figures of this day (CSV)'),
  today: text('Azi, față de ziua aceasta', 'Today, against that day'),
  todayHeading: text(
    (day: string) => `Prețul carburanților azi, ${day}`,
    (day: string) => `Fuel prices today, ${day}`,
  ),
  todayTitle: text('Prețul carburanților azi', 'Fuel prices in Romania today'),
  dayHeading: text(
    (day: string) => `Prețul carburanților pe ${day}`,
    (day: string) => `Fuel prices on ${day}`,
  ),
  dayTitle: text(
    (day: string) => `Carburanți pe ${day}`,
    (day: string) => `Fuel prices on ${day}`,
  ),
  none: text('Pentru această zi nu este cunoscut niciun preț.', 'No price is known for this day.'),
  daysHeading: text('Prețurile carburanților, zi de zi', 'Fuel prices, day by day'),
  daysTitle: text('Arhiva prețurilor la carburanți, zi de zi', 'Archive of fuel prices in Romania, day by day'),
  yearTitle: text(
    (year: string) => `Prețurile la carburanți în ${year}, zi de zi`,
    (year: string) => `Fuel prices in Romania in ${year}, day by day`,
  ),
  yearDescription: text(
    (year: string) => `Media, minimul și maximul fiecărei zile din ${year}, pentru benzină, motorină și GPL.`,
    (year: string) => `The average, lowest and highest price of every day of ${year}, for petrol, diesel and LPG.`,
  ),
  daysDescription: text(
    'Media, minimul și maximul fiecărei zile, pentru benzină, motorină și GPL, de când există măsurători.',
    'The average, lowest and highest price of every day, for petrol, diesel and LPG, since records began.',
  ),
  tank: text(
    (litres: number) => `Un plin de ${litres} de litri, la prețul mediu`,
    (litres: number) => `A tank of ${litres} litres, at the average price`,
  ),
  caption: text(
    'Prețuri naționale, lei pe litru; schimbarea mediei, în bani',
    'National prices, lei per litre; change of the average, in bani',
  ),
  fuel: text('Carburant', 'Fuel'),
  lowest: text('Minim', 'Lowest'),
  mean: text('Mediu', 'Average'),
  highest: text('Maxim', 'Highest'),
  change: text(
    (days: number) => CHANGE_WORDS[days]?.ro ?? '',
    (days: number) => CHANGE_WORDS[days]?.en ?? '',
  ),
  cities: text('Cele mai mari orașe', 'The largest cities'),
  citiesCaption: text('Cel mai mic preț din oraș, lei pe litru', 'Lowest price in the city, lei per litre'),
  city: text('Oraș', 'City'),
};
