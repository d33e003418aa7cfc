/** Titles and descriptions of pages, as search engines show them. */
import { SERVICE_NAME } from '../../domain/service-identity.ts';

/** Search engines cut longer titles. */
export const MAX_TITLE_LENGTH = 66;
const MAX_DESCRIPTION_LENGTH = 160;

/**
 * The one of the wordings that says most and is shown whole, with the name of the service where there is room. If all
 * are too long, the beginning of the last one, so that comes last what says least.
 */
export function pageTitle(wordings: readonly [string, ...string[]]): string {
  const titles = wordings.flatMap((wording) => [wording, `${wording} | ${SERVICE_NAME}`]);
  return longestWithin(titles, MAX_TITLE_LENGTH) ?? shortenedText(wordings.at(-1) as string, MAX_TITLE_LENGTH);
}

/** Likewise for the description, without the name of the service. */
export function pageDescription(wordings: readonly [string, ...string[]]): string {
  return (
    longestWithin(wordings, MAX_DESCRIPTION_LENGTH) ?? shortenedText(wordings.at(-1) as string, MAX_DESCRIPTION_LENGTH)
  );
}

function longestWithin(texts: readonly string[], length: number): string | null {
  const shown = texts.filter((each) => each.length <= length);
  return shown.length === 0 ? null : shown.reduce((longest, each) => (each.length > longest.length ? each : longest));
}

/** The text, cut to at most this many characters; an ellipsis stands for the rest. */
export function shortenedText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\s,.]+$/, '')}…`;
}
