/** Words of a feed made plain: no markup, no entities, no control characters, no more than their due length. */
import { cleanText } from './fields.ts';
import { parseFragment, textOf } from './html.ts';

/** The longest texts that are kept, in characters; the hours hold the eight days of the wordiest feed known. */
export const MAX_LENGTHS = { name: 200, address: 200, hours: 400, phone: 60, service: 60 } as const;
export const MAX_SERVICES = 40;

/**
 * The text as a reader would see it, cut at `longest`; `''` when there is none, and when it came in another encoding
 * than it claimed. Feeds put HTML and entities into plain fields: tags are dropped, scripts and styles with their content.
 */
export function plainText(value: unknown, longest: number): string {
  const sent = cleanText(value, longest);
  const text = /[<>&]/.test(sent) ? cleanText(withoutMarkup(sent), longest) : sent;
  // U+FFFD stands where a byte could not be read: half a name is no name.
  return text.includes('\u{fffd}') ? '' : text;
}

/** Twice, since what stands behind `&lt;` may be a tag. */
function withoutMarkup(text: string): string {
  const once = textOf(parseFragment(text));
  return textOf(parseFragment(once)).replaceAll(/[<>]/g, ' ');
}
