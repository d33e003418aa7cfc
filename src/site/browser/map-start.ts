/** With what a map starts: the settings that its page gives it as JSON, and the view that its address keeps. */

/** The pictures below the prices. */
export type MapTileLayer = {
  /** Address of a tile, with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Markup. */
  readonly attribution: string;
  readonly maxZoom: number;
  /** Whether the tiles are ours: of 512 px, and of the country only. */
  readonly isOurs: boolean;
};

/** By whole zoom: left edge, top edge, width and height of each name of the tiles in turn, px of the world there. */
export type NameBoxes = Readonly<Record<string, readonly number[]>>;

/** What the page tells the code of its map. */
export type MapSettings = {
  /** Address of the file of all stations. */
  readonly file: string;
  /** What comes before the slug in the path of a station's page. */
  readonly stationPath: string;
  /** South, west, north, east; `null` = the whole country. */
  readonly bounds: readonly [number, number, number, number] | null;
  readonly tiles: MapTileLayer;
  /** Of our tiles. */
  readonly names: NameBoxes;
  /** In the order of the prices. */
  readonly fuels: readonly { readonly slug: string; readonly name: string }[];
  /** How old a price is, in words, by days. */
  readonly ages: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
};

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
