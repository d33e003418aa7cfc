/** What a badge or a card is about: a city with its lowest trusted prices, or a station with its own. */
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG, fuelOfSlug } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { trustedPrice } from '../../domain/prices/price-verdict.ts';
import { stationIdOf } from '../../domain/stations/station-slug.ts';
import type { SiteData } from '../frame/site-data.ts';
import { stationLookup } from '../lookup/station-prices.ts';

export type BadgeSubject = {
  /** `Cluj-Napoca`; `Petrom, Calea Turzii 178`. */
  readonly name: string;
  /** Whether the prices are the lowest of several stations. */
  readonly isLowest: boolean;
  /** Trusted prices only, as the API has them. */
  readonly priceOf: (fuel: RoadFuel) => MilliPrice | null;
  /** The page about it, or about one of its fuels. */
  readonly pagePath: (language: Language, fuel?: RoadFuel) => string;
};

/** The first segments of the addresses; those of stations have one more. */
export const BADGE_PREFIX: LocalizedText = { ro: '/insigna', en: '/en/badge' };
export const CARD_PREFIX: LocalizedText = { ro: '/card', en: '/en/card' };
const STATION_SEGMENT: LocalizedText = { ro: 'statie', en: 'station' };

/** A picture as its address names it; `fuel` is `null` for a card, which has all. */
export type BadgeRequest = {
  readonly language: Language;
  readonly subject: BadgeSubject;
  readonly fuel: RoadFuel | null;
};

/** What the path of a picture asks for; `undefined` = there is no such picture. */
export function badgeRequestAt(path: string, data: SiteData): BadgeRequest | undefined {
  if (!path.endsWith('.svg')) return undefined;
  for (const language of ['ro', 'en'] as const)
    for (const prefix of [BADGE_PREFIX, CARD_PREFIX]) {
      if (!path.startsWith(`${prefix[language]}/`)) continue;
      const segments = path.slice(prefix[language].length + 1, -'.svg'.length).split('/');
      const fuel = prefix === CARD_PREFIX ? null : fuelOfSlug(segments.pop() ?? '', language);
      if (fuel === undefined) return undefined;
      const subject = subjectOf(segments, language, data);
      return subject && { language, subject, fuel };
    }
  return undefined;
}

function subjectOf(segments: readonly string[], language: Language, data: SiteData): BadgeSubject | undefined {
  const [first = '', second] = segments;
  if (segments.length === 1) return citySubject(first, data);
  if (segments.length !== 2 || first !== STATION_SEGMENT[language]) return undefined;
  return stationSubject(second ?? '', data);
}

/** A city with a station. */
export function citySubject(slug: string, { snapshot, gazetteer }: SiteData): BadgeSubject | undefined {
  const locality = gazetteer.localityBySlug(slug);
  if (locality === undefined || !stationLookup(snapshot).byCity.has(slug)) return undefined;
  const prices = snapshot.cities.find((city) => city.slug === slug)?.prices;
  return {
    name: locality.name,
    isLowest: true,
    priceOf: (fuel) => prices?.[fuel] ?? null,
    pagePath: (language, fuel) =>
      fuel === undefined
        ? routePath('city', language, { city: slug })
        : routePath('cityFuel', language, { city: slug, fuel: FUEL_SLUG[language][fuel] }),
  };
}

/** A station by its slug, of which only the id counts. */
function stationSubject(slug: string, { snapshot }: SiteData): BadgeSubject | undefined {
  const id = stationIdOf(slug);
  const found = id === null ? undefined : stationLookup(snapshot).byId.get(id);
  if (found === undefined) return undefined;
  const { station, verdicts } = found;
  return {
    name: `${station.network.name}, ${station.address}`,
    isLowest: false,
    priceOf: (fuel) => trustedPrice(verdicts.get(fuel)),
    pagePath: (language) => routePath('station', language, { station: found.slug }),
  };
}

/** The fuels that a card shows: those with a price. */
export function pricedFuels({ priceOf }: BadgeSubject): RoadFuel[] {
  return ROAD_FUELS.filter((fuel) => priceOf(fuel) !== null);
}
