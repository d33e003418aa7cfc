/** Price alerts: how to start and end them, when one is sent, and the alerts of the browser that shows the page. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { alertOffer, STANDARD_FUELS, simulationPath, standardFuels, WHEN_ID } from '../../parts/alert-button.ts';
import { COUNTRY, countryLink } from '../../parts/breadcrumb.ts';
import { description, TEXTS } from './alerts-texts.ts';
import { type SimulatedAlerts, simulatedAlerts } from './simulated-alerts.ts';
import { type SimulationChoice, simulationChoice, simulationSection } from './simulation-section.ts';

const CITIES_SHOWN = 12;

/** The page of alerts; `oras` and `tip` of the query select whose alerts it simulates. */
export function alertsPage(request: PageRequest): Page | Promise<Page> {
  const choice = simulationChoice(request);
  if (choice.city === null || !request.data.hasAlerts) return pageWith(choice, null, request);
  return simulatedAlerts(choice.city, choice.fuel, request.data.snapshot).then((simulated) =>
    pageWith(choice, simulated, request),
  );
}

function pageWith(choice: SimulationChoice, simulated: SimulatedAlerts | null, { language, data }: PageRequest): Page {
  const { min } = data.snapshot.national.petrol;
  const petrol = min === null ? null : { ro: formatRon(min, 'ro'), en: formatRon(min, 'en') };
  const paragraph = (text: LocalizedText): Html => html`<p>${text[language]}</p>`;
  const item = (text: LocalizedText): Html => html`<li>${text[language]}</li>\n`;
  return {
    language,
    route: 'alerts',
    paths: choice.city === null ? ROUTES.alerts : simulationPaths(choice.city, choice.fuel),
    canonical: ROUTES.alerts[language],
    ...(choice.typed !== '' && choice.city === null && { status: 400 as const }),
    title: TEXTS.title[language],
    description: description(petrol)[language],
    breadcrumb: [countryLink(language)],
    modules: data.hasAlerts ? ['alerts'] : [],
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
${data.hasAlerts ? html`${ownAlerts(language)}\n${howTo(data, language)}` : paragraph(TEXTS.off)}
${data.hasAlerts ? simulationSection(choice, simulated, language, data) : null}
<h2 id="${WHEN_ID}">${TEXTS.when[language]}</h2>
${paragraph(TEXTS.whenAbout)}
${rulesTable(language)}
<h2>${TEXTS.quiet[language]}</h2>
<ul>
${[TEXTS.cooldown, TEXTS.daily, TEXTS.night].map(item)}</ul>
<h2>${TEXTS.counts[language]}</h2>
<ul>
${[TEXTS.trusted, TEXTS.same].map(item)}</ul>
<h2>${TEXTS.privacy[language]}</h2>
<p>${TEXTS.privacyAbout[language]} <a href="${routePath('privacy', language)}">${TEXTS.privacyMore[language]}</a></p>`,
  };
}

const simulationPaths = (city: string, fuel: RoadFuel): LocalizedText => ({
  ro: simulationPath(city, fuel, 'ro'),
  en: simulationPath(city, fuel, 'en'),
});

/** The alerts of this browser, which only code can know. */
function ownAlerts(language: Language): Html {
  return html`<section class="subscriptions needs-code" aria-labelledby="alertele-mele" data-end="${TEXTS.end[language]}">
<h2 id="alertele-mele">${TEXTS.mine[language]}</h2>
<p>${TEXTS.none[language]}</p>
<ul></ul>
</section>`;
}

function howTo({ snapshot, gazetteer }: SiteData, language: Language): Html {
  const cities = snapshot.cities.slice(0, CITIES_SHOWN).map(({ slug, name }) => {
    const shown = cityName(slug, name, gazetteer);
    return html`<li><a href="${routePath('city', language, { city: slug })}">${shown}</a></li>\n`;
  });
  const country = { names: standardFuels(COUNTRY), paths: ROUTES.home };
  return html`<h2>${TEXTS.how[language]}</h2>
<ol>
<li>${TEXTS.openPage[language]}</li>
<li>${TEXTS.tap[language]}</li>
<li>${TEXTS.stop[language]}</li>
</ol>
${cities.length === 0 ? null : html`<h3>${TEXTS.cities[language]}</h3>\n<ul class="columns">\n${cities}</ul>\n`}<h3>${TEXTS.whole[language]}</h3>
<p>${TEXTS.wholeAbout[language]}</p>
${alertOffer(country, STANDARD_FUELS, language, { isExplained: true })}
<h3>${TEXTS.iphone[language]}</h3>
<p>${TEXTS.iphoneAbout[language]}</p>`;
}

function rulesTable(language: Language): Html {
  const rules = [
    [TEXTS.lowestName, TEXTS.lowest],
    [TEXTS.dayName, TEXTS.day],
    [TEXTS.meanName, TEXTS.mean],
  ] as const;
  return html`<div class="table"><table class="stacked">
<thead><tr><th scope="col">${TEXTS.rule[language]}</th><th scope="col">${TEXTS.condition[language]}</th></tr></thead>
<tbody>
${rules.map(([name, condition]) => html`<tr><th scope="row">${name[language]}</th><td data-column="${TEXTS.condition[language]}">${condition[language]}</td></tr>\n`)}</tbody>
</table></div>`;
}
