/** What the page of the map tells its code, as JSON. */

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

/** What the page tells the code of its map. */
export type MapSettings = {
  /** Address of the file of all stations. */
  readonly file: string;
  /** What comes before the slug in the path of a station's page. */
  readonly stationPath: string;
  /** South, west, north, east; `null` = the whole country. */
  readonly bounds: readonly [number, number, number, number] | null;
  readonly tiles: MapTileLayer;
  /** In the order of the prices. */
  readonly fuels: readonly { readonly slug: string; readonly name: string }[];
  /** How old a price is, in words, by days. */
  readonly ages: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
};
