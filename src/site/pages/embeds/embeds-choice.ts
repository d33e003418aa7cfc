/** What a visitor chose to show elsewhere: kept in the query, so that an address can be shared. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import { foldName } from '../../../domain/places/place-names.ts';
import {
  type BadParameter,
  type EmbedRequest,
  embedAddressAt,
  embedPath,
  FUEL_NAME,
  THEME_NAME,
  type Theme,
} from '../../embeds/embed-address.ts';
import { CITY_NAME, STATION_NAME } from '../../embeds/embeds-link.ts';
import { type PriceSubject, priceSubject } from '../../embeds/price-subject.ts';
import type { SiteData } from '../../frame/site-data.ts';

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
