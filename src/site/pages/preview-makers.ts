/** Which function describes the link preview of each route; pages of the others share the general one. */
import type { Language } from '../../domain/localized-text.ts';
import { type MatchedRoute, matchRoute, type RouteName } from '../../domain/pages/routes.ts';
import type { SiteData } from '../frame/site-data.ts';
import type { PreviewMaker } from '../parts/preview-parts.ts';
import type { LinkPreview } from '../previews/link-preview.ts';
import { cityFuelPreview, cityPreview } from './city/city-preview.ts';
import { countyPreview } from './county/county-preview.ts';
import { dayPreview, todayPreview } from './days/day-preview.ts';
import { generalPreview, homePreview } from './home/home-preview.ts';
import { journeyPreview } from './journey/journey-preview.ts';
import { mapPreview } from './map/map-preview.ts';
import { networkPreview } from './network/network-preview.ts';
import { stationPreview } from './station/station-preview.ts';

const PREVIEW_MAKERS: Readonly<Partial<Record<RouteName, PreviewMaker>>> = {
  home: homePreview,
  city: cityPreview,
  cityFuel: cityFuelPreview,
  station: stationPreview,
  county: countyPreview,
  network: networkPreview,
  map: mapPreview,
  journeyBetween: journeyPreview,
  today: todayPreview,
  day: dayPreview,
};

/** The preview of a page that exists. */
export function previewOfPage(route: MatchedRoute | undefined, language: Language, data: SiteData): LinkPreview {
  const own = route === undefined ? null : PREVIEW_MAKERS[route.name]?.({ ...route, data });
  return own ?? generalPreview(language);
}

/** The preview whose picture has the name of a path; `null` = no page has such a picture. */
export function previewNamed(path: string, data: SiteData): LinkPreview | null {
  const general = (['ro', 'en'] as const).map(generalPreview).find((each) => each.path === path);
  if (general !== undefined) return general;
  const route = matchRoute(path);
  const preview = route === undefined ? null : (PREVIEW_MAKERS[route.name]?.({ ...route, data }) ?? null);
  // One picture, one address: what names a station in other ways leads to its page, but has no picture.
  return preview?.path === path ? preview : null;
}
