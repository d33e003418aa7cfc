/**
 * Maps of the country as files, a wide and a narrow one each: the stations for the page of the map without code, one of
 * each fuel, the largest cities for the home page, and the stations on motorways.
 */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';
import { stationLookup } from '../lookup/station-prices.ts';
import { mapCredit } from '../map/map-frame.ts';
import { TILE_STYLE } from '../map/map-style.ts';
import { type MapMark, staticMap } from '../map/static-map.ts';
import { cityMarks, stationMarks } from './station-map.ts';

type MapSubject = RoadFuel | 'cities' | 'motorways';
const SIZES = { wide: { width: 960, height: 600 }, narrow: { width: 360, height: 360 } } as const;
type Size = keyof typeof SIZES;
type Picture = { readonly subject: MapSubject; readonly size: Size; readonly language: Language };

const COUNTRY = { west: 20.3, south: 43.6, east: 29.7, north: 48.3 };
/** Cities on a map: more would hide each other. */
const CITIES_SHOWN: Readonly<Record<Size, number>> = { wide: 40, narrow: 12 };
const SLUGS = { cities: { ro: 'orase', en: 'cities' }, motorways: { ro: 'autostrazi', en: 'motorways' } } as const;

/** The element that shows the stations with a price of a fuel. */
export function countryPicture(fuel: RoadFuel, label: string, language: Language): Html {
  return html`<figure class="map-frame">${picture(fuel, label, language)}<figcaption>${mapCredit(null)}</figcaption></figure>`;
}

/** The element that shows the largest cities, each with its lowest petrol price; it leads to the map. */
export function citiesPicture(label: string, language: Language): Html {
  return linkedPicture('cities', label, language);
}

/** The element that shows the stations on motorways, each with its diesel price, as its caption says. */
export function motorwaysPicture(label: string, language: Language): Html {
  return linkedPicture('motorways', label, language, html`<strong>${label}</strong>. `);
}

/** It leads to the map. */
function linkedPicture(subject: MapSubject, label: string, language: Language, caption: Html | null = null): Html {
  return html`<figure class="map-frame"><a href="${routePath('map', language)}">${picture(subject, label, language)}</a><figcaption>${caption}${mapCredit(null)}</figcaption></figure>`;
}

/** Both have their size, so that nothing moves once they are there. */
function picture(subject: MapSubject, label: string, language: Language): Html {
  const { wide, narrow } = SIZES;
  return html`<picture><source media="(width < 40rem)" srcset="${picturePath(subject, 'narrow', language)}" width="${narrow.width}" height="${narrow.height}"><img src="${picturePath(subject, 'wide', language)}" width="${wide.width}" height="${wide.height}" alt="${label}" loading="lazy"></picture>`;
}

/** The picture at a path; `null` = there is none. */
export function pictureAt(path: string, data: SiteData): Html | null {
  const found = PICTURES.get(path);
  if (found === undefined) return null;
  const { size, language } = found;
  const { width, height } = SIZES[size];
  // A picture has no links: nobody can follow them.
  const marks = marksOf(found, data).map(({ href: _, ...mark }) => mark);
  const map = staticMap({ width, height, language, label: '', marks, bounds: COUNTRY });
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${TILE_STYLE}${map}</svg>\n`;
}

function marksOf({ subject, size, language }: Picture, { snapshot, gazetteer }: SiteData): MapMark[] {
  if (subject === 'cities')
    return cityMarks(snapshot.cities.slice(0, CITIES_SHOWN[size]), 'petrol', gazetteer, language);
  const { stations, onMotorways } = stationLookup(snapshot);
  if (subject !== 'motorways') return stationMarks(stations, subject, language);
  return stationMarks(onMotorways, 'diesel', language);
}

function picturePath(subject: MapSubject, size: Size, language: Language): string {
  const slug =
    subject === 'cities' || subject === 'motorways' ? SLUGS[subject][language] : FUEL_SLUG[language][subject];
  return `${routePath('map', language)}/${slug}${size === 'wide' ? '' : '-360'}.svg`;
}

const PICTURES = new Map(
  (['ro', 'en'] as const).flatMap((language) =>
    ([...ROAD_FUELS, 'cities', 'motorways'] as const).flatMap((subject) =>
      (['wide', 'narrow'] as const).map(
        (size) => [picturePath(subject, size, language), { subject, size, language }] as const,
      ),
    ),
  ),
);
