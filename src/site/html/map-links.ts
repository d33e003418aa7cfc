/** Links that open a point in other services' maps and apps. */
import type { Point } from '../../domain/point.ts';

/** `null` = the app that the device opens for `geo:`. */
export type MapLink = readonly [name: string | null, href: string];

/** The app of the device first. */
export function linksToPoint({ lat, lng }: Point, name: string): readonly [MapLink, ...MapLink[]] {
  const point = `${lat},${lng}`;
  return [
    [null, `geo:${point}?q=${point}(${encodeURIComponent(name)})`],
    ['Google Maps', `https://www.google.com/maps/dir/?api=1&destination=${point}`],
    ['Waze', `https://waze.com/ul?ll=${point}&navigate=yes`],
    ['OpenStreetMap', `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`],
  ];
}
