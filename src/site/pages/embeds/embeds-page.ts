/** Prices for other sites: code to copy for a place and fuel, how it looks, and a sentence and table for the press. */
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import { badParameterWords } from '../../embeds/embed-response.ts';
import { CITY_NAME, embedsPath } from '../../embeds/embeds-link.ts';
import { pressSentence, pressTable } from '../../embeds/press.ts';
import {
  chosenPath,
  type EmbedChoice,
  elementSnippet,
  frameSnippet,
  pictureSnippet,
  WIDGET_WIDTH,
  widgetHeight,
} from '../../embeds/snippets.ts';
import type { Visitor } from '../../frame/journey-planner.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelName } from '../../parts/fuel-words.ts';
import { type EmbedsChoice, embedsChoice } from './embeds-choice.ts';
import { embedsForm, stationLinks } from './embeds-form.ts';
import { TEXTS } from './embeds-texts.ts';

/** The page; `oras` or `statie`, `carburant` and `tema` of the query are the choice. */
export function embedsPage({ language, query, visitor, data }: PageRequest): Page {
  const choice = embedsChoice(query, data);
  const { subject, problem } = choice;
  return {
    language,
    route: 'embeds',
    paths: { ro: embedsPath({ ...choice, place: subject }, 'ro'), en: embedsPath({ ...choice, place: subject }, 'en') },
    canonical: routePath('embeds', language),
    title: TEXTS.title[language],
    description: TEXTS.description[language],
    breadcrumb: [countryLink(language)],
    modules: ['copy-text', 'place-field'],
    framesOwnPages: true,
    ...(problem !== null && { status: 400 as const, isIndexed: false }),
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
${embedsForm(choice, data, language)}
${problem === null ? null : problemPart(choice, visitor, data, language)}${stationLinks(choice, data, language)}
${subject === null ? null : codes({ ...choice, subject, language }, data)}<h2 id="conditii">${TEXTS.terms[language]}</h2>
<ul>
${[TEXTS.licence[language], TEXTS.caching[language], TEXTS.limits[language], TEXTS.policy[language](data.publicUrl)].map((words) => html`<li>${inlineMarkup(words)}</li>\n`)}</ul>`,
  };
}

function problemPart(
  { problem, typed, fuel, theme }: EmbedsChoice,
  visitor: Visitor,
  { journeys }: SiteData,
  language: Language,
): Html {
  if (problem === 'station') return html`<p class="problem">${TEXTS.unknownStation[language]}</p>\n`;
  if (problem !== 'city' && problem !== null)
    return html`<p class="problem">${badParameterWords(problem, language)}</p>\n`;
  const labels = journeys.suggestPlaces(typed, visitor);
  const address = (label: string) => {
    const query = new URLSearchParams({ [CITY_NAME]: label });
    const rest = embedsPath({ place: null, fuel, theme }, language).split('?')[1];
    return `${ROUTES.embeds[language]}?${query}${rest === undefined ? '' : `&${rest}`}`;
  };
  const links = labels.map(
    (label, index) => html`${index === 0 ? null : ', '}<a href="${address(label)}">${label}</a>`,
  );
  return html`<p class="problem">${TEXTS.unknown[language](typed)}${labels.length === 0 ? null : html` ${TEXTS.meant[language]} ${links}.`}</p>
`;
}

/** What the style of the page puts above and below a frame. */
const PREVIEW_FRAME_PX = 28;

/** Everything there is to copy. */
function codes(choice: EmbedChoice, data: SiteData): Html {
  const { subject, language } = choice;
  const name = subject.name[language];
  const form = choice.fuel === null ? 'card' : 'badge';
  return html`<h2 id="cod">${TEXTS.resultOf[language](name)}</h2>
<h3>${TEXTS.frame[language]}</h3>
<p>${TEXTS.frameAbout[language]}</p>
<p><iframe src="${chosenPath(choice, 'widget')}" width="${WIDGET_WIDTH}" height="${widgetHeight(choice) + PREVIEW_FRAME_PX}" title="${name}" loading="lazy"></iframe></p>
${code('cod-cadru', TEXTS.frame[language], frameSnippet(choice, data), language)}
<h3>${TEXTS.element[language]}</h3>
<p>${TEXTS.elementAbout[language]}</p>
${code('cod-element', TEXTS.element[language], elementSnippet(choice, data), language)}
<h3>${TEXTS.picture[language]}</h3>
<p>${TEXTS.pictureAbout[language]}</p>
<p><img src="${chosenPath(choice, form)}" alt="${name}" loading="lazy"></p>
${code('cod-imagine', TEXTS.picture[language], pictureSnippet(choice, data), language)}
${press(choice, data)}<h2 id="date">${TEXTS.file[language]}</h2>
<p>${inlineMarkup(TEXTS.fileAbout[language](`${data.publicUrl}${chosenPath({ ...choice, language: 'ro' }, 'file')}`))}</p>
`;
}

/** The chosen fuel in a sentence, or each; and the table. */
function press({ subject, fuel, language }: EmbedChoice, data: SiteData): Html {
  const quotes = (fuel === null ? ROAD_FUELS : [fuel]).map((each) => {
    const sentence = pressSentence(subject, each, data, language);
    const id = `propozitie-${FUEL_SLUG.ro[each]}`;
    if (sentence === null) return null;
    return html`<blockquote id="${id}">${sentence}</blockquote>\n${copyButton(id, fuelName(each, language), language)}\n`;
  });
  const table = pressTable(subject, data, language);
  const hasPrice = quotes.some((quote) => quote !== null);
  return html`<h2 id="presa">${TEXTS.press[language]}</h2>
<p>${hasPrice ? TEXTS.pressAbout[language] : TEXTS.noPrice[language]}</p>
${quotes}${table === null ? null : tablePart(table, language)}`;
}

function tablePart(table: Html, language: Language): Html {
  return html`<div class="table">${table}</div>
<h3>${TEXTS.tableCode[language]}</h3>
${code('cod-tabel', TEXTS.tableCode[language], table.text, language)}
`;
}

/** A text to copy, with the button that `copy-text.ts` starts; without code it is selected by hand. */
function code(id: string, name: string, content: string, language: Language): Html {
  return html`<pre tabindex="0"><code id="${id}">${content}</code></pre>
${copyButton(id, name, language)}`;
}

function copyButton(id: string, name: string, language: Language): Html {
  return html`<p class="copy"><button type="button" class="action needs-code" data-copies="${id}" data-done="${TEXTS.copied[language]}" data-failed="${TEXTS.selected[language]}" aria-label="${TEXTS.copy[language]}: ${name}">${TEXTS.copy[language]}</button> <span role="status"></span></p>`;
}
