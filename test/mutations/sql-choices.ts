/**
 * Stryker mutates TypeScript but not SQL. This module turns each SQL operator into an expression that Stryker mutates:
 * `a < b` becomes `a ${'<' ?? '<='} b`, and the mutation of `??` to `&&` chooses the alternative.
 */

/** Replaces each SQL operator in the template literals of a source by a choice. Tagged templates stay unchanged. */
export function exposeSqlOperators(source: string): string {
  return rewriteCode({ source, at: 0 });
}

/** Operators and their alternatives. Longer operators come before their parts. */
const ALTERNATIVES: readonly (readonly [pattern: string, alternative: (found: string) => string])[] = [
  ['\\bskip locked\\b', () => ''],
  ['\\bfor (?:no key )?update(?: of \\w+)?(?= skip| *$| *\\)|\\n)', () => ''],
  ['\\bis not null\\b', () => 'is null'],
  ['\\bis null\\b', () => 'is not null'],
  ['\\bgreatest(?=\\()', () => 'least'],
  ['\\bleast(?=\\()', () => 'greatest'],
  ['\\bdistinct\\b', () => ''],
  [' and ', () => ' or '],
  [' or ', () => ' and '],
  [' \\+ ', () => ' - '],
  [' - ', () => ' + '],
  [' <= ', () => ' < '],
  [' >= ', () => ' > '],
  [' < ', () => ' <= '],
  [' > ', () => ' >= '],
  ["(?<=\\binterval )'[^']+'", () => "'0'"],
  // Numbers of milliseconds or rows. Smaller numbers are positions and parameters.
  ["(?<![\\w$'.-])\\d{4,}(?![\\w'.-])", (found) => String(Number(found) + 1)],
];

const OPERATORS = new RegExp(ALTERNATIVES.map(([pattern]) => `(${pattern})`).join('|'), 'gm');

function withChoices(text: string): string {
  return text.replace(OPERATORS, (found, ...groups: (string | undefined)[]) => {
    const at = groups.findIndex((group) => group !== undefined);
    const alternative = ALTERNATIVES[at]?.[1](found) ?? found;
    return `\${${JSON.stringify(found)} ?? ${JSON.stringify(alternative)}}`;
  });
}

/** The position up to which the source is read. */
type Cursor = { readonly source: string; at: number };

/** A comment, a string literal, a bracket or backtick, or the code between those. */
const CODE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[^'"`/{}]+|[\s\S]/y;
/** The text of a template up to an expression or its end. */
const TEXT = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y;

/** Rewrites code up to the end of the source or an unmatched closing brace. */
function rewriteCode(cursor: Cursor): string {
  let result = '';
  for (let depth = 0; cursor.at < cursor.source.length; ) {
    if (cursor.source[cursor.at] === '}' && depth === 0) return result;
    const token = take(cursor, CODE);
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    result += token === '`' ? `\`${rewriteTemplate(cursor, /[\w$)\]]$/.test(result))}` : token;
  }
  return result;
}

/** Rewrites a template from behind its first backtick to its last one. */
function rewriteTemplate(cursor: Cursor, tagged: boolean): string {
  let result = '';
  for (;;) {
    const text = take(cursor, TEXT);
    result += tagged ? text : withChoices(text);
    if (cursor.source[cursor.at] !== '$') return result + take(cursor, /[\s\S]?/y);
    result += take(cursor, /\$\{/y) + rewriteCode(cursor) + take(cursor, /\}/y);
  }
}

function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const [token = ''] = pattern.exec(cursor.source) ?? [];
  cursor.at += token.length;
  return token;
}
