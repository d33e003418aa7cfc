/** The pages that other sites show in a frame: HTML with a style of its own, without code, cookies or other files. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { SiteData } from '../frame/site-data.ts';
import { formatBucharestTime, formatRon } from '../html/formats.ts';
import { Html, html } from '../html/html-template.ts';
import { readStyle, styleSource } from '../html/style.ts';
import { text } from '../html/text.ts';
import { fuelName } from '../parts/fuel-words.ts';
import type { EmbedRequest, Theme } from './embed-address.ts';
import type { PriceSubject } from './price-subject.ts';
import { type WidgetRow, widgetRows } from './widget-rows.ts';

const CSS = readStyle('embeds/widget.css');
const STYLE = new Html(`<style>${CSS}</style>`);

/** Any site may frame it; nothing runs or loads in it. */
export const WIDGET_POLICY = `default-src 'none'; style-src ${styleSource(CSS)}; base-uri 'none'; form-action 'none'; frame-ancestors *`;

/** The widget of a place that exists. */
export function widgetDocument(subject: PriceSubject, request: EmbedRequest, data: SiteData): Html {
  const { language, fuel, theme } = request;
  const page = `${data.publicUrl}${subject.pagePath(language, fuel)}`;
  const heading = headingOf(subject, fuel, language);
  const rows = widgetRows(subject, fuel, data, language);
  const list = html`<ul>\n${rows.map((row) => rowItem(row, language))}</ul>`;
  return frameDocument(
    { language, theme, title: `${heading} · ${SERVICE_NAME}`, canonical: page },
    html`<main>
<h1>${outsideLink(page, heading)}</h1>
<p>${aboutOf(subject, fuel, language)}</p>
${rows.length === 0 ? html`<ul><li>${TEXTS.none[language]}</li></ul>` : list}
</main>
${footer(page, data, language)}`,
  );
}

export type WidgetNotice = {
  readonly language: Language;
  readonly theme: Theme;
  readonly heading: string;
  readonly words: string;
  /** Where to go on; an address of the site, or a path of it. */
  readonly link: { readonly url: string; readonly name: string };
};

/** The same small form for what is not there, not understood or refused. */
export function widgetNotice({ language, theme, heading, words, link }: WidgetNotice): Html {
  return frameDocument(
    { language, theme, title: `${heading} · ${SERVICE_NAME}`, canonical: null },
    html`<main>
<h1>${heading}</h1>
<p>${words}</p>
</main>
<footer>${outsideLink(link.url, link.name)}</footer>`,
  );
}

type Frame = {
  readonly language: Language;
  readonly theme: Theme;
  readonly title: string;
  readonly canonical: string | null;
};

/** Search engines show the page of the site instead. */
function frameDocument({ language, theme, title, canonical }: Frame, content: Html): Html {
  return html`<!doctype html>
<html lang="${language}" class="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${canonical === null ? null : html`<link rel="canonical" href="${canonical}">\n`}${STYLE}
</head>
<body>
${content}
</body>
</html>
`;
}

/** A link that leaves the frame, and tells the page behind it nothing of this window. */
function outsideLink(url: string, name: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener">${name}</a>`;
}

function headingOf({ kind, name, station }: PriceSubject, fuel: RoadFuel | null, language: Language): string {
  if (station !== null) return station.network;
  const place = name[language];
  if (fuel !== null) return TEXTS.fuelIn[language](fuelName(fuel, language), place);
  return kind === 'country' ? TEXTS.fuelsIn[language](place) : place;
}

function aboutOf({ kind, station }: PriceSubject, fuel: RoadFuel | null, language: Language): string {
  if (station !== null) return station.address;
  if (kind === 'country') return TEXTS.means[language];
  return fuel === null ? TEXTS.lowest[language] : TEXTS.cheapest[language];
}

function rowItem({ name, age, note, price }: WidgetRow, language: Language): Html {
  const amount =
    price === null
      ? html`<strong class="none">${TEXTS.none[language]}</strong>`
      : html`<strong>${formatRon(price, language)} <i>lei/l</i></strong>`;
  return html`<li><span>${name}${age === '' ? null : html` <small>· ${age}</small>`}</span>${amount}${note === '' ? null : html`<small class="note">${note}</small>`}</li>\n`;
}

function footer(page: string, { snapshot, simulated }: SiteData, language: Language): Html {
  const { updatedAt } = snapshot;
  const updated =
    updatedAt === null
      ? null
      : html` · <time datetime="${new Date(updatedAt).toISOString()}">${formatBucharestTime(updatedAt, language)}</time>`;
  return html`<footer>${simulated ? html`<b>${TEXTS.simulated[language]}</b> · ` : null}${TEXTS.source[language]} ${outsideLink(page, SERVICE_NAME)} (${LICENCE.name})${updated}</footer>`;
}

const TEXTS = {
  fuelIn: text(
    (fuel: string, place: string) => `${fuel}, ${place}`,
    (fuel: string, place: string) => `${fuel}, ${place}`,
  ),
  fuelsIn: text(
    (place: string) => `Carburanți în ${place}`,
    (place: string) => `Fuel in ${place}`,
  ),
  lowest: text('Cele mai mici prețuri', 'Lowest prices'),
  cheapest: text('Cele mai ieftine benzinării', 'Cheapest stations'),
  means: text('Prețuri medii pe țară', 'Average prices of the country'),
  none: text('fără preț sigur', 'no reliable price'),
  simulated: text('Date simulate', 'Simulated data'),
  source: text('Sursa:', 'Source:'),
};
