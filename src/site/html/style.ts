/** The one style sheet, inside every page, and how the Content-Security-Policy names it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html } from './html.ts';

const CSS = readFileSync(new URL('../style.css', import.meta.url), 'utf8')
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{};,]) ?/g, '$1')
  .replaceAll(/: /g, ':')
  .trim();

/** The element that carries it. */
export const STYLE = new Html(`<style>${CSS}</style>`);

/** The only style the pages may have: no other can be smuggled in. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(CSS).digest('base64')}'`;
