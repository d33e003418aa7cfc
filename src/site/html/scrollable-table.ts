/** The frame of wide tables. */
import { type Html, html } from './html-template.ts';

/** Opens the frame of a table that a narrow screen scrolls: the keyboard reaches it, and screen readers name it. */
export function scrollableTable(name: string): Html {
  return html`<div class="table" tabindex="0" role="group" aria-label="${name}">`;
}
