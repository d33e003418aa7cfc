/** Which zooms of a map have streets. */

/** Smaller zooms show the built-in map: it is made for them, and the tiles of a file are large there. */
export const FIRST_STREET_ZOOM = 11;
/** Beyond the file's own tiles, its largest ones are drawn larger: lines stay sharp. */
const ZOOMS_BEYOND_FILE = 1;
const LAST_STREET_ZOOM = 17;

/**
 * The largest zoom of a map with streets of a file whose tiles go to `maxZoom`: a tile shows the zoom after its own.
 * `null` = there is no file.
 */
export function lastZoomOf(maxZoom: number): number;
export function lastZoomOf(maxZoom: number | null): number | null;
export function lastZoomOf(maxZoom: number | null): number | null {
  return maxZoom === null ? null : Math.min(LAST_STREET_ZOOM, maxZoom + 1 + ZOOMS_BEYOND_FILE);
}
