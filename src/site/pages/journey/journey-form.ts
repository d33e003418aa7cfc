/** The form that asks for a journey; without a line of code it leads to the journey's own address. */
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { CITY_LIST_ID, cityList } from '../../parts/city-list.ts';
import { fuelName } from '../../parts/fuel-words.ts';
import { type JourneyChoices, MOST, QUERY_NAMES } from './journey-choices.ts';
import { TEXTS } from './journey-texts.ts';

export type JourneyFormInput = {
  readonly language: Language;
  readonly data: Pick<SiteData, 'snapshot' | 'gazetteer'>;
  /** As the fields show them. */
  readonly from: string;
  readonly to: string;
  readonly choices: JourneyChoices;
};

/** The form. */
export function journeyForm({ language, data, from, to, choices }: JourneyFormInput): Html {
  return html`<form class="journey-form" action="${routePath('journey', language)}" method="get">
${placeField('from', from, language)}
${placeField('to', to, language)}
<label>${TEXTS.fuel[language]}<select name="${QUERY_NAMES.fuel}">
${ROAD_FUELS.map((fuel) => html`<option value="${FUEL_SLUG[language][fuel]}"${fuel === choices.fuel ? html` selected` : null}>${fuelName(fuel, language)}</option>\n`)}</select></label>
<details${choices.hourLei === null ? null : html` open`}><summary>${TEXTS.more[language]}</summary>
<div class="journey-terms">
${numberField('litres', TEXTS.litres[language], choices)}
${numberField('litresPer100Km', TEXTS.consumption[language], choices)}
${numberField('radiusKm', TEXTS.radius[language], choices)}
${numberField('hourLei', TEXTS.hour[language], choices, TEXTS.hourHint[language])}
</div></details>
<button type="submit">${TEXTS.submit[language]}</button>
${cityList(data)}
</form>
`;
}

/** `place-field.ts` adds suggestions while somebody types, in place of the list. */
function placeField(name: 'from' | 'to', value: string, language: Language): Html {
  return html`<div class="place-field" data-suggestions="${TEXTS.suggested[language]}"><label>${TEXTS[name][language]}<input type="text" name="${QUERY_NAMES[name]}" value="${value}" list="${CITY_LIST_ID}" required maxlength="80" autocomplete="off"></label></div>`;
}

function numberField(name: keyof typeof MOST, label: string, choices: JourneyChoices, hint?: string): Html {
  const placeholder = hint === undefined ? null : html` placeholder="${hint}"`;
  return html`<label>${label}<input type="number" name="${QUERY_NAMES[name]}" value="${choices[name] ?? ''}" min="0.1" max="${MOST[name]}" step="any" inputmode="decimal"${placeholder}></label>`;
}
