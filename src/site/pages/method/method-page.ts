/** Where prices come from, how they are judged, and what each flag means, with the numbers of the rules. */
import { FUEL_NAME, FUELS } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import { PRICE_TRUST_ORDER } from '../../../domain/reports/source-kind.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, countedShort, STATIONS } from '../../html/counted.ts';
import { durationInWords } from '../../html/duration.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { text } from '../../html/text.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { type Flag, PRICE_FLAGS, STATION_FLAGS } from './flags.ts';
import { METHOD_SECTIONS, PRECEDENCE } from './method-sections.ts';
import { SOURCE_KINDS } from './source-kinds.ts';

/** The page of the method. */
export function methodPage({ language, data }: PageRequest): Page {
  const { counts } = data.snapshot;
  const description = TEXTS.description[language](counted(counts.stationsWithPrice, STATIONS, language));
  return {
    language,
    route: 'method',
    paths: ROUTES.method,
    title: TEXTS.title[language](countedShort(counts.stationsWithPrice, STATIONS, language)),
    description,
    breadcrumb: [countryLink(language)],
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'TechArticle',
        headline: TEXTS.heading[language],
        description,
        inLanguage: language,
        url: `${data.publicUrl}${ROUTES.method[language]}`,
      },
    ],
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
<h2 id="surse">${TEXTS.sources[language]}</h2>
${collecting(data, language)}
${sourcesTable(language)}
${paragraphs(PRECEDENCE, language)}
${rulesNote([25], language)}
<h2 id="stari">${TEXTS.flags[language]}</h2>
<p>${TEXTS.flagsAbout[language]}</p>
${flagsList(PRICE_FLAGS, language)}
<h3>${TEXTS.stationFlags[language]}</h3>
${flagsList(STATION_FLAGS, language)}
<h2 id="intervale">${TEXTS.ranges[language]}</h2>
<p>${TEXTS.rangesAbout[language]}</p>
${rangesTable(data, language)}
${rulesNote([24], language)}
${METHOD_SECTIONS.map(
  ({ id, title, paragraphs: texts, rules }) => html`<h2 id="${id}">${title[language]}</h2>
${paragraphs(texts, language)}
${rulesNote(rules, language)}
`,
)}<p><a href="${routePath('status', language)}">${TEXTS.status[language]}</a> · <a href="${routePath('data', language)}">${TEXTS.data[language]}</a></p>`,
  };
}

function collecting({ collectEveryMs }: SiteData, language: Language): Html {
  const every = collectEveryMs === null ? null : durationInWords(collectEveryMs, language);
  return html`<p>${TEXTS.collecting[language](every)}</p>`;
}

function sourcesTable(language: Language): Html {
  const [rank, source, about, time] = TEXTS.sourceColumns[language];
  return html`<div class="table"><table class="stacked">
<thead><tr><th scope="col">${rank}</th><th scope="col">${source}</th><th scope="col">${about}</th><th scope="col">${time}</th></tr></thead>
<tbody>
${PRICE_TRUST_ORDER.map((kind, index) => {
  const words = SOURCE_KINDS[kind];
  return html`<tr><td data-column="${rank}">${index + 1}</td><th scope="row">${words.name[language]}</th><td>${words.about[language]}</td><td data-column="${time}">${words.time[language]}</td></tr>\n`;
})}</tbody>
</table></div>`;
}

function flagsList(flags: readonly Flag[], language: Language): Html {
  return html`<dl class="named">
${flags.map(({ code, name, meaning, rules }) => html`<div><dt>${name[language]} <span class="type"><code>${code}</code></span></dt><dd>${inlineMarkup(meaning[language])}${rules.length === 0 ? null : html` <span class="soft">${ruleWords(rules, language)}.</span>`}</dd></div>\n`)}</dl>`;
}

function rangesTable({ ranges }: SiteData, language: Language): Html {
  const [fuel, from, to] = TEXTS.rangeColumns[language];
  return html`<div class="table"><table>
<thead><tr><th scope="col">${fuel}</th><th scope="col" class="num">${from}</th><th scope="col" class="num">${to}</th></tr></thead>
<tbody>
${FUELS.map((each) => html`<tr><th scope="row">${FUEL_NAME[each][language]}</th><td class="num">${formatRon(ranges[each].min, language)}</td><td class="num">${formatRon(ranges[each].max, language)}</td></tr>\n`)}</tbody>
</table></div>`;
}

function paragraphs(texts: readonly LocalizedText[], language: Language): Html[] {
  return texts.map((text) => html`<p>${inlineMarkup(text[language])}</p>\n`);
}

function rulesNote(rules: readonly number[], language: Language): Html {
  return html`<p class="soft">${ruleWords(rules, language)} (<code>docs/RULES.md</code>).</p>`;
}

/** `Regula 26`, `Regulile 20, 30 și 31`. */
function ruleWords(rules: readonly number[], language: Language): string {
  const [one, many] = TEXTS.rule[language];
  const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(rules.map(String));
  return `${rules.length === 1 ? one : many} ${list}`;
}

const TEXTS = {
  heading: text('Metodologie', 'Method'),
  title: text(
    (stations: string) => `Metodologie: cum se verifică prețurile din ${stations}`,
    (stations: string) => `Method: how the fuel prices of ${stations} are checked`,
  ),
  description: text(
    (stations: string) =>
      `De unde vin prețurile din ${stations}, ce sursă are întâietate, când un preț este nesigur sau retras și cum se calculează mediile.`,
    (stations: string) =>
      `Where the prices of ${stations} come from, which source takes precedence, when a price is doubtful or withdrawn, and how averages are made.`,
  ),
  lead: text(
    'De unde vine fiecare preț, cine are întâietate când sursele se contrazic și de ce unele prețuri sunt arătate în gri. Numerele de pe această pagină sunt chiar cele pe care le folosește programul.',
    'Where every price comes from, which source takes precedence when they disagree, and why some prices are greyed. The numbers on this page are those that the program itself uses.',
  ),
  sources: text('Sursele și ordinea lor', 'The sources and their order'),
  collecting: text(
    (every: string | null) =>
      every === null
        ? 'Fiecare sursă este citită de mai multe ori pe zi. Care sunt acum în serviciu scrie pe pagina de stare.'
        : `Fiecare sursă este citită o dată la ${every}. Care sunt acum în serviciu scrie pe pagina de stare.`,
    (every: string | null) =>
      every === null
        ? 'Each source is read several times a day. The status page says which are in service now.'
        : `Each source is read once every ${every}. The status page says which are in service now.`,
  ),
  sourceColumns: text(
    ['Ordine', 'Sursă', 'Ce este', 'Data prețului'] as const,
    ['Order', 'Source', 'What it is', 'Time of the price'] as const,
  ),
  flags: text('Ce se poate spune despre un preț', 'What can be said about a price'),
  flagsAbout: text(
    'Un preț fără nicio mențiune este de încredere. Toate celelalte cazuri, cu numele lor din API:',
    'A price without any flag is trusted. All other cases, with their names in the API:',
  ),
  stationFlags: text('Despre stație', 'About the station'),
  ranges: text('Prețuri valide', 'Valid prices'),
  rangesAbout: text(
    'Un preț în afara acestor intervale este o greșeală a sursei și nu se arată. Lei pe litru, capetele incluse.',
    'A price outside these ranges is a mistake of its source and is not shown. Lei per litre, ends included.',
  ),
  rangeColumns: text(['Carburant', 'De la', 'Până la'] as const, ['Fuel', 'From', 'To'] as const),
  rule: text(['Regula', 'Regulile'] as const, ['Rule', 'Rules'] as const),
  status: text('Starea datelor acum', 'The state of the data now'),
  data: text('Datele, pentru oricine', 'The data, for anybody'),
};
