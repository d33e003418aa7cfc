/** "What would have fired here": a form for city and fuel, and the alerts of the last 30 days. */
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { FUEL_SLUG, fuelOfQuery } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, DAYS, type Noun } from '../../html/counted.ts';
import { formatDay, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { stationLookup } from '../../lookup/station-prices.ts';
import { SIMULATION_ID } from '../../parts/alert-button.ts';
import { CITY_LIST_ID, cityList } from '../../parts/city-list.ts';
import { fuelName, fuelNameInText } from '../../parts/fuel-words.ts';
import { stationLink } from '../../parts/ranking.ts';
import { TEXTS } from './alerts-texts.ts';
import { SIMULATED_DAYS, type SimulatedAlerts } from './simulated-alerts.ts';

const MAX_CITY_CHARACTERS = 80;

/** What a query asks for. */
export type SimulationChoice = {
  /** As it was typed; empty = nothing is asked for. */
  readonly typed: string;
  /** Its slug; `null` = no city with stations. */
  readonly city: string | null;
  readonly fuel: RoadFuel;
};

/** Reads `oras`, a name or a slug, and `tip`, in the words of either language. */
export function simulationChoice({ query, data }: Pick<PageRequest, 'query' | 'data'>): SimulationChoice {
  const typed = (query.get('oras') ?? '').trim().slice(0, MAX_CITY_CHARACTERS);
  const place = typed === '' ? undefined : (data.gazetteer.localityBySlug(typed) ?? data.journeys.findPlace(typed));
  const known = place !== undefined && stationLookup(data.snapshot).byCity.has(place.slug);
  return {
    typed,
    city: known ? place.slug : null,
    fuel: fuelOfQuery(query),
  };
}

/** The form, with the alerts of the choice if there is one. */
export function simulationSection(
  choice: SimulationChoice,
  simulated: SimulatedAlerts | null,
  language: Language,
  data: SiteData,
): Html {
  return html`<section aria-labelledby="${SIMULATION_ID}"><h2 id="${SIMULATION_ID}">${SIMULATION_TEXTS.heading[language]}</h2>
${simulationForm(choice, language, data)}
${choice.typed === '' ? null : answer(choice, simulated, language, data)}<p class="note">${SIMULATION_TEXTS.basis[language]}</p>
</section>`;
}

function simulationForm({ typed, city, fuel }: SimulationChoice, language: Language, data: SiteData): Html {
  const shown = city === null ? typed : cityName(city, typed, data.gazetteer);
  const option = (each: RoadFuel) =>
    html`<option value="${FUEL_SLUG[language][each]}"${each === fuel ? html` selected` : null}>${fuelName(each, language)}</option>\n`;
  return html`<form class="fields" action="${routePath('alerts', language)}#${SIMULATION_ID}" method="get">
<label>${SIMULATION_TEXTS.city[language]}<input type="text" name="oras" value="${shown}" list="${CITY_LIST_ID}" required maxlength="${MAX_CITY_CHARACTERS}" autocomplete="off"></label>
<label>${SIMULATION_TEXTS.fuel[language]}<select name="tip">
${ROAD_FUELS.map(option)}</select></label>
<button type="submit">${SIMULATION_TEXTS.show[language]}</button>
${cityList(data)}
</form>`;
}

function answer(
  { typed, city, fuel }: SimulationChoice,
  simulated: SimulatedAlerts | null,
  language: Language,
  data: SiteData,
): Html {
  if (city === null || simulated === null)
    return html`<p class="problem" role="alert">${SIMULATION_TEXTS.unknown[language](typed)}</p>\n`;
  const place = html`<a href="${routePath('cityFuel', language, { city, fuel: FUEL_SLUG[language][fuel] })}">${cityName(city, typed, data.gazetteer)}, ${fuelNameInText(fuel, language)}</a>`;
  return html`<p class="answer">${place}: ${summary(simulated.alerts.length, language)}</p>
${simulated.knownDays === SIMULATED_DAYS ? null : html`<p>${SIMULATION_TEXTS.known[language](counted(simulated.knownDays, DAYS, language))}</p>\n`}${simulated.alerts.length === 0 ? null : alertsTable(simulated, language, data)}`;
}

function summary(count: number, language: Language): string {
  if (count === 0) return SIMULATION_TEXTS.none[language];
  const alerts = counted(count, ALERTS, language);
  if (language === 'en') return `${alerts} would have been sent in the last ${SIMULATED_DAYS} days.`;
  return `în ultimele ${SIMULATED_DAYS} de zile ar fi fost ${count === 1 ? 'trimisă' : 'trimise'} ${alerts}.`;
}

const RULE_NAMES = { lowest: TEXTS.lowestName, day: TEXTS.dayName, mean: TEXTS.meanName } as const;

/** What a drop is measured by may be a mean: like all means of pages, it has no thousandths. */
function toBani(price: MilliPrice): MilliPrice {
  return Math.round(price / 10) * 10;
}

/** Newest first. */
function alertsTable({ alerts }: SimulatedAlerts, language: Language, { snapshot }: SiteData): Html {
  const { byId } = stationLookup(snapshot);
  const columns = [
    SIMULATION_TEXTS.day,
    SIMULATION_TEXTS.before,
    SIMULATION_TEXTS.after,
    TEXTS.rule,
    SIMULATION_TEXTS.station,
  ].map((each) => each[language]);
  const rows = alerts.toReversed().map(({ day, drop: { rule, price, change, station } }) => {
    const known = byId.get(station);
    const cells = [
      formatRon(toBani(price + change), language),
      html`<strong>${formatRon(price, language)}</strong>`,
      RULE_NAMES[rule][language],
      known === undefined ? '' : html`${stationLink(known, language)}, ${known.station.address}`,
    ];
    return html`<tr><th scope="row">${formatDay(day, language)}</th>${cells.map((cell, index) => html`<td data-column="${columns[index + 1]}">${cell}</td>`)}</tr>\n`;
  });
  return html`<div class="table"><table class="stacked">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}

const ALERTS: Noun = { ro: { one: 'alertă', many: 'alerte' }, en: { one: 'alert', many: 'alerts' } };

const SIMULATION_TEXTS = {
  heading: {
    ro: `Ce alerte ar fi fost în ultimele ${SIMULATED_DAYS} de zile`,
    en: `Which alerts there would have been in the last ${SIMULATED_DAYS} days`,
  },
  city: { ro: 'Oraș', en: 'City' },
  fuel: { ro: 'Carburant', en: 'Fuel' },
  show: { ro: 'Arată', en: 'Show' },
  unknown: {
    ro: (place: string) => `Nu cunoaștem nicio benzinărie în „${place}”.`,
    en: (place: string) => `We know no station in “${place}”.`,
  },
  none: {
    ro: `în ultimele ${SIMULATED_DAYS} de zile nu ar fi fost nicio alertă.`,
    en: `no alert would have been sent in the last ${SIMULATED_DAYS} days.`,
  },
  known: {
    ro: (days: string) => `Dintre acestea, prețurile sunt cunoscute pentru ${days}.`,
    en: (days: string) => `Of these, prices are known for ${days}.`,
  },
  day: { ro: 'Ziua', en: 'Day' },
  before: { ro: 'Înainte, lei/l', en: 'Before, lei/l' },
  after: { ro: 'După, lei/l', en: 'After, lei/l' },
  station: { ro: 'Benzinăria', en: 'Station' },
  basis: {
    ro: 'Calculat cu regulile de mai jos din ultimul preț al fiecărei zile la fiecare benzinărie, ca și cum ar fi fost publicat o singură dată, la prânz. Alertele adevărate se evaluează la fiecare publicare, lasă deoparte prețurile îndoielnice și compară numai prețuri din aceeași sursă; pentru zilele trecute, aici nu se știe nici sursa, nici ce preț era îndoielnic. „Înainte” este prețul cu care compară regula.',
    en: 'Computed by the rules below from the last price of each day at each station, as if it had been published once, at noon. Real alerts are judged at every publication, leave doubtful prices out and compare only prices from the same source; for past days neither the source nor what was doubtful is known here. “Before” is the price that the rule compares with.',
  },
} as const satisfies Record<string, LocalizedText | Readonly<Record<Language, (text: string) => string>>>;
