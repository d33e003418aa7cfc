/**
 * Public texts without hidden characters: what a moderator sees is what every reader gets, machines included. Reviews
 * and the texts of all sources pass through here. Rule 37.
 */

import { hasExcessiveMarks, normalForm } from './unicode-normal-form.ts';

const PICTOGRAPH = String.raw`\p{Extended_Pictographic}`;
/** Scripts whose letters take another shape next to a joiner, with the marks of their letters. */
const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
];
const SCRIPT_CLASSES = JOINING_SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join('');
const JOINING_LETTER = String.raw`(?:(?=[\p{L}\p{M}])(?!\p{Default_Ignorable_Code_Point})[${SCRIPT_CLASSES}])`;

/** Joiners and variation selectors where they change what is seen: within emoji, and between joining letters. */
const USED_IN_EMOJI = [
  String.raw`(?<=${PICTOGRAPH}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=${PICTOGRAPH})`,
  String.raw`(?<=${PICTOGRAPH})[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
].join('|');
const USED_IN_LETTERS = String.raw`(?<=${JOINING_LETTER}\p{Mn}{0,4})[\u200c\u200d](?=${JOINING_LETTER})`;

/**
 * Characters that show nothing: controls, lone surrogates, formats (bidi controls, tags, soft hyphens, joiners),
 * default-ignorable ones (fillers, variation selectors), non-characters, and two signs that Unicode draws empty.
 */
const HIDDEN_CLASSES = String.raw`\p{Cc}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{16fe4}\u{1d159}`;
const HIDDEN = new RegExp(`(?!${USED_IN_EMOJI}|${USED_IN_LETTERS})[${HIDDEN_CLASSES}]`, 'gu');

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Spaces of any width, and the blanks of scripts that draw them as letters. */
const BLANKS = /[\p{Z}\u2800\u{13441}\u{13442}]/gu;
/** Printable Latin text without marks: nearly all texts, which need no work. */
const PLAIN = /^[ -~\u00c0-\u024f\u0218-\u021b]*$/;

/**
 * The text as people see it: NFC, trimmed, without hidden characters, every blank and line break a space. `''` =
 * nothing is visible; `null` = a character has more than 30 marks.
 */
export function visibleText(text: string): string | null {
  if (PLAIN.test(text)) return text.trim();
  const spaced = text.replace(LINE_BREAKS, ' ').replace(BLANKS, ' ');
  if (hasExcessiveMarks(spaced)) return null;
  const shown = normalForm(spaced, 'NFC').replace(HIDDEN, '');
  // Hidden characters may have stood between marks.
  return hasExcessiveMarks(shown) ? null : normalForm(shown, 'NFC').trim();
}

/** Characters that moderators would not see: hidden, unassigned and separating ones, except joiners within emoji. */
const UNPRINTABLE = new RegExp(String.raw`(?!${USED_IN_EMOJI})[${HIDDEN_CLASSES}\p{C}\p{Zl}\p{Zp}]`, 'gu');

/**
 * The text as moderators see it, with each hidden or unassigned character written as its code point, e.g. `<U+200B>`.
 */
export function withCodePointsShown(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) as number;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
