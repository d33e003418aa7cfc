/** What a visitor sees after posting a review: thanks, or why it was not accepted. */
import type { Language } from '../../../domain/localized-text.ts';
import { MAX_REVIEWS_PER_DAY, type ReviewOutcome } from '../../../domain/review.ts';
import type { Page } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type OutcomeTexts, outcomePage } from './outcome-page.ts';

export type PostedReview = {
  readonly outcome: ReviewOutcome;
  readonly language: Language;
  /** What the form sent as the slug of the station; `''` = nothing. */
  readonly slug: string;
};

const OUTCOMES: Readonly<Record<ReviewOutcome, OutcomeTexts>> = {
  published: {
    status: 200,
    title: { ro: 'Mulțumim pentru notă', en: 'Thank you for your rating' },
    text: {
      ro: 'Nota a fost publicată și intră deja în media stației.',
      en: 'Your rating is public and already counts in the station’s average.',
    },
  },
  'awaits approval': {
    status: 200,
    title: { ro: 'Mulțumim pentru recenzie', en: 'Thank you for your review' },
    text: {
      ro: 'Recenzia, cu tot cu stele, apare după ce o citește un moderator.',
      en: 'Your review, stars included, appears once a moderator has read it.',
    },
  },
  limited: {
    status: 429,
    title: { ro: 'Ați trimis deja o recenzie', en: 'You have already sent a review' },
    text: {
      ro: `De la o adresă de internet se primește o recenzie pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi în total. Puteți reveni mâine. Dacă împărțiți adresa cu alții, poate că a trimis altcineva.`,
      en: `One review per day and station, and at most ${MAX_REVIEWS_PER_DAY} per day in all, are accepted from one internet address. You can come back tomorrow. If you share the address, somebody else may have sent one.`,
    },
  },
  'no captcha': {
    status: 403,
    title: { ro: 'Recenzia nu a fost primită', en: 'Your review was not accepted' },
    text: {
      ro: 'Pentru text sau nume trebuie să verificăm că nu sunteți un robot, iar verificarea nu a reușit. Încercați din nou sau trimiteți numai stelele.',
      en: 'A text or a name needs a check that you are not a robot, which failed. Try again, or send the stars alone.',
    },
  },
  'other site': {
    status: 403,
    title: { ro: 'Recenzia nu a fost primită', en: 'Your review was not accepted' },
    text: {
      ro: 'Formularul a fost trimis de pe alt site. Trimiteți recenzia de pe pagina stației.',
      en: 'The form was sent from another site. Send your review from the page of the station.',
    },
  },
  malformed: {
    status: 400,
    title: { ro: 'Recenzia nu este completă', en: 'Your review is not complete' },
    text: {
      ro: 'Lipsește nota, textul este prea lung sau stația nu mai există. Încercați din nou de pe pagina stației.',
      en: 'The rating is missing, the text is too long, or the station no longer exists. Try again from the page of the station.',
    },
  },
  unavailable: {
    status: 503,
    title: { ro: 'Recenzia nu a putut fi salvată', en: 'Your review could not be saved' },
    text: {
      ro: 'Recenziile nu sunt disponibile în acest moment. Încercați din nou peste câteva minute.',
      en: 'Reviews are not available right now. Try again in a few minutes.',
    },
  },
};

/** The page; it leads back to the station, in both languages. */
export function reviewOutcomePage({ outcome, language, slug }: PostedReview, data: SiteData): Page {
  return outcomePage({ ...OUTCOMES[outcome], language, slug, anchor: 'recenzii' }, data);
}
