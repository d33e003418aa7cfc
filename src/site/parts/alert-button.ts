/** The offer of price alerts on a page: a button that `alerts.ts` shows, and the way to what alerts are. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { type Html, html } from '../html/html-template.ts';
import { fuelNameInText } from './fuel-words.ts';

/** A page that a browser remembers, by its names and its paths; `saved-pages.ts` reads it. */
export type RememberedPage = { readonly names: LocalizedText; readonly paths: LocalizedText };

const TEXTS = {
  end: { ro: 'Oprește alertele de aici', en: 'Stop these alerts' },
  about: { ro: 'Când primiți o alertă', en: 'When an alert is sent' },
  simulation: {
    ro: 'Ce alerte ar fi fost aici în ultimele 30 de zile',
    en: 'Alerts you would have had here in the last 30 days',
  },
  working: { ro: 'Un moment…', en: 'One moment…' },
  subscribed: {
    ro: 'Gata: acest browser primește alertele. Le puteți opri oricând, aici sau pe pagina alertelor.',
    en: 'Done: this browser receives the alerts. You can stop them at any time, here or on the page of alerts.',
  },
  ended: { ro: 'Alertele sunt oprite.', en: 'The alerts are stopped.' },
  denied: {
    ro: 'Browserul nu permite notificări de la acest site. Le puteți permite din setările lui, apoi apăsați din nou.',
    en: 'The browser does not allow notifications of this site. Allow them in its settings, then tap again.',
  },
  unavailable: {
    ro: 'Abonarea nu a reușit. În ferestre private nu se poate. Încercați mai târziu.',
    en: 'The subscription failed. It is impossible in private windows; otherwise, try again later.',
  },
  homeScreen: {
    ro: 'Pe iPhone și iPad: Partajează, apoi „Adaugă la ecranul principal”; alertele se pornesc din aplicația adăugată.',
    en: 'On iPhone and iPad: Share, then “Add to Home Screen”; start alerts from the app that this adds.',
  },
  unsupported: { ro: 'Acest browser nu poate primi alerte.', en: 'This browser cannot receive alerts.' },
} as const satisfies Record<string, LocalizedText>;

/** What the button offers, for fuels in a sentence. */
const BEGIN = {
  ro: (fuels: string) => `Anunță-mă când scade prețul la ${fuels}`,
  en: (fuels: string) => `Alert me when the price of ${fuels} drops`,
};
const OR: LocalizedText = { ro: ' sau ', en: ' or ' };

/** The fuels of an alert that is about a whole city or the country. */
export const STANDARD_FUELS: readonly RoadFuel[] = ['petrol', 'diesel'];

/** The anchor of the simulation on the page of alerts: the same in both languages, as its query is. */
export const SIMULATION_ID = 'previzualizare';
/** Likewise that of when an alert is sent. */
export const WHEN_ID = 'cand';

/** The address of the alerts that there would have been for a city and fuel. */
export function simulationPath(city: string, fuel: RoadFuel, language: Language): string {
  return `${routePath('alerts', language)}?${new URLSearchParams({ oras: city, tip: FUEL_SLUG[language][fuel] })}`;
}

/** A link to them. */
export function simulationLink(city: string, fuel: RoadFuel, language: Language): Html {
  return html`<p><a href="${simulationPath(city, fuel, language)}#${SIMULATION_ID}">${TEXTS.simulation[language]}</a></p>`;
}

/** What a list of alerts calls a place whose alerts are about both standard fuels. */
export function standardFuels(place: LocalizedText): LocalizedText {
  return { ro: `${place.ro}: benzină și motorină`, en: `${place.en}: petrol and diesel` };
}

/**
 * The offer for one page, which alerts about these fuels; the page declares the module `alerts`. Without code it is a
 * link to the page of alerts, unless that page itself shows it.
 */
export function alertOffer(
  page: RememberedPage,
  fuels: readonly RoadFuel[],
  language: Language,
  { isExplained = false } = {},
): Html {
  const begin = BEGIN[language](fuels.map((fuel) => fuelNameInText(fuel, language)).join(OR[language]));
  const told = {
    working: TEXTS.working,
    subscribed: TEXTS.subscribed,
    ended: TEXTS.ended,
    denied: TEXTS.denied,
    unavailable: TEXTS.unavailable,
    'home-screen': TEXTS.homeScreen,
    unsupported: TEXTS.unsupported,
  };
  return html`<div class="alert-offer" data-page="${JSON.stringify(page)}">
<p><button type="button" class="action needs-code" data-begin="${begin}" data-end="${TEXTS.end[language]}">${begin}</button>${isExplained ? null : html` <a href="${routePath('alerts', language)}#${WHEN_ID}">${TEXTS.about[language]}</a>`}</p>
<p role="status"${Object.entries(told).map(([name, text]) => html` data-${name}="${text[language]}"`)}></p>
</div>`;
}
