/** Detects the encoding and the format of a price list. */
import { SourceFailed } from '../source.ts';

/** The start of a zip file, and so of a workbook. */
const ZIP_SIGNATURE = 'PK\u0003\u0004';

export type ListFormat = 'csv' | 'json' | 'html';

/**
 * The text of a list: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else windows-1250, in which older programs
 * write Romanian. It ignores a charset in the header: that is the server's, not the file's, and often wrong. Throws
 * `SourceFailed` if the body is not text.
 */
export function listText(body: Uint8Array): string {
  const text = decoded(body);
  if (text.startsWith(ZIP_SIGNATURE) || text.includes('\0')) {
    throw new SourceFailed('the list is a binary file, such as a workbook; CSV, JSON or HTML is needed');
  }
  if (text.trim() === '') throw new SourceFailed('the list is empty');
  return text;
}

/**
 * A body that begins with `<` is a page, whatever its header says; else the header decides, then the first character.
 */
export function formatOf(text: string, contentType: string): ListFormat {
  const first = text.trimStart().charAt(0);
  if (first === '<') return 'html';
  if (/^[^;]*\bjson\b/i.test(contentType)) return 'json';
  if (/^[^;]*\b(csv|tab-separated-values)\b/i.test(contentType)) return 'csv';
  return first === '[' || first === '{' ? 'json' : 'csv';
}

function decoded(body: Uint8Array): string {
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(body);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1250').decode(body);
  }
}
