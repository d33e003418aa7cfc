/** What a visitor chose to show elsewhere: kept in the query, so that an address can be shared. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { foldName } from '../../../domain/places/place-names.ts';
import {
  type BadParameter,
  type EmbedRequest,
  embedAddressAt,
  embedPath,
  FUEL_NAME,
  THEME_NAME,
  THEME_WORD,
  type Theme,
} from '../../embeds/embed-address.ts';
import { type PriceSubject, priceSubject } from '../../embeds/price-subject.ts';
import type { SiteData } from '../../frame/site-data.ts';

export const CITY_NAME = 'oras';
export const STATION_NAME = 'statie';
/** What the page reads of a query. */
export const EMBEDS_QUERY: readonly string[] = [CITY_NAME, STATION_NAME, FUEL_NAME, THEME_NAME];

/** Longer texts name no place. */
export const MAX_PLACE_CHARACTERS = 80;

export type EmbedsChoice = {
  /** As the field of the town shows it. */
  readonly typed: string;
  readonly fuel: RoadFuel | null;
  readonly theme: Theme;
  /** `null` = what was asked for is not known; `problem` tells why. */
  readonly subject: PriceSubject | null;
  readonly problem: BadParameter | 'city' | 'station' | null;
};

const NAMES_OF_THE_COUNTRY = ['', 'romania'];

/** Reads a town by its name or slug, or a station by its slug; without either, the country. */
export function embedsChoice(query: URLSearchParams, data: SiteData): EmbedsChoice {
  const address = embedAddressAt(embedPath(COUNTRY_REQUEST), query);
  const { fuel = null, theme = 'auto' } = address?.request ?? {};
  const typed = (query.get(CITY_NAME) ?? '').trim().slice(0, MAX_PLACE_CHARACTERS);
  const station = query.get(STATION_NAME) ?? '';
  const base = { typed, fuel, theme };
  if (address?.badParameter) return { ...base, subject: null, problem: address.badParameter };
  const subject = station === '' ? townOf(typed, data) : priceSubject({ kind: 'station', slug: station }, data);
  if (subject === undefined) return { ...base, subject: null, problem: station === '' ? 'city' : 'station' };
  return { ...base, typed: subject.kind === 'city' ? subject.name.ro : '', subject, problem: null };
}

/** Reads the same of a query as every widget does. */
const COUNTRY_REQUEST: EmbedRequest = {
  form: 'widget',
  language: 'ro',
  place: { kind: 'country', slug: '' },
  fuel: null,
  theme: 'auto',
};

function townOf(typed: string, data: SiteData): PriceSubject | undefined {
  if (NAMES_OF_THE_COUNTRY.includes(foldName(typed))) return priceSubject({ kind: 'country', slug: '' }, data);
  const place = data.gazetteer.localityBySlug(typed) ?? data.journeys.findPlace(typed);
  return place && priceSubject({ kind: 'city', slug: place.slug }, data);
}

/** The address of the page with a choice. */
export function embedsPath(choice: Pick<EmbedsChoice, 'subject' | 'fuel' | 'theme'>, language: Language): string {
  const { subject, fuel, theme } = choice;
  const query = new URLSearchParams();
  if (subject?.kind === 'city') query.set(CITY_NAME, subject.slug);
  if (subject?.kind === 'station') query.set(STATION_NAME, subject.slug);
  if (fuel !== null) query.set(FUEL_NAME, FUEL_SLUG[language][fuel]);
  if (theme !== 'auto') query.set(THEME_NAME, THEME_WORD[language][theme]);
  return `${routePath('embeds', language)}${query.size === 0 ? '' : `?${query}`}`;
}
