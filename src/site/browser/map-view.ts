/** The part of the map that is in view, as the address keeps it after `#`: `#9/46.7712/23.6236`. */

export type MapView = { readonly zoom: number; readonly lat: number; readonly lng: number };

/** About 10 m. */
const DECIMALS = 4;

export function formatView(zoom: number, { lat, lng }: { readonly lat: number; readonly lng: number }): string {
  return `#${zoom}/${lat.toFixed(DECIMALS)}/${lng.toFixed(DECIMALS)}`;
}

/** `null` = the address has no view. */
export function readView(hash: string): MapView | null {
  const found = /^#(\d{1,2}(?:\.5)?)\/(-?\d{1,2}(?:\.\d+)?)\/(-?\d{1,3}(?:\.\d+)?)$/.exec(hash);
  if (found === null) return null;
  const [zoom = 0, lat = 0, lng = 0] = found.slice(1).map(Number);
  return { zoom, lat, lng };
}
