/** What the page of the German channel says about a search. */
import type { MilliPrice } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import type { GermanFuel } from '../../../domain/pages/german-choices.ts';
import { counted, MINUTES, type Noun } from '../../html/counted.ts';
import { formatOneDecimal } from '../../html/formats.ts';
import { text } from '../../html/text.ts';

const SECONDS: Noun = { ro: { one: 'secundă', many: 'secunde' }, en: { one: 'second', many: 'seconds' } };
const CENTS: Noun = { ro: { one: 'cent', many: 'cenți' }, en: { one: 'cent', many: 'cents' } };
const MINUTE_MS = 60_000;

const FUELS: Readonly<Record<GermanFuel, Readonly<Record<Language, string>>>> = {
  e5: { ro: 'benzină E5', en: 'petrol E5' },
  e10: { ro: 'benzină E10', en: 'petrol E10' },
  diesel: { ro: 'motorină', en: 'diesel' },
};

export const SEARCH_TEXTS = {
  fuels: FUELS,
  fuelsLabel: text('Carburanți', 'Fuels'),
  place: text('Oraș sau cod poștal', 'Town or postcode'),
  placeholder: text('Passau, 94032', 'Passau, 94032'),
  fuel: text('Carburant', 'Fuel'),
  radius: text('Raza', 'Radius'),
  submit: text('Arată prețurile', 'Show prices'),
  towns: text('Orașe', 'Cities'),
  heading: text(
    (place: string) => `Carburanți în Germania: ${place}`,
    (place: string) => `Fuel prices in Germany: ${place}`,
  ),
  title: text(
    (place: string, price: string) => `Preț carburanți ${place}, Germania: ${price}`,
    (place: string, price: string) => `Fuel prices in ${place}, Germany: ${price}`,
  ),
  titlePrice: text(
    (fuel: string, price: string) => `${fuel} de la ${price} €`,
    (fuel: string, price: string) => `${fuel} from €${price}`,
  ),
  titleOf: text(
    (place: string) => `Prețuri la carburanți în ${place}, Germania`,
    (place: string) => `Fuel prices in ${place}, Germany`,
  ),
  found: text(
    (stations: string, km: number, place: string, fuel: string) =>
      `${stations} cu preț pentru ${fuel} la cel mult ${km} km de centrul localității ${place}, cele mai ieftine primele.`,
    (stations: string, km: number, place: string, fuel: string) =>
      `${stations} with a price for ${fuel} up to ${km} km from the centre of ${place}, cheapest first.`,
  ),
  none: text(
    (km: number, place: string, fuel: string) =>
      `Nicio benzinărie cu preț pentru ${fuel} la cel mult ${km} km de centrul localității ${place}.`,
    (km: number, place: string, fuel: string) =>
      `No station with a price for ${fuel} up to ${km} km from the centre of ${place}.`,
  ),
  wider: text(
    (km: number) => `Caută până la ${km} km`,
    (km: number) => `Search up to ${km} km`,
  ),
  namesakes: text('Alte localități cu acest nume:', 'Other towns with this name:'),
  cheapest: text('Cea mai ieftină deschisă', 'Cheapest open'),
  nearest: text('Cea mai apropiată deschisă', 'Nearest open'),
  stations: text('Benzinării', 'Stations'),
  others: text(
    (stations: string) => `Încă ${stations}: mai scumpe sau fără preț pentru acest carburant`,
    (stations: string) => `${stations} more: more expensive, or without a price for this fuel`,
  ),
  independent: text('Benzinărie independentă', 'Independent station'),
  open: text('deschisă', 'open'),
  closed: text('închisă', 'closed'),
  lowest: text('cel mai mic', 'lowest'),
  perLitre: text('€/l', '€/l'),
  unknownPlace: text(
    (place: string) => `Nu cunoaștem în Germania nicio localitate și niciun cod poștal „${place}”.`,
    (place: string) => `We know no town or postcode “${place}” in Germany.`,
  ),
  didYouMean: text('Poate ați vrut:', 'Did you mean:'),
  limited: text(
    (perMinute: number, wait: string) =>
      `De la această adresă IP s-au cerut prea multe căutări: sunt permise ${perMinute} pe minut, API-ul inclus. Reveniți peste ${wait}.`,
    (perMinute: number, wait: string) =>
      `Too many searches came from this IP address: ${perMinute} a minute are allowed, the API included. Come back in ${wait}.`,
  ),
  ownShare: text(
    (wait: string) =>
      `Întrebările către sursa germană sunt puține și împărțite între toți: partea acestei adrese IP s-a terminat pentru moment. Reveniți peste ${wait}; căutările făcute de curând de oricine se văd în continuare.`,
    (wait: string) =>
      `The German source may be asked only a few times an hour, shared by all: the share of this IP address is used up for now. Come back in ${wait}; what anybody searched for just now is still shown.`,
  ),
  overBudget: text(
    (wait: string) =>
      `Sursa germană poate fi întrebată numai de câteva ori pe oră, iar acum întrebările s-au terminat. Reveniți peste ${wait}; căutările făcute de curând se văd în continuare.`,
    (wait: string) =>
      `The German source may be asked only a few times an hour, and these are used up for now. Come back in ${wait}; recent searches are still shown.`,
  ),
  failed: text(
    'Sursa prețurilor din Germania nu a răspuns. Încercați din nou peste câteva momente.',
    'The source of the German prices did not answer. Try again in a few moments.',
  ),
  unavailable: text(
    'Prețurile din Germania nu sunt disponibile în acest moment. Încercați din nou peste câteva momente.',
    'German prices are not available at this moment. Try again in a few moments.',
  ),
  notConfigured: text(
    'Acest serviciu nu are acces la sursa prețurilor din Germania, așa că nu poate arăta benzinării.',
    'This service has no access to the source of the German prices, so it can show no stations.',
  ),
  age: text(
    (age: string) => `Prețuri de la sursă de ${age}.`,
    (age: string) => `Prices as the source gave them ${age}.`,
  ),
  elsewhere: text('Altă localitate sau altă rază', 'Another town or radius'),
  centre: text(
    'Distanța este în linie dreaptă de la centrul localității; un cod poștal înseamnă localitatea lui.',
    'Distances are straight lines from the centre of the town; a postcode means its town.',
  ),
  postcodes: text('Codurile poștale:', 'Postcodes:'),
};

/** How long ago the source was asked. */
export function askedAgo(ms: number, language: Language): string {
  const minutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
  if (minutes === 0) return language === 'ro' ? 'acum mai puțin de un minut' : 'less than a minute ago';
  const passed = counted(minutes, MINUTES, language);
  return language === 'ro' ? `acum ${passed}` : `${passed} ago`;
}

/** How much dearer a price is: `+20 de cenți`, `+1,5 cenți`. */
export function centsAbove(difference: MilliPrice, language: Language): string {
  const cents = difference / 10;
  if (Number.isInteger(cents)) return `+${counted(cents, CENTS, language)}`;
  return `+${formatOneDecimal(cents, language)} ${CENTS[language].many}`;
}

/** How long to wait, rounded up: `40 de secunde`, `12 minute`. */
export function waitText(ms: number, language: Language): string {
  return ms <= MINUTE_MS
    ? counted(Math.max(1, Math.ceil(ms / 1000)), SECONDS, language)
    : counted(Math.ceil(ms / MINUTE_MS), MINUTES, language);
}
