/** What a widget lists: a row a fuel, or of one fuel the cheapest stations or the figures of the country. */
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { SiteData } from '../frame/site-data.ts';
import { formatCount, formatRon } from '../html/formats.ts';
import { text } from '../html/text.ts';
import { fuelName } from '../parts/fuel-words.ts';
import { countOthersAtLowest } from '../parts/ranking.ts';
import { ageOf, type PriceSubject, stationInWords } from './price-subject.ts';

export type WidgetRow = {
  readonly name: string;
  /** How old the price is, in words; `''` = nothing to say. */
  readonly age: string;
  /** Where it is; `''` = nothing to say. */
  readonly note: string;
  /** `null` = no trusted price. */
  readonly price: MilliPrice | null;
};

/** Stations of one fuel in a city. */
const STATIONS_SHOWN = 3;

const TEXTS = {
  mean: text('Preț mediu', 'Average price'),
  lowest: text('Cel mai mic preț', 'Lowest price'),
  highest: text('Cel mai mare preț', 'Highest price'),
  from: text(
    (price: string, station: string) => `de la ${price}: ${station}`,
    (price: string, station: string) => `from ${price}: ${station}`,
  ),
  others: text(
    (count: string) => `și încă ${count}`,
    (count: string) => `and ${count} more`,
  ),
};

/** The rows of all fuels, or of one. */
export function widgetRows(
  subject: PriceSubject,
  fuel: RoadFuel | null,
  data: SiteData,
  language: Language,
): readonly WidgetRow[] {
  if (fuel === null || subject.kind === 'station') return fuelRows(subject, fuel, data, language);
  if (subject.kind === 'country') return countryRows(subject, fuel, data, language);
  return subject
    .offersOf(fuel)
    .slice(0, STATIONS_SHOWN)
    .map((offer) => ({
      name: offer.station.network.name,
      age: ageOf(offer, fuel, data, language),
      note: offer.station.address,
      price: offer.price,
    }));
}

/** A station lists what it has a price of, all others all fuels. */
function fuelRows(subject: PriceSubject, only: RoadFuel | null, data: SiteData, language: Language): WidgetRow[] {
  const fuels = only === null ? ROAD_FUELS : [only];
  return fuels
    .map((fuel) => ({
      name: fuelName(fuel, language),
      ...originOf(subject, fuel, data, language),
      price: subject.priceOf(fuel),
    }))
    .filter(({ price }) => subject.kind !== 'station' || only !== null || price !== null);
}

/** A mean has no age. */
function originOf(
  subject: PriceSubject,
  fuel: RoadFuel,
  data: SiteData,
  language: Language,
): Pick<WidgetRow, 'age' | 'note'> {
  const offers = subject.offersOf(fuel);
  const [cheapest] = offers;
  if (cheapest === undefined) return { age: '', note: '' };
  const age = ageOf(cheapest, fuel, data, language);
  if (subject.kind === 'station') return { age, note: '' };
  const station = stationInWords(cheapest, subject, data);
  if (subject.kind === 'country')
    return { age: '', note: TEXTS.from[language](formatRon(cheapest.price, language), station) };
  const others = countOthersAtLowest(offers);
  const more = others < 1 ? [] : [TEXTS.others[language](formatCount(others, language))];
  return { age, note: [station, ...more].join(', ') };
}

function countryRows(subject: PriceSubject, fuel: RoadFuel, data: SiteData, language: Language): WidgetRow[] {
  const { mean, max } = data.snapshot.national[fuel];
  if (mean === null) return [];
  return [
    { name: TEXTS.mean[language], age: '', note: '', price: mean },
    ...subject.offersOf(fuel).map((offer) => ({
      name: TEXTS.lowest[language],
      age: ageOf(offer, fuel, data, language),
      note: stationInWords(offer, subject, data),
      price: offer.price,
    })),
    { name: TEXTS.highest[language], age: '', note: '', price: max },
  ];
}
