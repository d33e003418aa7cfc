/** The HTML with which another site shows a widget, the element or a picture; each links to the page of the place. */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import type { SiteData } from '../frame/site-data.ts';
import { html } from '../html/html-template.ts';
import { text } from '../html/text.ts';
import { fuelName, fuelNameInText } from '../parts/fuel-words.ts';
import { BADGE_HEIGHT } from './badge-svg.ts';
import {
  ELEMENT_PATH,
  type EmbedRequest,
  embedPath,
  FUEL_NAME,
  THEME_NAME,
  THEME_WORD,
  type Theme,
} from './embed-address.ts';
import { type PriceSubject, pricedFuels } from './price-subject.ts';

/** What somebody chose to show. */
export type EmbedChoice = {
  readonly subject: PriceSubject;
  /** `null` = all. */
  readonly fuel: RoadFuel | null;
  readonly theme: Theme;
  readonly language: Language;
};

/** What the parts of a widget take at its usual width, px; a station has its address above and no second line below. */
const HEIGHT = { city: 146, country: 146, station: 152, row: 68, shortRow: 36 } as const;
/** Of a frame, px. */
export const WIDGET_WIDTH = 320;
/** Rows of one fuel: three stations, or three figures of the country. */
const ROWS_OF_ONE = 3;

/** How high the frame of a widget must be at its usual width, px; a wider one has room to spare. */
export function widgetHeight({ subject, fuel }: EmbedChoice): number {
  const { kind } = subject;
  if (kind === 'station')
    return HEIGHT.station + HEIGHT.shortRow * (fuel === null ? Math.max(1, pricedFuels(subject).length) : 1);
  return HEIGHT[kind] + HEIGHT.row * (fuel === null ? ROAD_FUELS.length : ROWS_OF_ONE);
}

/** The address of what was chosen, in a form. */
export function chosenPath(choice: EmbedChoice, form: EmbedRequest['form']): string {
  const { subject, fuel, theme, language } = choice;
  return embedPath({ form, language, place: subject, fuel, theme: form === 'widget' ? theme : pictureTheme(theme) });
}

/** A frame with the widget. */
export function frameSnippet(choice: EmbedChoice, { publicUrl }: SiteData): string {
  const url = publicUrl + chosenPath(choice, 'widget');
  return html`<iframe src="${url}" width="${WIDGET_WIDTH}" height="${widgetHeight(choice)}" style="border:1px solid #8884;border-radius:8px;max-width:100%" title="${titleOf(choice)}" loading="lazy"></iframe>`
    .text;
}

/** The element with a link in it, for readers without code and for search engines. */
export function elementSnippet(choice: EmbedChoice, { publicUrl }: SiteData): string {
  const { subject, fuel, theme, language } = choice;
  const attribute = (name: string, value: string | null) => (value === null ? null : html` ${name}="${value}"`);
  const place = { city: 'oras', station: 'statie', country: '' }[subject.kind];
  return html`<script type="module" src="${publicUrl}${ELEMENT_PATH}"></script>
<pompa-pret${attribute(place, place === '' ? null : subject.slug)}${attribute(FUEL_NAME, fuel && FUEL_SLUG.ro[fuel])}${attribute('limba', language === 'en' ? 'en' : null)}${attribute(THEME_NAME, theme === 'auto' ? null : THEME_WORD.ro[theme])}><a href="${publicUrl}${subject.pagePath(language, fuel)}">${titleOf(choice)}</a></pompa-pret>`
    .text;
}

/** A picture; one that follows the reader's system is two. */
export function pictureSnippet(choice: EmbedChoice, { publicUrl }: SiteData): string {
  const { subject, fuel, theme, language } = choice;
  const form = fuel === null ? 'card' : 'badge';
  const height = fuel === null ? null : html` height="${BADGE_HEIGHT}"`;
  const url = (chosen: Theme) => publicUrl + chosenPath({ ...choice, theme: chosen }, form);
  const about = [subject.name[language], ...(fuel === null ? [] : [fuelName(fuel, language)])].join(', ');
  const image = html`<img src="${url(theme)}"${height} alt="${about}">`;
  const shown =
    theme === 'auto'
      ? html`<picture><source media="(prefers-color-scheme: dark)" srcset="${url('dark')}">${image}</picture>`
      : image;
  return html`<a href="${publicUrl}${subject.pagePath(language, fuel)}">${shown}</a>`.text;
}

const pictureTheme = (theme: Theme): Theme => (theme === 'dark' ? 'dark' : 'light');

/** `Preț motorină, Cluj-Napoca`. */
function titleOf({ subject, fuel, language }: EmbedChoice): string {
  const name = subject.name[language];
  return fuel === null ? TITLE.all[language](name) : TITLE.one[language](fuelNameInText(fuel, language), name);
}

const TITLE = {
  all: text(
    (place: string) => `Prețul carburanților, ${place}`,
    (place: string) => `Fuel prices, ${place}`,
  ),
  one: text(
    (fuel: string, place: string) => `Preț ${fuel}, ${place}`,
    (fuel: string, place: string) => `Price of ${fuel}, ${place}`,
  ),
};
