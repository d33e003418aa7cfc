/** A journey: where to stop for fuel between two places, and whether a detour is worth it. */
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { Locality } from '../../../domain/places/locality.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, countedShort, STATIONS } from '../../html/counted.ts';
import { formatCount, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { pageTitle } from '../../html/page-title.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelAsSubject, fuelNameInText } from '../../parts/fuel-words.ts';
import { fuelTabs } from '../../parts/price-parts.ts';
import { unrankedList } from '../../parts/ranking.ts';
import { stationItemList } from '../../parts/station-list-data.ts';
import { litresText, minutesText, typedLeiText } from './journey-amounts.ts';
import { choicesOf, type JourneyChoices, MOST } from './journey-choices.ts';
import { bestOfStages, type Journey, largestTowns, planJourney } from './journey-data.ts';
import { journeyForm } from './journey-form.ts';
import { formPage, journeyPath, journeysFrom } from './journey-form-page.ts';
import { journeyMap } from './journey-map.ts';
import { adviceFigures, stopsList } from './journey-stops.ts';
import { TEXTS } from './journey-texts.ts';

const STOPS_SHOWN = 8;
const NOT_WORTH_IT_SHOWN = 5;
const UNRANKED_SHOWN = 10;

/** The page of a journey between two places by their slugs; `null` = one of them is unknown. */
export function journeyBetweenPage(request: PageRequest): Promise<Page> | Page | null {
  const { language, parameters, query, data } = request;
  const [from, to] = [parameters.from, parameters.to].map((slug) => data.gazetteer.localityBySlug(slug ?? ''));
  if (from === undefined || to === undefined) return null;
  const choices = choicesOf(query);
  const fields = { from: data.gazetteer.labelOf(from), to: data.gazetteer.labelOf(to), choices };
  if (from === to) return formPage(request, fields, html`${TEXTS.samePlace[language](from.name)}`);
  return planJourney(from, to, choices, data, request).then((journey) =>
    journey === null
      ? formPage(request, fields, html`${TEXTS.noRoute[language](from.name, to.name)}`)
      : pageOf(journey, choices, data, language),
  );
}

function pageOf(journey: Journey, choices: JourneyChoices, data: SiteData, language: Language): Page {
  const { from, to, advice } = journey;
  const { gazetteer } = data;
  const places = [from, to] as const;
  const largest = largestTowns(gazetteer);
  const own = routePath('journeyBetween', language, { from: from.slug, to: to.slug });
  return {
    language,
    route: 'journeyBetween',
    paths: { ro: journeyPath(...places, choices, 'ro'), en: journeyPath(...places, choices, 'en') },
    canonical: own,
    title: titleOf(journey, choices, language),
    description: descriptionOf(journey, choices, language),
    breadcrumb: [countryLink(language), { name: TEXTS.name[language], path: routePath('journey', language) }],
    showsPrices: true,
    modules: ['place-field'],
    isIndexed: places.every((place) => largest.includes(place)),
    structuredData: stopsData(journey, data, language),
    content: html`<h1>${TEXTS.heading[language](from.name, to.name)}</h1>
<p class="lead">${leadOf(journey, choices, language)}</p>
${fuelTabs(choices.fuel, language, (fuel) => journeyPath(...places, { ...choices, fuel }, language))}
${advice === null ? noStop(journey, choices, language) : stopsOf(journey, choices, data, language)}
${unrankedList(journey.unranked.slice(0, UNRANKED_SHOWN), choices.fuel, language)}
<p><a href="${journeyPath(to, from, choices, language)}">${TEXTS.back[language](to.name, from.name)}</a></p>
<p>${TEXTS.share[language]} <a class="address" href="${journeyPath(...places, choices, language)}">${data.publicUrl}${journeyPath(...places, choices, language)}</a></p>
<h2>${TEXTS.change[language]}</h2>
${journeyForm({ language, data, from: gazetteer.labelOf(from), to: gazetteer.labelOf(to), choices })}
<h2>${TEXTS.method[language]}</h2>
<p>${methodOf(choices, journey.route.credit, language)}</p>
${places.map((place) => otherJourneys(place, largest, language))}`,
  };
}

function stopsOf(journey: Journey, choices: JourneyChoices, data: SiteData, language: Language): Html {
  const { from, route, advice } = journey;
  if (advice === null) return html``;
  const input = { language, fuel: choices.fuel, data, from };
  const stages = bestOfStages(advice.ranked, route.km, choices);
  const notWorth = advice.notWorthIt.slice(0, NOT_WORTH_IT_SHOWN);
  const worthIt = advice.worthIt.slice(0, STOPS_SHOWN);
  return html`${adviceFigures(advice, choices, data, language)}
${journeyMap(journey, [...new Set([...worthIt, ...stages])], data, language)}
<h2>${TEXTS.stops[language]}</h2>
${stopsList(worthIt, input)}
${stages.length < 2 ? null : html`<h2>${TEXTS.stages[language]}</h2>\n${stopsList(stages, input)}`}
${notWorth.length === 0 ? null : html`<h2>${TEXTS.notWorth[language]}</h2>\n${stopsList(notWorth, input)}`}`;
}

function noStop({ from, to }: Journey, choices: JourneyChoices, language: Language): Html {
  const wider = journeyPath(from, to, { ...choices, radiusKm: MOST.radiusKm }, language);
  const link =
    choices.radiusKm < MOST.radiusKm
      ? html` <a href="${wider}">${TEXTS.wider[language](`${MOST.radiusKm} km`)}</a>.`
      : null;
  return html`<p>${TEXTS.noPrice[language](fuelNameInText(choices.fuel, language))}${link}</p>`;
}

function titleOf({ from, to, count, advice }: Journey, { fuel }: JourneyChoices, language: Language): string {
  const places = TEXTS.titleStart[language](from.name, to.name);
  const lowest = lowestPrice(advice);
  if (lowest === null) return pageTitle([places, `${from.name} – ${to.name}`]);
  const price = TEXTS.priceFrom[language](fuelNameInText(fuel, language), formatRon(lowest, language));
  const stations = countedShort(count, STATIONS, language);
  return pageTitle([
    `${places}: ${price}, ${stations}`,
    `${places}: ${price}`,
    `${from.name} – ${to.name}: ${price}`,
    `${from.name} – ${to.name}`,
  ]);
}

function descriptionOf({ from, to, count, advice }: Journey, { fuel }: JourneyChoices, language: Language): string {
  const lowest = lowestPrice(advice);
  if (lowest === null) return TEXTS.noPrice[language](fuelNameInText(fuel, language));
  const price = TEXTS.priceFrom[language](fuelAsSubject(fuel, language), formatRon(lowest, language));
  return TEXTS.description[language](from.name, to.name, price, counted(count, STATIONS, language));
}

function lowestPrice(advice: Journey['advice']): number | null {
  return advice === null ? null : Math.min(...advice.ranked.map(({ stop }) => stop.price));
}

function leadOf({ route, count }: Journey, { fuel, radiusKm }: JourneyChoices, language: Language): string {
  const way = `${formatCount(Math.round(route.km), language)} km, ${minutesText(route.minutes)}`;
  const stations = counted(count, STATIONS, language);
  return TEXTS.lead[language](way, stations, fuelNameInText(fuel, language), kmText(radiusKm, language));
}

/** @param credit Whose route it is, if it is not on the built-in roads. */
function methodOf(choices: JourneyChoices, credit: string | null, language: Language): string {
  const gain = choices.hourLei === null ? TEXTS.gainPerMinute : TEXTS.smallestGain;
  const method = TEXTS.methodText[language](termsText(choices, language), gain[language]);
  return credit === null ? method : `${method} ${TEXTS.roads[language](credit)}`;
}

function termsText({ litres, litresPer100Km, hourLei }: JourneyChoices, language: Language): string {
  const terms = [litresText(litres, language), `${formatCount(litresPer100Km, language)} l/100 km`];
  return [...terms, ...(hourLei === null ? [] : [TEXTS.hourTerm[language](typedLeiText(hourLei, language))])].join(
    ', ',
  );
}

const kmText = (km: number, language: Language) => `${formatCount(km, language)} km`;

function otherJourneys(place: Locality, largest: readonly Locality[], language: Language): Html | null {
  if (!largest.includes(place)) return null;
  const others = largest.filter((each) => each !== place);
  return html`<h2>${TEXTS.othersFrom[language](place.name)}</h2>\n${journeysFrom(place, others, language)}\n`;
}

/** The stops that the page lists, if any is worth it. */
function stopsData({ from, to, advice }: Journey, { publicUrl }: SiteData, language: Language): object[] {
  const stops = advice?.worthIt.slice(0, STOPS_SHOWN).map(({ stop }) => stop) ?? [];
  if (stops.length === 0) return [];
  return [stationItemList(TEXTS.heading[language](from.name, to.name), stops, publicUrl, language)];
}
