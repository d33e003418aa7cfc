/** The map of the country as a file, for the page without code: one of each fuel, a wide and a narrow one. */
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { stationLookup } from '../../lookup/station-prices.ts';
import { MAP_CREDIT } from '../../map/map-frame.ts';
import { TILE_STYLE } from '../../map/map-style.ts';
import { staticMap } from '../../map/static-map.ts';
import { stationMarks } from '../../parts/station-map.ts';

const SIZES = { wide: { width: 960, height: 600 }, narrow: { width: 360, height: 360 } } as const;
type Size = keyof typeof SIZES;

const COUNTRY = { west: 20.3, south: 43.6, east: 29.7, north: 48.3 };

/** The element that shows one of the two. */
export function countryPicture(fuel: RoadFuel, label: string, language: Language): Html {
  const { width, height } = SIZES.wide;
  return html`<figure class="map-frame"><picture><source media="(width < 40rem)" srcset="${picturePath(fuel, 'narrow', language)}"><img src="${picturePath(fuel, 'wide', language)}" width="${width}" height="${height}" alt="${label}"></picture><figcaption>${MAP_CREDIT}</figcaption></figure>`;
}

/** The picture at a path; `null` = there is none. */
export function pictureAt(path: string, { snapshot }: SiteData): Html | null {
  const found = PICTURES.get(path);
  if (found === undefined) return null;
  const { fuel, size, language } = found;
  const { width, height } = SIZES[size];
  // A picture has no links: nobody can follow them.
  const marks = stationMarks(stationLookup(snapshot).stations, fuel, language).map(({ href: _, ...mark }) => mark);
  const map = staticMap({ width, height, language, label: '', marks, bounds: COUNTRY });
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${TILE_STYLE}${map}</svg>\n`;
}

function picturePath(fuel: RoadFuel, size: Size, language: Language): string {
  return `${routePath('map', language)}/${FUEL_SLUG[language][fuel]}${size === 'wide' ? '' : '-360'}.svg`;
}

const PICTURES = new Map(
  (['ro', 'en'] as const).flatMap((language) =>
    ROAD_FUELS.flatMap((fuel) =>
      (['wide', 'narrow'] as const).map(
        (size) => [picturePath(fuel, size, language), { fuel, size, language }] as const,
      ),
    ),
  ),
);
