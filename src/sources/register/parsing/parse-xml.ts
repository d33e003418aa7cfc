/** Parses the register's XML body (sent when the `Accept` header is lost) into the shape of its JSON. */
import { parseXml as parseDocument, XmlElement, XmlText } from '@rgrove/parse-xml';
import { type ParsedBody, parseEnvelope, TOO_MUCH_STRUCTURE, wrongShape } from './parse-json.ts';

/** Lists and the name of their elements; everything else is an object or a text. */
const LIST_ELEMENTS: Readonly<Record<string, string>> = {
  Stations: 'GasStation',
  Products: 'GasProduct',
  Services: 'GasServiceCatalog',
  Points: 'Point',
};
/** JSON names are the XML names with a lower-case first letter, except for these. */
const UNCHANGED_NAMES = new Set(['Stations', 'Products', 'Points', 'Lat', 'Lon']);
/** A GasStation has five levels; deeper documents are not the register's. */
const MAX_DEPTH = 12;

/**
 * `<`, `&`, `=` and carriage returns, so at least the number of elements, references, attributes and line breaks to
 * replace: 50 stations with all that belongs to them have 10,000. Each takes up to microseconds.
 */
const MAX_MARKS = 30_000;

/** Parses an XML body. It refuses a document type, and so every custom entity. */
export function parseXml(text: string): ParsedBody {
  if (/^\s*<(?:!doctype\s+html|html)\b/i.test(text)) return wrongShape('an HTML page');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return wrongShape('a document type is not accepted in XML');
  if (hasMoreMarks(text, MAX_MARKS)) return wrongShape(TOO_MUCH_STRUCTURE);
  try {
    const root = parseDocument(withUnixLineBreaks(withoutIllegalCharacters(text))).root;
    if (!root || localName(root) !== 'GasItems')
      return wrongShape(`the root is ${root?.name ?? 'missing'}, not GasItems`);
    return parseEnvelope(readElement(root, 0));
  } catch (error) {
    return wrongShape(`the body is not XML: ${String((error as Error).message).split('\n', 1)[0]}`);
  }
}

function readElement(element: XmlElement, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error('too deep');
  const children = element.children.filter((child) => child instanceof XmlElement);
  const rows = LIST_ELEMENTS[localName(element)];
  if (rows !== undefined)
    return children.filter((child) => localName(child) === rows).map((child) => readElement(child, depth + 1));
  if (children.length > 0) {
    return Object.fromEntries(children.map((child) => [jsonName(localName(child)), readElement(child, depth + 1)]));
  }
  // An element without content is an absent field, as is one with i:nil="true".
  return element.children.map((child) => (child instanceof XmlText ? child.text : '')).join('') || undefined;
}

function localName(element: XmlElement): string {
  return element.name.slice(element.name.indexOf(':') + 1);
}

function jsonName(name: string): string {
  return UNCHANGED_NAMES.has(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

function hasMoreMarks(text: string, most: number): boolean {
  let marks = 0;
  for (let at = 0; at < text.length && marks <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === 0x26 || code === 0x3d || code === 0x0d) marks += 1;
  }
  return marks > most;
}

/** The parser would take quadratic time for it (@rgrove/parse-xml 5 copies the text once per break). */
function withUnixLineBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Drops characters that XML forbids: the register's serializer lets them through (`&#x1C;` was seen). */
function withoutIllegalCharacters(text: string): string {
  return text
    .replace(
      /&#(?:x([0-9a-f]{1,8})|(\d{1,10}));/gi,
      (reference, hex: string | undefined, decimal: string | undefined) =>
        isLegal(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ? reference : '',
    )
    .replace(/[^\t\n\r\u{20}-\u{7e}\u{80}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}

function isLegal(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return (
    (code !== 0x7f && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
  );
}
