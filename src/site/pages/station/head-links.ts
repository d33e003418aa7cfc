/** Links near the top of the page of a station to what stands far below: its reviews, and the forms of visitors. */
import type { Language } from '../../../domain/localized-text.ts';
import type { PublicReviews } from '../../../domain/review.ts';
import { counted, REVIEWS } from '../../html/counted.ts';
import { formatOneDecimal } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { text } from '../../html/text.ts';

/** The fragments of the page that the links lead to. */
export const REVIEWS_ID = 'recenzii';
export const RATING_FORM_ID = 'evaluare';
/** The form itself, so that browsers open the fold that it is in. */
export const REPORT_FORM_ID = 'formular-semnalare';

/** Only to what the page has: `null` = there are no reviews, or they cannot be read. */
export function headLinks(reviews: PublicReviews | null, takesReports: boolean, language: Language): Html | null {
  const links = [
    ...(reviews === null || reviews.count === 0 ? [] : [ratingLink(reviews, language)]),
    ...(reviews === null ? [] : [html`<a href="#${RATING_FORM_ID}">${TEXTS.rate[language]}</a>`]),
    ...(takesReports ? [html`<a href="#${REPORT_FORM_ID}">${TEXTS.report[language]}</a>`] : []),
  ];
  return links.length === 0 ? null : html`<p class="head-links">${links.map((link) => [link, '\n'])}</p>\n`;
}

function ratingLink({ mean, count }: PublicReviews, language: Language): Html {
  return html`<a href="#${REVIEWS_ID}"><span class="stars" aria-hidden="true">★</span> <strong>${formatOneDecimal(mean, language)}</strong> ${TEXTS.outOf[language]} · ${counted(count, REVIEWS, language)}</a>`;
}

const TEXTS = {
  outOf: text('din 5', 'out of 5'),
  rate: text('Lăsați o recenzie', 'Write a review'),
  report: text('Semnalați un preț greșit', 'Report a wrong price'),
};
