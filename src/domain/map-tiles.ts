/** Map tiles of another service, which visitors' browsers load from it. */
export type MapTiles = {
  /** Address of a tile, with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Scheme, host and port of that address. */
  readonly origin: string;
  /** What must stand on the map: plain text with Markdown links. */
  readonly attribution: string;
};
