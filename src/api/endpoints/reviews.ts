/** Visitors' reviews of stations: reading and posting. */
import { CHALLENGE_PATH } from '../../domain/access/proof-of-work.ts';
import { bucharestDateTime } from '../../domain/days.ts';
import {
  ANONYMOUS_NICKNAME,
  MAX_COMMENT_LENGTH,
  MAX_NICKNAME_LENGTH,
  MAX_REVIEWS_PER_DAY,
  meanRating,
  ownNickname,
  type PublicReview,
  type PublicReviews,
} from '../../domain/review.ts';
import { EXAMPLE_STATION, stationIdOf, stationSlug } from '../../domain/stations/station-slug.ts';
import { visibleText } from '../../domain/visible-text.ts';
import type { ServedStation } from '../../snapshot/snapshot.ts';
import type { Ratings, StationReviews } from '../../store/reviews/reviews.ts';
import { OPEN_ACCESS } from '../access/access-rules.ts';
import { REVIEW_MESSAGES } from '../contract/messages.ts';
import {
  type ReviewsJson,
  ReviewsSchema,
  type ReviewTakenJson,
  ReviewTakenSchema,
} from '../contract/review-schemas.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { cleanedText, type FieldValues, integerField, rawText, requiredText } from '../declaration/body-fields.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { segment } from '../declaration/parameters.ts';
import { Body } from '../encoding/body.ts';
import type { Caller } from '../request/caller.ts';
import { type Answer, ok, SAME_ORIGIN_JSON_HEADERS } from '../response/answer.ts';
import { problem } from '../response/problem.ts';
import { CAPTCHA_FAILED, REVIEWS_UNAVAILABLE, reviewsLimited } from '../response/refusals.ts';
import type { ChallengeResult } from './proof-of-work.ts';
import type { ReviewResult, ReviewService, ReviewSubmission } from './review-submission.ts';

export type ReviewEndpointDependencies = ReviewService & {
  /** Issues a challenge for a review with text; `null` = the captcha in use has no challenges. */
  readonly challengeFor: ((client: string) => Promise<ChallengeResult>) | null;
};

const UNAVAILABLE = {
  description: {
    ro: 'Recenziile nu pot fi citite sau scrise acum.',
    en: 'Reviews cannot be read or written right now.',
  },
  schema: ProblemSchema,
};

/** What a review consists of, for the endpoint and for the form of a station's page. */
export const REVIEW_FIELDS = {
  statie_slug: requiredText({
    description: {
      ro: 'Slug-ul stației; contează numai ultimele 12 caractere.',
      en: "The station's slug; its last 12 characters decide.",
    },
    example: EXAMPLE_STATION.slug,
  }),
  rating: integerField(1, 5, { description: { ro: 'Stele.', en: 'Stars.' }, example: 5 }),
  nickname: cleanedText(MAX_NICKNAME_LENGTH, ANONYMOUS_NICKNAME, {
    description: {
      ro: `Cel mult ${MAX_NICKNAME_LENGTH} de caractere, așa cum se văd; \`${ANONYMOUS_NICKNAME}\` sau gol înseamnă fără nume.`,
      en: `At most ${MAX_NICKNAME_LENGTH} characters as people see them; \`${ANONYMOUS_NICKNAME}\` or empty means no name.`,
    },
  }),
  comment: cleanedText(MAX_COMMENT_LENGTH, '', {
    description: {
      ro: `Cel mult ${MAX_COMMENT_LENGTH} de caractere, așa cum se văd.`,
      en: `At most ${MAX_COMMENT_LENGTH} characters as people see them.`,
    },
  }),
  recaptcha_token: rawText({
    description: {
      ro: `Obligatoriu când există comentariu sau nume; valabil o singură dată: soluția ALTCHA a unei provocări de la \`${CHALLENGE_PATH}\` sau, dacă serviciul folosește reCAPTCHA, un token v3 cu acțiunea \`review\`.`,
      en: `Required with a comment or a nickname; valid once: the ALTCHA solution of a challenge from \`${CHALLENGE_PATH}\` or, where the service uses reCAPTCHA, a v3 token with the action \`review\`.`,
    },
  }),
};

type ClientOf = (caller: Caller) => string;

/** `/reviews/{slug}` and `/review`; limits count for the client that `clientOf` returns. */
export function reviewEndpoints(reviews: ReviewService, clientOf: ClientOf): readonly Endpoint[] {
  return [readEndpoint(reviews), writeEndpoint(reviews, clientOf)];
}

function readEndpoint({ read }: ReviewService): Endpoint {
  return endpoint({
    operationId: 'getReviews',
    path: '/api/v1/reviews/{slug}',
    tag: API_TAGS.reviews,
    summary: { ro: 'Nota și recenziile unei stații', en: 'Rating and reviews of a station' },
    description: {
      ro: 'Media stelelor și cel mult 20 de recenzii aprobate, cele mai noi primele. O stație fără recenzii, sau una care nu există, are o listă goală.',
      en: 'The mean rating and up to 20 approved reviews, newest first. A station without reviews, or one that does not exist, has an empty list.',
    },
    access: OPEN_ACCESS,
    parameters: {
      slug: segment({
        description: {
          ro: 'Slug-ul stației, ultima parte a adresei paginii ei: `<rețea>-<oraș>-<id>`. Contează numai ultimele 12 caractere, câmpul `id`.',
          en: "The station's slug, the last part of its page's address; its last 12 characters, the `id`, decide.",
        },
        example: EXAMPLE_STATION.slug,
      }),
    },
    answers: {
      200: { description: { ro: 'Recenziile.', en: 'The reviews.' }, schema: ReviewsSchema },
      503: UNAVAILABLE,
    },
    handle({ slug }) {
      const station = stationIdOf(slug);
      if (station === null) return reviewsAnswer(NO_REVIEWS_YET);
      return async () => {
        const found = await read(station);
        return found === null ? refuse(REVIEWS_UNAVAILABLE) : reviewsAnswer(found);
      };
    },
  });
}

function writeEndpoint({ submit }: ReviewService, clientOf: ClientOf): Endpoint {
  return endpoint({
    method: 'POST',
    operationId: 'addReview',
    path: '/api/v1/review',
    tag: API_TAGS.reviews,
    summary: { ro: 'Trimiterea unei evaluări sau recenzii', en: 'Rate or review a station' },
    description: {
      ro:
        'O evaluare numai cu stele se numără imediat. Un comentariu sau un nume propriu are nevoie de un `recaptcha_token` și apare după aprobare, împreună cu stelele. ' +
        `O recenzie pe zi pentru o stație și ${MAX_REVIEWS_PER_DAY} pe zi de la o adresă; ziua începe la miezul nopții în România.`,
      en:
        'Stars alone count at once. A comment or a name of your own needs a `recaptcha_token` and appears after approval, stars included. ' +
        `One review per day and station, and ${MAX_REVIEWS_PER_DAY} per day, from one address; days begin at midnight in Romania.`,
    },
    withoutKey: {
      ro: `o recenzie pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi de la o adresă IP.`,
      en: `one review per day and station, and at most ${MAX_REVIEWS_PER_DAY} per day, from one IP address.`,
    },
    access: OPEN_ACCESS,
    parameters: {},
    fields: REVIEW_FIELDS,
    answers: {
      200: {
        description: {
          ro: 'Primită; nota este cea a recenziilor aprobate.',
          en: 'Accepted; the rating is that of the approved reviews.',
        },
        schema: ReviewTakenSchema,
      },
      400: {
        description: {
          ro: 'Stația nu este cunoscută sau corpul cererii nu are forma așteptată.',
          en: 'The station is unknown, or the body does not have the expected form.',
        },
        schema: ProblemSchema,
      },
      403: {
        description: {
          ro: 'Există text, iar verificarea captcha nu a reușit.',
          en: 'There is text, and the captcha verification failed.',
        },
        schema: ProblemSchema,
      },
      429: {
        description: {
          ro: 'A fost atinsă o limită zilnică a adresei IP.',
          en: 'A daily limit of the IP address is reached.',
        },
        schema: ProblemSchema,
        retryAfter: 'always',
      },
      503: UNAVAILABLE,
    },
    handle({ body, rendered, caller }) {
      const review = newReview(body, (id) => rendered.station(id));
      if (review === null)
        return refuse(problem(400, REVIEW_MESSAGES.unknownStation(body.statie_slug)), { cors: false });
      return async () => submissionAnswer(await submit({ ...review, client: clientOf(caller) }));
    },
  });
}

/** The review that the fields mean; `null` = the station is unknown. Rule 36. */
export function newReview(
  { statie_slug: slug, rating, nickname, comment, recaptcha_token: token }: FieldValues<typeof REVIEW_FIELDS>,
  stationById: (id: string) => ServedStation | undefined,
): Omit<ReviewSubmission, 'client'> | null {
  const station = stationById(stationIdOf(slug) ?? '');
  if (station === undefined) return null;
  return {
    station: station.id,
    slug: stationSlug(station),
    rating,
    nickname: ownNickname(nickname),
    comment: comment === '' ? null : comment,
    token,
  };
}

/** The approved reviews of the station that a slug names; `null` = the database does not answer. */
export async function publicReviews(
  { read }: Pick<ReviewService, 'read'>,
  slug: string,
): Promise<PublicReviews | null> {
  const station = stationIdOf(slug);
  const found = station === null ? NO_REVIEWS_YET : await read(station);
  return found && toPublicReviews(found);
}

const NO_REVIEWS_YET: StationReviews = { count: 0, stars: 0, newest: [] };

const ratingsOf = ({ stars, count }: Ratings) => ({ avg_rating: meanRating(stars, count), review_count: count });

/** Cleans the texts once more: some were stored before hidden characters were dropped. */
function toPublicReviews({ count, stars, newest }: StationReviews): PublicReviews {
  const clean = (text: string | null) => visibleText(text ?? '') || null;
  return {
    count,
    mean: meanRating(stars, count),
    newest: newest.map((each) => ({ ...each, nickname: clean(each.nickname), comment: clean(each.comment) })),
  };
}

function reviewsAnswer(found: StationReviews): Answer {
  const { mean, count, newest } = toPublicReviews(found);
  const answer: ReviewsJson = {
    status: 'ok',
    avg_rating: mean,
    review_count: count,
    reviews: newest.map(reviewJson),
  };
  return ok(Body.singleUse(JSON.stringify(answer)));
}

const reviewJson = ({ id, nickname, rating, comment, createdAt }: PublicReview) => ({
  id,
  nickname: nickname ?? ANONYMOUS_NICKNAME,
  rating,
  comment: comment ?? '',
  created_at: bucharestDateTime(createdAt),
});

function submissionAnswer(submitted: ReviewResult): Answer {
  switch (submitted.kind) {
    case 'added': {
      const { needsApproval, ratings } = submitted.answer;
      const message = needsApproval ? REVIEW_MESSAGES.awaitsApproval : REVIEW_MESSAGES.published;
      const answer: ReviewTakenJson = { status: 'ok', message, ...ratingsOf(ratings) };
      return ok(Body.singleUse(JSON.stringify(answer)), SAME_ORIGIN_JSON_HEADERS);
    }
    case 'limited':
      return refuse(reviewsLimited(submitted.waitMs), { cors: false });
    case 'no captcha':
      return refuse(CAPTCHA_FAILED, { cors: false });
    case 'unavailable':
      return refuse(REVIEWS_UNAVAILABLE, { cors: false });
  }
}
