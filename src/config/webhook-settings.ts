/** Parses the settings of webhooks. The parser throws a clause that describes a valid value. */
import { BadValue } from './parse.ts';

/** A comma-separated list of origins. */
export function webhookOrigins(text: string): readonly string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return Object.freeze(
    entries.map((entry) => {
      // No patterns: an asterisk would stand for itself, and allow nothing.
      const url = entry.includes('*') ? null : URL.parse(entry);
      if (url !== null && /^https?:$/.test(url.protocol) && entry.toLowerCase().replace(/\/$/, '') === url.origin)
        return url.origin;
      throw new BadValue(`must be origins such as http://127.0.0.1:9000; one is ${JSON.stringify(entry.slice(0, 60))}`);
    }),
  );
}
