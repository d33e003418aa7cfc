/** The terms of use of the site, the API and the data. */
import { ROUTES } from '../../../domain/pages/routes.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest } from '../../frame/site-data.ts';
import { counted, countedShort, STATIONS } from '../../html/counted.ts';
import { html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { contactLine, contactOf } from '../../parts/contact-line.ts';
import { sellingTerms } from '../../terms/selling-terms.ts';
import { TERMS, TEXTS } from './terms-texts.ts';

/** How many sections stand before those about orders. */
const AFTER_API = TERMS.findIndex(({ id }) => id === 'api') + 1;

/** The page of the terms. */
export function termsPage({ language, data }: PageRequest): Page {
  const { snapshot, publicUrl, selling } = data;
  const sections = [...TERMS.slice(0, AFTER_API), ...sellingTerms(selling), ...TERMS.slice(AFTER_API)];
  const { stationsWithPrice } = snapshot.counts;
  const description = TEXTS.description[language](counted(stationsWithPrice, STATIONS, language));
  return {
    language,
    route: 'terms',
    paths: ROUTES.terms,
    title: TEXTS.title[language](countedShort(stationsWithPrice, STATIONS, language)),
    description,
    breadcrumb: [countryLink(language)],
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'WebPage',
        name: TEXTS.heading[language],
        description,
        inLanguage: language,
        url: `${publicUrl}${ROUTES.terms[language]}`,
      },
    ],
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${(selling?.seller == null ? TEXTS.lead : TEXTS.leadWithOrders)[language]}</p>
<div class="text">
${sections.map(
  ({ id, title, items }, index) => html`<h2 id="${id}">${index + 1}. ${title[language]}</h2>
<ul>
${items.map((item) => html`<li>${inlineMarkup(item[language])}</li>\n`)}</ul>
`,
)}<h2 id="contact">${sections.length + 1}. ${TEXTS.contact[language]}</h2>
<p>${contactLine(contactOf(data), language)}</p>
</div>`,
  };
}
