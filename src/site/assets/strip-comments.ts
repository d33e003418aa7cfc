/** Takes out of a module what only people read, so that browsers load less. */

const COMMENT_BEGIN = /^\s*\/\*/;
const COMMENT_END = /\*\/\s*$/;
const LINE_COMMENT = /^\s*\/\//;

/**
 * The text without comments that have lines of their own, without indentation and empty lines. For modules as the
 * linter formats them: no text or template that goes over several lines has a line that looks like a comment.
 */
export function withoutComments(text: string): string {
  const kept: string[] = [];
  let isComment = false;
  for (const line of text.split('\n')) {
    isComment ||= COMMENT_BEGIN.test(line);
    if (isComment) isComment = !COMMENT_END.test(line);
    else if (line.trim() !== '' && !LINE_COMMENT.test(line)) kept.push(line.trim());
  }
  return `${kept.join('\n')}\n`;
}
