/** HTML and XML by tagged template: every interpolated value is escaped unless it is markup made here. */

/** Finished markup. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type HtmlValue = Html | string | number | null | undefined | readonly HtmlValue[];

/** Markup; values may appear in text and in double-quoted attributes. Lists are joined, `null` renders as nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + renderValue(values[index - 1]) + part));
}

/** Text escaped for element content and for quoted attributes, in HTML and in XML. */
export function escapeMarkup(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(NOT_IN_XML, '')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** Most texts have none of what is escaped or left out; characters beyond 16 bits also take the long way. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are some of them
const NEEDS_CARE = /[&<>"'\u0000-\u001f\ud800-\udfff\ufffe\uffff]/;
// Source: XML 1.0, production "Char": a single such character would make a whole SVG unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to leave out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function renderValue(value: HtmlValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.map(renderValue).join('');
  return escapeMarkup(value);
}
