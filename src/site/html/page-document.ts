/** The frame that every page has around its content. */
import { DATA_CREDIT, LICENCE, PAGES, SERVICE_NAME } from '../../domain/access/plans.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

/** What a page is rendered from. */
export type PageInput = { readonly publicUrl: string; readonly simulated: boolean; readonly snapshot: Snapshot };

export type PageContent = {
  readonly page: keyof typeof PAGES;
  readonly language: Language;
  readonly title: string;
  readonly description: string;
  readonly content: Html;
};

/** The whole document. */
export function pageDocument(
  { page, language, title, description, content }: PageContent,
  { publicUrl, simulated }: Pick<PageInput, 'publicUrl' | 'simulated'>,
): Html {
  const translations = Object.entries(PAGES[page]) as [Language, string][];
  const canonicalPath = translations.find(([each]) => each === language)?.[1];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${simulated ? html`<meta name="robots" content="noindex">` : null}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="canonical" href="${publicUrl}${canonicalPath}">
${translations.length > 1 ? translations.map(([each, path]) => html`<link rel="alternate" hreflang="${each}" href="${publicUrl}${path}">\n`) : null}${STYLE}
</head>
<body>
<a class="skip" href="#continut">${FRAME_TEXTS.skip[language]}</a>
${simulated ? banner(language) : null}
<header class="top"><div class="wrap">
<a class="brand" href="/"><img src="/favicon.svg" width="28" height="28" alt="">${SERVICE_NAME}</a>
<nav aria-label="${FRAME_TEXTS.navigation[language]}"><ul>
${NAVIGATION.map((link) => navigationItem(link, page, language))}${otherLanguageItem(page, language)}</ul></nav>
</div></header>
<main id="continut" class="wrap">
${content}
</main>
<footer class="foot"><div class="wrap">
<p>${FRAME_TEXTS.licence[language]} <a href="${LICENCE.url}" rel="license">${LICENCE.name}</a>. ${FRAME_TEXTS.attribution[language]}</p>
<p>${DATA_CREDIT}. ${FRAME_TEXTS.polygons[language]}</p>
</div></footer>
</body>
</html>
`;
}

const FRAME_TEXTS = {
  skip: { ro: 'Sari la conținut', en: 'Skip to content' },
  navigation: { ro: 'Pagini', en: 'Pages' },
  licence: { ro: 'Date publicate sub licența', en: 'Data published under' },
  attribution: {
    ro: `La reutilizare se menționează sursa: ${SERVICE_NAME}.`,
    en: `Reuse must credit the source: ${SERVICE_NAME}.`,
  },
  polygons: {
    ro: 'Granițele județelor: Natural Earth (domeniu public).',
    en: 'County borders: Natural Earth (public domain).',
  },
} as const satisfies Record<string, LocalizedText>;

const SIMULATED: Record<Language, Html> = {
  ro: html`<strong>Date simulate.</strong> Toate prețurile și stațiile sunt inventate pentru demonstrație; nu sunt prețuri reale.`,
  en: html`<strong>Simulated data.</strong> All prices and stations are made up for demonstration; these are not real prices.`,
};

function banner(language: Language): Html {
  return html`<p class="banner" role="note">${SIMULATED[language]}</p>`;
}

type NavigationLink = { readonly page: keyof typeof PAGES; readonly name: LocalizedText };

const NAVIGATION: readonly NavigationLink[] = [
  { page: 'home', name: { ro: 'Prețuri', en: 'Prices (Romanian)' } },
  { page: 'docs', name: { ro: 'Documentație', en: 'Documentation' } },
  { page: 'plans', name: { ro: 'Planuri', en: 'Plans' } },
];

function navigationItem({ page, name }: NavigationLink, current: keyof typeof PAGES, language: Language): Html {
  const paths: { ro: string; en?: string } = PAGES[page];
  const target = paths[language] ?? paths.ro;
  return html`<li><a href="${target}"${page === current ? html` aria-current="page"` : null}>${name[language]}</a></li>\n`;
}

function otherLanguageItem(page: keyof typeof PAGES, language: Language): Html | null {
  const other = language === 'ro' ? 'en' : 'ro';
  const paths: { ro: string; en?: string } = PAGES[page];
  const target = paths[other];
  if (target === undefined) return null;
  const name = { ro: 'Română', en: 'English' }[other];
  return html`<li><a href="${target}" lang="${other}" hreflang="${other}" rel="alternate">${name}</a></li>\n`;
}
