/** The single style sheet, embedded in every page, and its name in the Content-Security-Policy. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html } from './html-template.ts';

/** The style of the maps, which tiles contain too. */
export const MAP_CSS = readStyle('map.css');
const CSS = readStyle('style.css') + MAP_CSS;

/** The `<style>` element. */
export const STYLE = new Html(`<style>${CSS}</style>`);

/** The only style that pages may use: no other can be injected. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(CSS).digest('base64')}'`;

/** A style sheet without comments and needless blanks. */
function readStyle(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .trim();
}
