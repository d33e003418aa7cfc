/** Wraps a text of the description into lines of a comment. */
const COLUMNS = 100;

/** The lines of a text, each at most 100 characters long unless one word is longer. */
export function commentLines(text: string): string[] {
  const lines: string[] = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
