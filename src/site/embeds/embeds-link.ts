/** The address of the page on which one chooses what to show elsewhere, with the choice in its query. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { type Html, html } from '../html/html-template.ts';
import { text } from '../html/text.ts';
import { FUEL_NAME, THEME_NAME, THEME_WORD, type Theme } from './embed-address.ts';
import type { PlaceName } from './price-subject.ts';

export const CITY_NAME = 'oras';
export const STATION_NAME = 'statie';

export type ShownChoice = {
  /** `null` = what was asked for is not known. */
  readonly place: PlaceName | null;
  readonly fuel: RoadFuel | null;
  readonly theme: Theme;
};

/** The address of the page with a choice. */
export function embedsPath({ place, fuel, theme }: ShownChoice, language: Language): string {
  const query = new URLSearchParams();
  if (place?.kind === 'city') query.set(CITY_NAME, place.slug);
  if (place?.kind === 'station') query.set(STATION_NAME, place.slug);
  if (fuel !== null) query.set(FUEL_NAME, FUEL_SLUG[language][fuel]);
  if (theme !== 'auto') query.set(THEME_NAME, THEME_WORD[language][theme]);
  return `${routePath('embeds', language)}${query.size === 0 ? '' : `?${query}`}`;
}

/** The way there from the page of a place. */
export function embedsLink(place: PlaceName, language: Language): Html {
  return html`<p><a href="${embedsPath({ place, fuel: null, theme: 'auto' }, language)}" rel="nofollow">${LINK[language]}</a></p>`;
}

const LINK = text('Puneți aceste prețuri pe site-ul dvs.', 'Show these prices on your site');
