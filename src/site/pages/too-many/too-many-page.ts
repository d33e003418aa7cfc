/** The page for a client that has read too many pages in a minute. */
import { SITE_RATE_LIMITS } from '../../../domain/access/request-limits.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import type { Page } from '../../frame/page.ts';
import { html } from '../../html/html-template.ts';

const { pagesPerMinute } = SITE_RATE_LIMITS;

const TITLE: LocalizedText = { ro: 'Prea multe pagini într-un minut', en: 'Too many pages in a minute' };
const LEAD: LocalizedText = {
  ro: `De la această adresă IP s-au citit prea multe pagini: sunt permise ${pagesPerMinute} pe minut. Încercați din nou peste cel mult un minut.`,
  en: `Too many pages were read from this IP address: ${pagesPerMinute} a minute are allowed. Try again in a minute at most.`,
};
const SHARED: LocalizedText = {
  ro: 'Adresa poate fi a mai multor oameni, de exemplu la serviciu sau în rețelele de telefonie mobilă.',
  en: 'Several people may share the address, for instance at work or in mobile networks.',
};
const PROGRAMS: LocalizedText = { ro: 'Pentru programe există API-ul:', en: 'For programs there is the API:' };
const DOCS: LocalizedText = { ro: 'documentația', en: 'the documentation' };

/** The page in a language; it is the same for everybody. */
export function tooManyPage(language: Language): Page {
  return {
    language,
    route: 'home',
    paths: ROUTES.home,
    title: TITLE[language],
    description: LEAD[language],
    status: 429,
    isPrivate: true,
    content: html`<h1>${TITLE[language]}</h1>
<p class="lead">${LEAD[language]}</p>
<p>${SHARED[language]}</p>
<p>${PROGRAMS[language]} <a href="${routePath('docs', language)}">${DOCS[language]}</a>.</p>`,
  };
}
