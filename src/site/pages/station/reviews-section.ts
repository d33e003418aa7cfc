/** The reviews of a station and the form to rate it, which works without code. */
import type { CaptchaKind } from '../../../domain/access/captcha-kind.ts';
import { CHALLENGE_PATH } from '../../../domain/access/proof-of-work.ts';
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
import { counted, REVIEWS, STARS } from '../../html/counted.ts';
import { formatDay, formatOneDecimal } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
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
  nickname: { ro: 'Nume (poate lipsi)', en: 'Name (optional)' },
  comment: { ro: 'Comentariu (poate lipsi)', en: 'Comment (optional)' },
  moderated: {
    ro: 'Un text apare, cu tot cu stele, după ce îl citește un moderator.',
    en: 'A text appears, stars included, once a moderator has read it.',
  },
  withoutCode: {
    ro: 'Fără JavaScript se pot trimite numai stelele.',
    en: 'Without JavaScript, only stars can be sent.',
  },
  working: { ro: 'Se verifică browserul, o secundă sau două…', en: 'Checking your browser, a second or two…' },
  failed: {
    ro: 'Verificarea nu a reușit. Încercați din nou sau trimiteți numai stelele.',
    en: 'The check failed. Try again, or send the stars alone.',
  },
  rules: {
    ro: `Nota se vede imediat. Se primește una pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi de la o adresă.`,
    en: `The rating shows at once. One per day and station is accepted, and at most ${MAX_REVIEWS_PER_DAY} per day from one address.`,
  },
} as const satisfies Record<string, LocalizedText>;

const WORDS: readonly LocalizedText[] = [
  { ro: 'foarte slab', en: 'very poor' },
  { ro: 'slab', en: 'poor' },
  { ro: 'acceptabil', en: 'fair' },
  { ro: 'bun', en: 'good' },
  { ro: 'foarte bun', en: 'very good' },
];

/** Whether the form has fields for a text, which need the module `review`. */
export function takesText(captcha: CaptchaKind): boolean {
  return captcha === 'altcha';
}

/** The mean, the newest reviews and the form; only a sentence while the reviews cannot be read. */
export function reviewsSection(
  { slug }: StationDetails,
  reviews: PublicReviews | null,
  captcha: CaptchaKind,
  language: Language,
): Html {
  const heading = html`<h2 id="recenzii">${TEXTS.heading[language]}</h2>`;
  if (reviews === null) return html`${heading}\n<p>${TEXTS.unavailable[language]}</p>`;
  return html`${heading}
${reviews.count === 0 ? html`<p>${TEXTS.none[language]}</p>` : reviewList(reviews, language)}
${ratingForm(slug, takesText(captcha), language)}`;
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

function ratingForm(slug: string, withText: boolean, language: Language): Html {
  const choices = [5, 4, 3, 2, 1].map((rating) => {
    const words = `${counted(rating, STARS, language)}, ${WORDS[rating - 1]?.[language]}`;
    return html`<label class="choice"><input type="radio" name="rating" value="${rating}" required> <span class="stars" aria-hidden="true">${'★'.repeat(rating)}</span> <span>${words}</span></label>\n`;
  });
  return html`<form class="rate" method="post" action="${REVIEW_FORM_PATH[language]}">
<h3>${TEXTS.rate[language]}</h3>
<input type="hidden" name="statie_slug" value="${slug}">
<fieldset><legend>${TEXTS.stars[language]}</legend>
${choices}</fieldset>
${withText ? textFields(language) : null}<p class="soft">${TEXTS.rules[language]}</p>
<p><button>${TEXTS.send[language]}</button></p>
</form>`;
}

/** Disabled, so that nothing of them is sent, until the module `review` has started. */
function textFields(language: Language): Html {
  return html`<noscript><p class="soft">${TEXTS.withoutCode[language]}</p></noscript>
<fieldset data-challenge="${CHALLENGE_PATH}" hidden disabled><legend>${TEXTS.text[language]}</legend>
<input type="hidden" name="recaptcha_token">
<label>${TEXTS.nickname[language]} <input type="text" name="nickname" maxlength="${MAX_NICKNAME_LENGTH}" autocomplete="nickname"></label>
<label>${TEXTS.comment[language]} <textarea name="comment" rows="4" maxlength="${MAX_COMMENT_LENGTH}"></textarea></label>
<p class="soft">${TEXTS.moderated[language]}</p>
</fieldset>
<p role="status" data-working="${TEXTS.working[language]}" data-failed="${TEXTS.failed[language]}"></p>
`;
}
