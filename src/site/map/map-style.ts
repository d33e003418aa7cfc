/** The style of maps, for the pages and inside the tiles. */
import { Html } from '../html/html-template.ts';
import { MAP_CSS, styleSource } from '../html/style.ts';

/** The `<style>` element of a tile: both colour schemes. */
export const TILE_STYLE = new Html(`<style>${MAP_CSS}</style>`);

/** The name of that style in a Content-Security-Policy. */
export const TILE_STYLE_SOURCE = styleSource(MAP_CSS);
