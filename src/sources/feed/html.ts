/** HTML from outside, read within bounds: no script runs, nothing is fetched. */
import { type HTMLElement, parse } from 'node-html-parser';

const LONGEST_HTML = 20_000;
const MOST_TAGS = 600;
/** The parser's time grows with the square of what is left open, or closed out of turn. */
const MOST_LEFT_OPEN = 20;
const DEEPEST = 60;
const TAG = /<(\/?)([a-z][a-z0-9]{0,15})/gi;
/** The space keeps the words of two paragraphs apart, which nothing else does once the tags are gone. */
const APART = /<\/?(?:br|div|h\d|hr|li|p|table|td|th|tr|ul)\b/gi;
const NEVER_CLOSED = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);

/** The tree of a fragment of a page, scripts and styles left out; `null` when it is no such fragment but a burden. */
export function parseHtml(html: string): HTMLElement | null {
  if (html.length > LONGEST_HTML || isBurden(html)) return null;
  return parse(html.replaceAll(APART, ' $&'), { blockTextElements: { script: false, style: false } });
}

/** The text within, entities resolved, white space as one space. */
export function textOf(element: HTMLElement | null): string {
  return (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

function isBurden(html: string): boolean {
  const open = new Map<string, number>();
  let [tags, depth] = [0, 0];
  for (const [, slash, name = ''] of html.matchAll(TAG)) {
    const tag = name.toLowerCase();
    tags += 1;
    if (NEVER_CLOSED.has(tag)) continue;
    const by = slash ? -1 : 1;
    depth += by;
    open.set(tag, (open.get(tag) ?? 0) + by);
    if (tags > MOST_TAGS || depth > DEEPEST) return true;
  }
  return [...open.values()].reduce((sum, left) => sum + Math.abs(left), 0) > MOST_LEFT_OPEN;
}
