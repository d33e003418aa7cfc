/** Titles of pages, as search engines show them. */
import { SERVICE_NAME } from '../../domain/access/plans.ts';

/** Search engines cut longer titles. */
export const MAX_TITLE_LENGTH = 66;

/**
 * The one of the wordings that says most and is shown whole, with the name of the service where there is room. If all
 * are too long, the beginning of the last one, so that comes last what says least.
 */
export function pageTitle(wordings: readonly [string, ...string[]]): string {
  const titles = wordings.flatMap((wording) => [wording, `${wording} | ${SERVICE_NAME}`]);
  const shown = titles.filter(({ length }) => length <= MAX_TITLE_LENGTH);
  if (shown.length === 0) return shortenedText(wordings.at(-1) as string, MAX_TITLE_LENGTH);
  return shown.reduce((longest, each) => (each.length > longest.length ? each : longest));
}

/** At most so many characters of a text; an ellipsis stands for the rest. */
export function shortenedText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\s,.]+$/, '')}…`;
}
