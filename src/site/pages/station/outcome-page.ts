/** A page after a form of a station's page was posted: what became of it, and the way back. */
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import type { Page } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { html } from '../../html/html-template.ts';
import { headingOf } from './place-sections.ts';
import { type StationDetails, stationOf } from './station-data.ts';

/** What a page says of one outcome. */
export type OutcomeTexts = {
  readonly status: NonNullable<Page['status']>;
  readonly title: LocalizedText;
  readonly text: LocalizedText;
};

type Outcome = OutcomeTexts & {
  readonly language: Language;
  /** What names the station, as it was sent; `''` = nothing. */
  readonly slug: string;
  /** The part of the station's page to go back to. */
  readonly anchor: string;
};

const BACK: LocalizedText = { ro: 'Înapoi la', en: 'Back to' };
const HOME: LocalizedText = { ro: 'Prețurile din toată țara', en: 'Prices of the whole country' };

/** The page; it leads back to the station, in both languages. */
export function outcomePage({ status, title, text, language, slug, anchor }: Outcome, data: SiteData): Page {
  const details = stationOf(slug, data);
  return {
    language,
    route: 'station',
    paths: details === null ? ROUTES.home : pathsOf(details),
    title: title[language],
    description: text[language],
    status,
    isPrivate: true,
    isIndexed: false,
    content: html`<h1>${title[language]}</h1>
<p class="lead">${text[language]}</p>
<p>${
      details === null
        ? html`<a href="${routePath('home', language)}">${HOME[language]}</a>`
        : html`<a href="${pathsOf(details)[language]}#${anchor}">${BACK[language]} ${headingOf(details)}</a>`
    }</p>`,
  };
}

function pathsOf({ slug }: StationDetails): LocalizedText {
  const segment = { station: slug };
  return { ro: routePath('station', 'ro', segment), en: routePath('station', 'en', segment) };
}
