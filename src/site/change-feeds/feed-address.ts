/** The addresses of the Atom feeds with the changes of a city or a station, and the link to them. */
import type { Language } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { PriceSubject } from '../embeds/price-subject.ts';
import { type Html, html } from '../html/html-template.ts';
import { text } from '../html/text.ts';

export type FeedPlace = Pick<PriceSubject, 'slug'> & { readonly kind: 'city' | 'station' };

const FILE = text('modificari.atom', 'changes.atom');
const PATTERN =
  /^(?:\/(?:(preturi-carburanti)|statie)\/([a-z0-9-]+)\/modificari|\/en\/(?:(fuel-prices)|station)\/([a-z0-9-]+)\/changes)\.atom$/;

export function feedPath({ kind, slug }: FeedPlace, language: Language): string {
  const page =
    kind === 'city' ? routePath('city', language, { city: slug }) : routePath('station', language, { station: slug });
  return `${page}/${FILE[language]}`;
}

/** The place and language that a path names; `null` = it is the address of no feed. */
export function feedAt(path: string): { readonly place: FeedPlace; readonly language: Language } | null {
  const found = PATTERN.exec(path);
  if (found === null) return null;
  const [, city, slug, englishCity, englishSlug = ''] = found;
  const kind = (city ?? englishCity) === undefined ? 'station' : 'city';
  return slug === undefined
    ? { place: { kind, slug: englishSlug }, language: 'en' }
    : { place: { kind, slug }, language: 'ro' };
}

/** The way there from the page of a place. */
export function feedLink(place: FeedPlace, language: Language): Html {
  return html`<p><a href="${feedPath(place, language)}">${LINK[language]}</a></p>`;
}

const LINK = text('Modificările de preț, ca flux (Atom)', 'Price changes as a feed (Atom)');
