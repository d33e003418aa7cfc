/** Cleans the texts of a feed: no markup, no entities, no control characters, bounded length. */
import { cleanText } from './fields.ts';
import { parseFragment, textOf } from './parse-html.ts';

/** The longest texts that are kept, in characters; `hours` fits the longest known feed, with eight days. */
export const MAX_LENGTHS = { name: 200, address: 200, hours: 400, phone: 60, service: 60 } as const;
export const MAX_SERVICES = 40;

/**
 * The text as a reader would see it, cut at `longest`; `''` if there is none, or if it was not in the declared
 * encoding. Feeds put HTML and entities into plain fields: tags are dropped, and scripts and styles with their
 * content.
 */
export function plainText(value: unknown, longest: number): string {
  const sent = cleanText(value, longest);
  const text = /[<>&]/.test(sent) ? cleanText(withoutMarkup(sent), longest) : sent;
  // U+FFFD marks a byte that could not be decoded: half a name is useless.
  return text.includes('\u{fffd}') ? '' : text;
}

/** Strips twice, since a decoded `&lt;` may start a tag. */
function withoutMarkup(text: string): string {
  const once = textOf(parseFragment(text));
  return textOf(parseFragment(once)).replaceAll(/[<>]/g, ' ');
}
