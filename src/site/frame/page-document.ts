/** The frame that every page has around its content: head, navigation, breadcrumb, footer, and its security policy. */

import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import type { BrowserFiles } from '../assets/browser-files.ts';
import { Html, html } from '../html/html-template.ts';
import { PAGE_STYLE, PAGE_STYLE_SOURCE } from '../html/style.ts';
import { TOUCH_ICON } from '../pictures/icons.ts';
import { PREVIEW_HEIGHT, PREVIEW_WIDTH, type PreviewReference } from '../previews/link-preview.ts';
import { type NavigationLink, navigationItem } from './navigation.ts';
import type { Link, Page } from './page.ts';
import { pageFooter } from './page-footer.ts';
import { searchForm } from './search-form.ts';
import type { SiteData } from './site-data.ts';

type FrameInput = Pick<SiteData, 'publicUrl' | 'simulated' | 'snapshot' | 'selling'> & {
  readonly browserFiles: BrowserFiles;
  /** What is shown of the page where somebody shares it. */
  readonly preview: PreviewReference;
};

/** The whole document. */
export function pageDocument(page: Page, input: FrameInput): Html {
  const { publicUrl, simulated, snapshot, selling, browserFiles, preview } = input;
  const { language, paths, title, description, content, breadcrumb = [], modules = [] } = page;
  const isIndexed = !simulated && page.isIndexed !== false && (page.status ?? 200) === 200;
  const canonical = `${publicUrl}${page.canonical ?? paths[language]}`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${isIndexed ? null : html`<meta name="robots" content="noindex">\n`}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${TOUCH_ICON.path}">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="canonical" href="${canonical}">
${alternates(paths, publicUrl)}${page.feed === undefined ? null : html`<link rel="alternate" type="application/atom+xml" href="${page.feed}">\n`}<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${canonical}">
<meta property="og:site_name" content="${SERVICE_NAME}">
<meta property="og:locale" content="${LOCALE[language]}">
<meta property="og:image" content="${publicUrl}${preview.path}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PREVIEW_WIDTH}">
<meta property="og:image:height" content="${PREVIEW_HEIGHT}">
<meta property="og:image:alt" content="${preview.description}">
<meta name="twitter:card" content="summary_large_image">
<meta name="theme-color" content="#0b5d4b" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#121615" media="(prefers-color-scheme: dark)">
${loadsMapLibrary(page) ? mapLibrary(browserFiles) : null}${modules.map((name) => html`<script type="module" src="${browserFiles.pathOf(`${name}.ts`)}"></script>\n`)}${preloads(modules, browserFiles)}${styleOf(page, browserFiles)}${structuredData(page, publicUrl)}</head>
<body>
<a class="skip" href="#continut">${FRAME_TEXTS.skip[language]}</a>
${simulated ? html`<aside class="banner" aria-label="${FRAME_TEXTS.notice[language]}">${SIMULATED[language]}</aside>` : null}
<header class="top"><div class="wrap">
<a class="brand" href="${routePath('home', language)}"><img src="/favicon.svg" width="28" height="28" alt="">${SERVICE_NAME}</a>
${page.hasSearchForm === true ? null : html`${searchForm({ language, isCompact: true })}\n`}<nav aria-label="${FRAME_TEXTS.navigation[language]}"><ul>
${NAVIGATION.map((link) => navigationItem(link, page))}${otherLanguageItem(page)}</ul></nav>
</div></header>
<main id="continut" class="wrap">
${breadcrumbNavigation(breadcrumb, language)}${content}
</main>
${pageFooter(page, { snapshot, selling })}</body>
</html>
`;
}

/** What the modules import: without a hint the browser learns of it only from each of them. */
function preloads(modules: readonly string[], browserFiles: BrowserFiles): Html[] {
  const imported = browserFiles.importedBy(modules.map((name) => `${name}.ts`));
  return imported.map((name) => html`<link rel="modulepreload" href="${browserFiles.pathOf(name)}">\n`);
}

type PolicyInput = Pick<
  Page,
  'modules' | 'imageOrigins' | 'admitsRecaptcha' | 'containsStyle' | 'formOrigins' | 'framesOwnPages'
>;

/** As Open Graph writes languages. */
const LOCALE: Readonly<Record<Language, string>> = { ro: 'ro_RO', en: 'en_GB' };

/**
 * The security policy of a page: only what it declares may load. Only a captcha and map tiles come from another host.
 */
export function contentSecurityPolicy(page: PolicyInput): string {
  const { modules = [], imageOrigins = [], admitsRecaptcha = false, containsStyle = false, formOrigins = [] } = page;
  const isLive = loadsMapLibrary(page);
  const captcha = (...hosts: string[]) =>
    admitsRecaptcha ? hosts.map((host) => ` https://${host}/recaptcha/`).join('') : '';
  const scripts =
    modules.length === 0
      ? []
      : [`script-src 'self'${captcha('www.google.com', 'www.gstatic.com')}`, "worker-src 'self'"];
  // Leaflet writes markup as text, which trusted types forbid, and places its panes by styles of elements. A script of
  // another host is loaded by an address that is a text.
  const trusted = modules.length > 0 && !isLive && !admitsRecaptcha ? ["require-trusted-types-for 'script'"] : [];
  return [
    "default-src 'none'",
    ...scripts,
    `style-src ${containsStyle ? PAGE_STYLE_SOURCE : "'self'"}`,
    ["img-src 'self' data:", ...imageOrigins].join(' '),
    // Auditing tools fetch robots.txt from inside the page.
    `connect-src 'self'${captcha('www.google.com')}`,
    ...(admitsRecaptcha ? [`frame-src${captcha('www.google.com')}`] : []),
    ...(page.framesOwnPages === true ? ["frame-src 'self'"] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    ["form-action 'self'", ...formOrigins].join(' '),
    "frame-ancestors 'none'",
    ...trusted,
  ].join('; ');
}

function loadsMapLibrary({ modules = [] }: Pick<Page, 'modules'>): boolean {
  return modules.includes('map');
}

/**
 * One sheet for all pages, which a browser loads once; after that of the map library, some of whose rules it replaces.
 */
function styleOf({ containsStyle = false }: Page, browserFiles: BrowserFiles): Html {
  return containsStyle
    ? html`${PAGE_STYLE}\n`
    : html`<link rel="stylesheet" href="${browserFiles.pathOf('style.css')}">\n`;
}

/** Deferred, as modules are: both run in this order once the page is read. */
function mapLibrary(browserFiles: BrowserFiles): Html {
  return html`<link rel="stylesheet" href="${browserFiles.pathOf('leaflet.css')}">
<script defer src="${browserFiles.pathOf('leaflet.js')}"></script>
`;
}

const FRAME_TEXTS = {
  skip: { ro: 'Sari la conținut', en: 'Skip to content' },
  notice: { ro: 'Date simulate', en: 'Simulated data' },
  navigation: { ro: 'Pagini', en: 'Pages' },
  path: { ro: 'Unde sunteți', en: 'You are here' },
} as const satisfies Record<string, LocalizedText>;

const SIMULATED: Record<Language, Html> = {
  ro: html`<strong>Date simulate.</strong> Toate prețurile și stațiile sunt inventate pentru demonstrație; nu sunt prețuri reale.`,
  en: html`<strong>Simulated data.</strong> All prices and stations are made up for demonstration; these are not real prices.`,
};

const NAVIGATION: readonly NavigationLink[] = [
  { route: 'home', name: { ro: 'Prețuri', en: 'Prices' } },
  { route: 'today', name: { ro: 'Azi', en: 'Today' } },
  { route: 'map', name: { ro: 'Hartă', en: 'Map' } },
  { route: 'statistics', name: { ro: 'Istoric', en: 'History' } },
  { route: 'journey', name: { ro: 'Pe drum', en: 'On the way' } },
  { route: 'docs', name: { ro: 'API', en: 'API' } },
];

function otherLanguageItem({ paths, language }: Page): Html {
  const other = language === 'ro' ? 'en' : 'ro';
  const name = { ro: 'Română', en: 'English' }[other];
  return html`<li><a href="${paths[other]}" lang="${other}" hreflang="${other}" rel="alternate">${name}</a></li>\n`;
}

function alternates(paths: LocalizedText, publicUrl: string): Html[] {
  const languages = [...(['ro', 'en'] as const).map((each) => [each, paths[each]]), ['x-default', paths.ro]];
  return languages.map(([each, path]) => html`<link rel="alternate" hreflang="${each}" href="${publicUrl}${path}">\n`);
}

function breadcrumbNavigation(links: readonly Link[], language: Language): Html | null {
  if (links.length === 0) return null;
  const items = links.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>`);
  return html`<nav class="path" aria-label="${FRAME_TEXTS.path[language]}"><ol>${items}</ol></nav>\n`;
}

/** JSON-LD blocks; the breadcrumb is one of them. */
function structuredData({ breadcrumb = [], structuredData = [] }: Page, publicUrl: string): Html[] {
  const trail = breadcrumb.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${publicUrl}${path}`,
  }));
  const blocks = trail.length === 0 ? structuredData : [...structuredData, breadcrumbList(trail)];
  // `<` could end the element; everything else is inside JSON's quotes.
  return blocks.map(
    (block) =>
      new Html(
        `<script type="application/ld+json">${JSON.stringify(block).replaceAll('<', String.raw`\u003c`)}</script>\n`,
      ),
  );
}

function breadcrumbList(trail: readonly object[]): object {
  return { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement: trail };
}
