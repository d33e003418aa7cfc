/** The style sheet of the pages, and the part of it that maps as files contain. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html } from './html-template.ts';

/** The style of the maps, which tiles contain too. */
export const MAP_CSS = readStyle('map.css');

/** The style of all pages. */
export const PAGE_CSS = readStyle('style.css') + MAP_CSS;

/** The `<style>` element of a page that contains its style. */
export const PAGE_STYLE = new Html(`<style>${PAGE_CSS}</style>`);

/** The only style that such a page may use: no other can be injected. */
export const PAGE_STYLE_SOURCE = styleSource(PAGE_CSS);

/** The name of a `<style>` element's content in a Content-Security-Policy. */
export function styleSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/** A style sheet without comments and needless blanks; `file` is below `src/site/`. */
export function readStyle(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .trim();
}
