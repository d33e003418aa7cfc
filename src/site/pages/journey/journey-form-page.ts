/** The page that asks for a journey, and says what is wrong with one that cannot be planned. */
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { Locality } from '../../../domain/places/locality.ts';
import type { Page, Redirect } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, countedShort, STATIONS } from '../../html/counted.ts';
import { type Html, html } from '../../html/html-template.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { choicesOf, choicesQuery, type JourneyChoices, QUERY_NAMES } from './journey-choices.ts';
import { largestTowns } from './journey-data.ts';
import { journeyForm } from './journey-form.ts';
import { TEXTS } from './journey-texts.ts';

/** Longer texts name no place. */
const MAX_PLACE_CHARACTERS = 80;

/** The form; with both places it leads to their journey. */
export function journeyPage(request: PageRequest): Page | Redirect {
  const { language, query, data, visitor } = request;
  const [from, to] = [QUERY_NAMES.from, QUERY_NAMES.to].map((name) => placeText(query.get(name))) as [string, string];
  const choices = choicesOf(query);
  const form = { from, to, choices };
  if (from === '' || to === '') return formPage(request, form, null);
  const [start, end] = [from, to].map((text) => data.journeys.findPlace(text));
  const unknown = start === undefined ? from : to;
  if (start === undefined || end === undefined)
    return formPage(
      request,
      form,
      unknownPlace(unknown, start === undefined ? 'from' : 'to', {
        form,
        language,
        labels: data.journeys.suggestPlaces(unknown, visitor),
      }),
    );
  if (start === end) return formPage(request, form, html`${TEXTS.samePlace[language](start.name)}`);
  return { redirect: journeyPath(start, end, choices, language) };
}

/** The address of a journey with its choices. */
export function journeyPath(
  from: Pick<Locality, 'slug'>,
  to: Pick<Locality, 'slug'>,
  choices: JourneyChoices,
  language: Language,
): string {
  return `${routePath('journeyBetween', language, { from: from.slug, to: to.slug })}${choicesQuery(choices, language)}`;
}

type FormFields = { readonly from: string; readonly to: string; readonly choices: JourneyChoices };

/** The form, with what is wrong if anything is. */
export function formPage({ language, data, query }: PageRequest, form: FormFields, problem: Html | null): Page {
  const { snapshot } = data;
  const stations = snapshot.counts.stationsWithPrice;
  return {
    language,
    route: 'journey',
    paths: formPaths(query),
    canonical: routePath('journey', language),
    title: TEXTS.formTitle[language](countedShort(stations, STATIONS, language)),
    description: TEXTS.formDescription[language](counted(stations, STATIONS, language)),
    breadcrumb: [countryLink(language)],
    modules: ['place-field'],
    ...(problem !== null && { status: 400 }),
    content: html`<h1>${TEXTS.formHeading[language]}</h1>
<p class="lead">${TEXTS.formLead[language]}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>\n`}${journeyForm({ language, data, ...form })}
<p><a href="${routePath('motorways', language)}">${TEXTS.motorways[language]}</a></p>
<h2>${TEXTS.largest[language]}</h2>
${largestJourneys(data, language)}`,
  };
}

/** The form in each language keeps what was typed. */
function formPaths(query: URLSearchParams): LocalizedText {
  const [from, to] = [query.get(QUERY_NAMES.from), query.get(QUERY_NAMES.to)];
  const path = (language: Language) => {
    const kept = new URLSearchParams(choicesQuery(choicesOf(query), language));
    if (from !== null) kept.set(QUERY_NAMES.from, placeText(from));
    if (to !== null) kept.set(QUERY_NAMES.to, placeText(to));
    return `${routePath('journey', language)}${kept.size === 0 ? '' : `?${kept}`}`;
  };
  return { ro: path('ro'), en: path('en') };
}

type Suggested = { readonly form: FormFields; readonly language: Language; readonly labels: readonly string[] };

function unknownPlace(place: string, field: 'from' | 'to', { form, language, labels }: Suggested): Html {
  const said = TEXTS.unknownPlace[language](place);
  if (labels.length === 0) return html`${said}`;
  const links = labels.map((label, index) => {
    const query = new URLSearchParams(choicesQuery(form.choices, language));
    for (const name of ['from', 'to'] as const) query.set(QUERY_NAMES[name], name === field ? label : form[name]);
    return html`${index === 0 ? '' : '; '}<a href="${routePath('journey', language)}?${String(query)}">${label}</a>`;
  });
  return html`${said} ${TEXTS.suggestions[language]} ${links}?`;
}

/** The journeys from the largest town to each of the others. */
function largestJourneys({ gazetteer }: SiteData, language: Language): Html {
  const [capital, ...others] = largestTowns(gazetteer);
  if (capital === undefined) return html``;
  return journeysFrom(capital, others, language);
}

/** Links to the journeys from one place to others. */
export function journeysFrom(from: Locality, others: readonly Locality[], language: Language): Html {
  return html`<ul class="columns">
${others.map((to) => html`<li><a href="${routePath('journeyBetween', language, { from: from.slug, to: to.slug })}">${from.name} – ${to.name}</a></li>\n`)}</ul>`;
}

function placeText(text: string | null): string {
  return (text ?? '').trim().slice(0, MAX_PLACE_CHARACTERS);
}
