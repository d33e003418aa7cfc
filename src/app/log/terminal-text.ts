/** Texts of files, upstreams and visitors, on the way to a terminal. */

/** Control characters except tab and line feed, line separators, and characters that change the direction of a text. */
const CONTROL_CHARACTERS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes characters that a terminal would obey instead of showing, e.g. as `\u001b`. A line of JSON keeps its meaning.
 */
export function terminalText(text: string): string {
  return text.replaceAll(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
