/** The style of maps, for the pages and inside the tiles. */
import { createHash } from 'node:crypto';
import { Html } from '../html/html-template.ts';
import { MAP_CSS } from '../html/style.ts';

/** The `<style>` element of a tile: both colour schemes. */
export const TILE_STYLE = new Html(`<style>${MAP_CSS}</style>`);

/** The name of that style in a Content-Security-Policy. */
export const TILE_STYLE_SOURCE = `'sha256-${createHash('sha256').update(MAP_CSS).digest('base64')}'`;
