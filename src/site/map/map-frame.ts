/** The map of a page for every width of screen, and what must stand under it. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { Point } from '../../domain/point.ts';
import type { Polyline } from '../../domain/roads/line.ts';
import { type Html, html } from '../html/html-template.ts';
import { type Bounds, type MapMark, type NamedPoint, showsStreets, staticMap } from './static-map.ts';

/** What a map in a page shows. */
export type MapFrameInput = {
  readonly language: Language;
  readonly label: string;
  readonly marks: readonly MapMark[];
  /** Where the visitor is, with its name. */
  readonly position?: NamedPoint;
  /** A road to follow. */
  readonly way?: Polyline;
  /** The largest zoom of our tiles, which then have streets; without it, or with `null`, they have none. */
  readonly streetZoom?: number | null;
} & ({ readonly bounds: Bounds } | { readonly centre: Point; readonly zoom: number });

const WIDE = { width: 960, height: 460, className: 'map-wide' };
const NARROW = { width: 360, height: 360, className: 'map-narrow' };

/** A narrow screen gets a map of its own instead of a smaller one; only one of the two is shown and read aloud. */
export function mapFrame(input: MapFrameInput): Html {
  const sizes = [WIDE, NARROW].map((size) => ({ ...input, ...size }));
  const credit = sizes.some(showsStreets)
    ? mapCredit(input.streetZoom)
    : html`${MAP_NOTE[input.language]} ${mapCredit(null)}`;
  const caption = input.position === undefined ? credit : html`○ ${input.position.label}. ${credit}`;
  return html`<figure class="map-frame">${sizes.map(staticMap)}<figcaption>${caption}</figcaption></figure>`;
}

/** What every map without streets must say about itself. */
export const MAP_NOTE: LocalizedText = {
  ro: 'Hartă schematică, fără străzi; întinderea localităților este estimată.',
  en: 'Schematic map without streets; the extent of towns is estimated.',
};

/** Required by the licences of GeoNames and, on maps with streets, of OpenStreetMap; Natural Earth is named as well. */
export function mapCredit(streetZoom: number | null | undefined): Html {
  const streets = html`<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors (ODbL)</a> · `;
  return html`${(streetZoom ?? null) === null ? null : streets}GeoNames CC BY 4.0 · Natural Earth`;
}
