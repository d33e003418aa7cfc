/** The reviews of a station and the form to rate it, which works without code. */
import { bucharestDay, dayNumber } from '../../../domain/days.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { REVIEW_FORM_PATH } from '../../../domain/pages/routes.ts';
import {
  MAX_COMMENT_LENGTH,
  MAX_NICKNAME_LENGTH,
  MAX_REVIEWS_PER_DAY,
  type PublicReview,
  type PublicReviews,
} from '../../../domain/review.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { counted, REVIEWS, STARS } from '../../html/counted.ts';
import { formatDay, formatOneDecimal } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { checkedText } from '../../parts/checked-text.ts';
import { RATING_FORM_ID, REVIEWS_ID } from './head-links.ts';
import type { StationDetails } from './station-data.ts';

const TEXTS = {
  heading: { ro: 'Recenzii', en: 'Reviews' },
  unavailable: {
    ro: 'Recenziile nu pot fi citite acum. Prețurile de mai sus nu depind de ele.',
    en: 'The reviews cannot be read right now. The prices above do not depend on them.',
  },
  none: { ro: 'Încă nu există nicio recenzie.', en: 'There are no reviews yet.' },
  outOf: { ro: 'din 5', en: 'out of 5' },
  newest: { ro: 'Cele mai noi', en: 'The newest' },
  anonymous: { ro: 'Anonim', en: 'Anonymous' },
  rate: { ro: 'Evaluați stația', en: 'Rate this station' },
  stars: { ro: 'Nota dumneavoastră', en: 'Your rating' },
  send: { ro: 'Trimite nota', en: 'Send the rating' },
  text: { ro: 'Dacă vreți, și în cuvinte', en: 'In words, if you like' },
  nickname: { ro: 'Nume (opțional)', en: 'Name (optional)' },
  comment: { ro: 'Comentariu (opțional)', en: 'Comment (optional)' },
  moderated: {
    ro: 'Cu un text, recenzia apare, cu tot cu stele, după ce o citește un moderator.',
    en: 'With a text, the review appears, stars included, once a moderator has read it.',
  },
  withoutCode: {
    ro: 'Fără JavaScript se pot trimite numai stelele.',
    en: 'Without JavaScript, only stars can be sent.',
  },
  failed: {
    ro: 'Verificarea nu a reușit. Încercați din nou sau trimiteți numai stelele.',
    en: 'The check failed. Try again, or send the stars alone.',
  },
  rules: {
    ro: `Numai cu stele, nota se vede imediat. De la o adresă de internet se primesc o singură recenzie pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi în total.`,
    en: `With stars alone, the rating shows at once. From one internet address, one review a day is accepted for a station, and at most ${MAX_REVIEWS_PER_DAY} a day in all.`,
  },
} as const satisfies Record<string, LocalizedText>;

const WORDS: readonly LocalizedText[] = [
  { ro: 'foarte slab', en: 'very poor' },
  { ro: 'slab', en: 'poor' },
  { ro: 'acceptabil', en: 'fair' },
  { ro: 'bun', en: 'good' },
  { ro: 'foarte bun', en: 'very good' },
];

/** The mean, the newest reviews and the form; only a sentence while the reviews cannot be read. */
export function reviewsSection(
  { slug }: StationDetails,
  reviews: PublicReviews | null,
  data: SiteData,
  language: Language,
): Html {
  const heading = html`<h2 id="${REVIEWS_ID}">${TEXTS.heading[language]}</h2>`;
  if (reviews === null) return html`${heading}\n<p>${TEXTS.unavailable[language]}</p>`;
  return html`${heading}
${reviews.count === 0 ? html`<p>${TEXTS.none[language]}</p>` : reviewList(reviews, language)}
${ratingForm(slug, data, language)}`;
}

function reviewList({ count, mean, newest }: PublicReviews, language: Language): Html {
  const all = counted(count, REVIEWS, language);
  const shown = count > newest.length ? html`<h3>${TEXTS.newest[language]}</h3>\n` : null;
  return html`<p class="rating"><strong>${formatOneDecimal(mean, language)}</strong> ${TEXTS.outOf[language]} · ${all}</p>
${shown}<ul class="reviews">
${newest.map((review) => reviewItem(review, language))}</ul>`;
}

function reviewItem({ nickname, rating, comment, createdAt }: PublicReview, language: Language): Html {
  const day = bucharestDay(createdAt);
  return html`<li><p>${stars(rating, language)} <strong>${nickname ?? TEXTS.anonymous[language]}</strong> <time class="soft" datetime="${day}">${formatDay(dayNumber(day), language)}</time></p>${comment === null ? null : html`<p>${comment}</p>`}</li>
`;
}

function stars(rating: number, language: Language): Html {
  const label = counted(rating, STARS, language);
  return html`<span class="stars" role="img" aria-label="${label}">${'★'.repeat(rating)}${'☆'.repeat(5 - rating)}</span>`;
}

function ratingForm(slug: string, data: SiteData, language: Language): Html {
  const choices = [5, 4, 3, 2, 1].map((rating) => {
    const words = `${counted(rating, STARS, language)}, ${WORDS[rating - 1]?.[language]}`;
    return html`<label class="choice"><input type="radio" name="rating" value="${rating}" required> <span class="stars" aria-hidden="true">${'★'.repeat(rating)}</span> <span>${words}</span></label>\n`;
  });
  return html`<form class="rate" id="${RATING_FORM_ID}" method="post" action="${REVIEW_FORM_PATH[language]}">
<h3>${TEXTS.rate[language]}</h3>
<input type="hidden" name="statie_slug" value="${slug}">
<fieldset><legend>${TEXTS.stars[language]}</legend>
${choices}</fieldset>
${textFields(data, language)}<p class="soft">${TEXTS.rules[language]}</p>
<p><button type="submit">${TEXTS.send[language]}</button></p>
</form>`;
}

function textFields(data: SiteData, language: Language): Html | null {
  const fields = html`<label>${TEXTS.nickname[language]} <input type="text" name="nickname" maxlength="${MAX_NICKNAME_LENGTH}" autocomplete="nickname"></label>
<label>${TEXTS.comment[language]} <textarea name="comment" rows="4" maxlength="${MAX_COMMENT_LENGTH}"></textarea></label>`;
  const { text: legend, moderated: note, withoutCode, failed } = TEXTS;
  return checkedText({ legend, fields, note, withoutCode, failed }, data, language);
}
