/** Sentences and a table that newspapers copy, with their source. */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { SiteData } from '../frame/site-data.ts';
import { counted, STATIONS } from '../html/counted.ts';
import { formatDay, formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { text } from '../html/text.ts';
import { fuelName } from '../parts/fuel-words.ts';
import { countOthersAtLowest } from '../parts/ranking.ts';
import { ageOf, type PriceSubject, pricedFuels, stationInWords } from './price-subject.ts';

/** `cea mai ieftină motorină standard`; `prețul mediu al motorinei standard`. */
const FUEL = {
  petrol: {
    cheapest: text('cea mai ieftină benzină standard', 'the cheapest standard petrol'),
    price: text('benzina standard', 'standard petrol'),
    of: text('benzinei standard', 'standard petrol'),
  },
  petrol_premium: {
    cheapest: text('cea mai ieftină benzină premium', 'the cheapest premium petrol'),
    price: text('benzina premium', 'premium petrol'),
    of: text('benzinei premium', 'premium petrol'),
  },
  diesel: {
    cheapest: text('cea mai ieftină motorină standard', 'the cheapest standard diesel'),
    price: text('motorina standard', 'standard diesel'),
    of: text('motorinei standard', 'standard diesel'),
  },
  diesel_premium: {
    cheapest: text('cea mai ieftină motorină premium', 'the cheapest premium diesel'),
    price: text('motorina premium', 'premium diesel'),
    of: text('motorinei premium', 'premium diesel'),
  },
  lpg: {
    cheapest: text('cel mai ieftin GPL', 'the cheapest LPG'),
    price: text('GPL-ul', 'LPG'),
    of: text('GPL-ului', 'LPG'),
  },
} as const satisfies Record<RoadFuel, unknown>;

/**
 * One sentence about a fuel, with day and source: `La 26 noiembrie 2026, cea mai ieftină motorină standard din
 * Cluj-Napoca costă 7,45 lei/l (Petrom, Calea Turzii 178), sursa: Pompa.` `null` = there is no trusted price.
 */
export function pressSentence(
  subject: PriceSubject,
  fuel: RoadFuel,
  data: SiteData,
  language: Language,
): string | null {
  const price = subject.priceOf(fuel);
  if (price === null) return null;
  const day = formatDay(data.snapshot.today, language);
  const lei = formatRon(price, language);
  const place = subject.name[language];
  const said = sentenceAbout(subject, fuel, data, language)(lei, place);
  return SENTENCE.whole[language](day, said, data.simulated);
}

function sentenceAbout(subject: PriceSubject, fuel: RoadFuel, data: SiteData, language: Language) {
  const words = FUEL[fuel];
  if (subject.station !== null) {
    const { network, address } = subject.station;
    return (lei: string) => SENTENCE.station[language](words.price[language], lei, `${network}, ${address}`);
  }
  if (subject.kind === 'city')
    return (lei: string, place: string) =>
      SENTENCE.city[language](words.cheapest[language], place, lei, cheapestStation(subject, fuel, data, language));
  const { min, max } = data.snapshot.national[fuel];
  const [from, to] = [min, max].map((each) => (each === null ? '' : formatRon(each, language)));
  return (lei: string, place: string) =>
    SENTENCE.country[language](words.of[language], place, lei, from as string, to as string);
}

/** ` (Petrom, Calea Turzii 178 și încă 2 benzinării)`; `''` where no station is known. */
function cheapestStation(subject: PriceSubject, fuel: RoadFuel, data: SiteData, language: Language): string {
  const offers = subject.offersOf(fuel);
  const [first] = offers;
  if (first === undefined) return '';
  const others = countOthersAtLowest(offers);
  const more = others < 1 ? '' : SENTENCE.others[language](others);
  return ` (${stationInWords(first, subject, data)}${more})`;
}

/** The prices of all fuels as a table without styles, for any page; `null` = there is none. */
export function pressTable(subject: PriceSubject, data: SiteData, language: Language): Html | null {
  if (pricedFuels(subject).length === 0) return null;
  const { publicUrl, simulated, snapshot } = data;
  const day = formatDay(snapshot.today, language);
  const made = simulated ? ` (${TABLE.simulated[language]})` : '';
  const rows = ROAD_FUELS.map((fuel) => tableRow(subject, fuel, data, language)).filter((row) => row !== null);
  const columns = [TABLE.fuel, TABLE.price[subject.kind], TABLE.station[subject.kind]];
  return html`<table>
<caption>${TABLE.caption[language](subject.name[language], day)}${made}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column[language]}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><td colspan="3">${TABLE.source[language]} <a href="${publicUrl}${subject.pagePath(language)}">${SERVICE_NAME}</a> (${LICENCE.name})</td></tr></tfoot>
</table>`;
}

function tableRow(subject: PriceSubject, fuel: RoadFuel, data: SiteData, language: Language): Html | null {
  const price = subject.priceOf(fuel);
  if (price === null) return null;
  const [offer] = subject.offersOf(fuel);
  const age = offer === undefined ? '' : ageOf(offer, fuel, data, language);
  const where = offer === undefined || subject.kind === 'station' ? age : stationInWords(offer, subject, data);
  const lowest = subject.kind === 'country' && offer !== undefined ? `${formatRon(offer.price, language)}: ` : '';
  return html`<tr><th scope="row">${fuelName(fuel, language)}</th><td>${formatRon(price, language)}</td><td>${lowest}${where}</td></tr>\n`;
}

const SENTENCE = {
  city: text(
    (cheapest: string, place: string, lei: string, station: string) =>
      `${cheapest} din ${place} costă ${lei} lei/l${station}`,
    (cheapest: string, place: string, lei: string, station: string) =>
      `${cheapest} in ${place} costs ${lei} lei per litre${station}`,
  ),
  station: text(
    (fuel: string, lei: string, station: string) => `${fuel} costă ${lei} lei/l la ${station}`,
    (fuel: string, lei: string, station: string) => `${fuel} costs ${lei} lei per litre at ${station}`,
  ),
  country: text(
    (fuel: string, place: string, lei: string, from: string, to: string) =>
      `prețul mediu al ${fuel} în ${place} este de ${lei} lei/l (între ${from} și ${to} lei/l)`,
    (fuel: string, place: string, lei: string, from: string, to: string) =>
      `the average price of ${fuel} in ${place} is ${lei} lei per litre (between ${from} and ${to} lei)`,
  ),
  others: text(
    (count: number) => ` și încă ${counted(count, STATIONS, 'ro')}`,
    (count: number) => ` and ${count} other ${count === 1 ? 'station' : 'stations'}`,
  ),
  whole: text(
    (day: string, said: string, simulated: boolean) =>
      `La ${day}, ${said}, sursa: ${SERVICE_NAME}${simulated ? ' (date simulate)' : ''}.`,
    (day: string, said: string, simulated: boolean) =>
      `On ${day}, ${said}, source: ${SERVICE_NAME}${simulated ? ' (simulated data)' : ''}.`,
  ),
};

const TABLE = {
  caption: text(
    (place: string, day: string) => `Prețul carburanților: ${place}, ${day}`,
    (place: string, day: string) => `Fuel prices: ${place}, ${day}`,
  ),
  simulated: text('date simulate', 'simulated data'),
  fuel: text('Carburant', 'Fuel'),
  price: {
    city: text('Cel mai mic preț, lei/l', 'Lowest price, lei/l'),
    station: text('Preț, lei/l', 'Price, lei/l'),
    country: text('Preț mediu, lei/l', 'Average price, lei/l'),
  },
  station: {
    city: text('Benzinăria', 'Station'),
    station: text('Observat', 'Observed'),
    country: text('Cel mai mic preț', 'Lowest price'),
  },
  source: text('Sursa:', 'Source:'),
};
