/** Which tiles the movable map shows: our own, or those of the service that the operator chose. */
import type { MapTileLayer } from '../../browser/map-start.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { mapCredit } from '../../map/map-frame.ts';
import { MAX_ZOOM } from '../../map/projection.ts';

/** To which services of raster tiles usually go. */
const MAX_ZOOM_OF_OTHERS = 18;

/** What the code of the map must know of the tiles. */
export function tileLayer({ mapTiles, streetZoom }: Pick<SiteData, 'mapTiles' | 'streetZoom'>): MapTileLayer {
  if (mapTiles === null) {
    const attribution = mapCredit(streetZoom).text;
    return { url: '/harta/{z}/{x}/{y}.svg', attribution, maxZoom: streetZoom ?? MAX_ZOOM, isOurs: true };
  }
  const attribution = html`${inlineMarkup(mapTiles.attribution)}`.text;
  return { url: mapTiles.url, attribution, maxZoom: MAX_ZOOM_OF_OTHERS, isOurs: false };
}
