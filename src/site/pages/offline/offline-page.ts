/** What the service worker shows instead of a page that cannot be loaded; it keeps this one. */
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest } from '../../frame/site-data.ts';
import { html } from '../../html/html-template.ts';

const TITLE: LocalizedText = { ro: 'Nu există conexiune la internet', en: 'There is no internet connection' };
const LEAD: LocalizedText = {
  ro: 'Prețurile se schimbă de mai multe ori pe zi, așa că nu arătăm unele vechi. Încercați din nou când aveți conexiune.',
  en: 'Prices change several times a day, so we do not show old ones. Try again once you are connected.',
};
const ALERTS: LocalizedText = {
  ro: 'Alertele trimise între timp sosesc când revine conexiunea.',
  en: 'Alerts sent in the meantime arrive when the connection is back.',
};

/** The page; search engines have no use for it. */
export function offlinePage({ language }: PageRequest): Page {
  return {
    language,
    route: 'offline',
    paths: ROUTES.offline,
    title: TITLE[language],
    description: LEAD[language],
    isIndexed: false,
    containsStyle: true,
    content: html`<h1>${TITLE[language]}</h1>
<p class="lead">${LEAD[language]}</p>
<p>${ALERTS[language]}</p>`,
  };
}
