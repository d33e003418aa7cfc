/** A change of what is served as people write it: a short line, and a sentence. */
import type { RecentChange } from '../../domain/changes/served-change.ts';
import type { PriceReason, ServedPrice } from '../../domain/changes/served-price.ts';
import { type Fuel, isRoadFuel, type MilliPrice } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import { baniText, signedBani } from '../html/counted.ts';
import { formatRon } from '../html/formats.ts';
import { text } from '../html/text.ts';
import { fuelGenitive, fuelNameInText } from '../parts/fuel-words.ts';

/** `benzină 7,50 lei (+5 bani)`, `motorină: fără preț`, `benzinărie nouă`: for a title that names the station. */
export function changeInShort({ kind, fuel, before, after }: RecentChange, language: Language): string {
  if (fuel === null) return (kind === 'station added' ? ADDED : REMOVED)[language];
  const name = isRoadFuel(fuel) ? fuelNameInText(fuel, language) : ADBLUE;
  if (after.price === null) return `${name}: ${NO_PRICE[language]}`;
  const price = `${name} ${formatRon(after.price, language)} ${UNIT[language]}`;
  const moved = before.price === null ? 0 : after.price - before.price;
  if (moved !== 0) return `${price} (${signedBani(moved, language)})`;
  return kind === 'flag' ? `${price}, ${(after.reason === null ? TRUSTED : DOUBTFUL)[language]}` : price;
}

/** @param station with its address, as it stands inside a sentence; `null` = it is not served any more. */
export function changeSentence(change: RecentChange, station: string | null, language: Language): string {
  const { kind, fuel, before, after } = change;
  if (fuel === null) return (kind === 'station added' ? STATION_ADDED : STATION_REMOVED)[language](station);
  const what = PRICE_OF[language](fuelOf(fuel, language), station ?? UNKNOWN[language]);
  return `${what} ${happened(before, after, language)}.`;
}

function happened(before: ServedPrice, after: ServedPrice, language: Language): string {
  const words = HAPPENED[language];
  const why = after.reason === null ? '' : WHY[language][after.reason];
  if (after.price === null) return before.price === null ? words.stillMissing(why) : words.withdrawn(why);
  const price = formatRon(after.price, language);
  const doubt = after.reason === null ? '' : words.doubt(why);
  if (before.price === null) return (before.reason === 'unsold' ? words.first : words.returned)(price) + doubt;
  if (before.price !== after.price) return moved(before.price, after.price, language) + doubt;
  return after.reason === null ? words.trusted(price) : words.doubtful(price, why);
}

function moved(before: MilliPrice, after: MilliPrice, language: Language): string {
  const { rose, fell } = HAPPENED[language];
  return (after > before ? rose : fell)(baniText(after - before, language), formatRon(after, language));
}

const ADBLUE = 'AdBlue';
const fuelOf = (fuel: Fuel, language: Language) => (isRoadFuel(fuel) ? fuelGenitive(fuel, language) : ADBLUE);

const UNIT = text('lei', 'lei');
const ADDED = text('benzinărie nouă', 'new station');
const REMOVED = text('nu mai apare', 'no longer listed');
const NO_PRICE = text('fără preț', 'no price');
const TRUSTED = text('din nou sigur', 'trusted again');
const DOUBTFUL = text('nesigur', 'doubtful');
const UNKNOWN = text(
  `o benzinărie care nu mai apare pe ${SERVICE_NAME}`,
  `a station that ${SERVICE_NAME} no longer lists`,
);

const STATION_ADDED = text(
  (station: string | null) =>
    station === null
      ? `Pe ${SERVICE_NAME} a apărut o benzinărie, care între timp nu mai apare.`
      : `Pe ${SERVICE_NAME} apare acum și ${station}.`,
  (station: string | null) =>
    station === null
      ? `${SERVICE_NAME} listed a new station, which it no longer does.`
      : `${SERVICE_NAME} now lists ${station}, too.`,
);
const STATION_REMOVED = text(
  (station: string | null) => `Pe ${SERVICE_NAME} nu mai apare ${station ?? 'o benzinărie'}.`,
  (station: string | null) => `${SERVICE_NAME} no longer lists ${station ?? 'a station'}.`,
);
const PRICE_OF = text(
  (fuel: string, station: string) => `Prețul ${fuel} la ${station}`,
  (fuel: string, station: string) => `The price of ${fuel} at ${station}`,
);

const HAPPENED = {
  ro: {
    rose: (by: string, price: string) => `a crescut cu ${by}, la ${price} lei pe litru`,
    fell: (by: string, price: string) => `a scăzut cu ${by}, la ${price} lei pe litru`,
    first: (price: string) => `apare acum: ${price} lei pe litru`,
    returned: (price: string) => `a revenit: ${price} lei pe litru`,
    withdrawn: (why: string) => `a fost retras: ${why}`,
    stillMissing: (why: string) => `lipsește în continuare: ${why}`,
    trusted: (price: string) => `este din nou sigur: ${price} lei pe litru`,
    doubtful: (price: string, why: string) => `a devenit nesigur (${price} lei pe litru): ${why}`,
    doubt: (why: string) => `; este nesigur: ${why}`,
  },
  en: {
    rose: (by: string, price: string) => `rose by ${by}, to ${price} lei per litre`,
    fell: (by: string, price: string) => `fell by ${by}, to ${price} lei per litre`,
    first: (price: string) => `is listed now: ${price} lei per litre`,
    returned: (price: string) => `is back: ${price} lei per litre`,
    withdrawn: (why: string) => `was withdrawn: ${why}`,
    stillMissing: (why: string) => `is still missing: ${why}`,
    trusted: (price: string) => `is trusted again: ${price} lei per litre`,
    doubtful: (price: string, why: string) => `has become doubtful (${price} lei per litre): ${why}`,
    doubt: (why: string) => `; it is doubtful: ${why}`,
  },
} as const;

const WHY: Readonly<Record<Language, Readonly<Record<PriceReason, string>>>> = {
  ro: {
    stuck: 'nu s-a mai schimbat de mult, deși la alte benzinării ale rețelei s-a schimbat',
    stale: 'sursa nu l-a mai observat de cel puțin 7 zile',
    orphaned: 'registrul nu mai listează acest carburant aici',
    expired: 'nicio sursă nu l-a mai confirmat',
    incoherent: 'la sursă, carburantul premium costă mai puțin decât cel standard',
    unpublished: 'sursa nu publică niciun preț',
    invalid: 'prețul de la sursă nu poate fi corect',
    unsold: 'nicio sursă nu mai spune că se vinde aici',
  },
  en: {
    stuck: 'it has not moved for long, though other stations of the network changed theirs',
    stale: 'the source has not observed it for 7 days at least',
    orphaned: 'the register no longer lists this fuel here',
    expired: 'no source has confirmed it any more',
    incoherent: 'at the source, the premium fuel costs less than the standard one',
    unpublished: 'the source publishes no price',
    invalid: 'the price of the source cannot be right',
    unsold: 'no source says any more that it is sold here',
  },
};
