/** HTML from outside, read within bounds: no script runs, nothing is fetched. */
import { type HTMLElement, parse } from 'node-html-parser';

const MAX_HTML_LENGTH = 20_000;
const MAX_TAGS = 600;
/** The parser's time grows with the square of what is left open, or closed out of turn. */
const MAX_UNCLOSED_TAGS = 20;
const MAX_DEPTH = 60;
const TAG = /<(\/?)([a-z][a-z0-9]{0,15})/gi;
/** The space keeps the words of two paragraphs apart, which nothing else does once the tags are gone. */
const BLOCK_TAG = /<\/?(?:br|div|h\d|hr|li|p|table|td|th|tr|ul)\b/gi;
const VOID_TAGS = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);

/** The tree of a fragment of a page, scripts and styles left out; `null` when it is no such fragment but a burden. */
export function parseHtml(html: string): HTMLElement | null {
  if (html.length > MAX_HTML_LENGTH || exceedsLimits(html)) return null;
  return parse(html.replaceAll(BLOCK_TAG, ' $&'), { blockTextElements: { script: false, style: false } });
}

/** The text within, entities resolved, white space as one space. */
export function textOf(element: HTMLElement | null): string {
  return (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

function exceedsLimits(html: string): boolean {
  const open = new Map<string, number>();
  let [tags, depth] = [0, 0];
  for (const [, slash, name = ''] of html.matchAll(TAG)) {
    const tag = name.toLowerCase();
    tags += 1;
    if (VOID_TAGS.has(tag)) continue;
    const by = slash ? -1 : 1;
    depth += by;
    open.set(tag, (open.get(tag) ?? 0) + by);
    if (tags > MAX_TAGS || depth > MAX_DEPTH) return true;
  }
  return [...open.values()].reduce((sum, left) => sum + Math.abs(left), 0) > MAX_UNCLOSED_TAGS;
}
