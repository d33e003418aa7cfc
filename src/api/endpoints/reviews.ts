/** Visitors' reviews of stations: reading and posting. */
import { bucharestDateTime } from '../../domain/days.ts';
import {
  ANONYMOUS_NICKNAME,
  MAX_COMMENT_LENGTH,
  MAX_NICKNAME_LENGTH,
  MAX_REVIEWS_PER_DAY,
  meanRating,
  ownNickname,
} from '../../domain/review.ts';
import { EXAMPLE_STATION, stationIdOf, stationSlug } from '../../domain/stations/station-slug.ts';
import type { ApprovedReview, Ratings, StationReviews } from '../../store/reviews/reviews.ts';
import { type Caller, OPEN_ACCESS } from '../access/access.ts';
import { REVIEW_MESSAGES } from '../contract/messages.ts';
import {
  type ReviewsJson,
  ReviewsSchema,
  type ReviewTakenJson,
  ReviewTakenSchema,
} from '../contract/review-schemas.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { cleanedText, integerField, rawText, requiredText } from '../declaration/body-fields.ts';
import { type Endpoint, endpoint, ok, refuse } from '../declaration/endpoint.ts';
import { segment } from '../declaration/parameters.ts';
import { Body } from '../encoding/body.ts';
import { type Answer, PRIVATE_HEADERS } from '../response/answer.ts';
import { problem } from '../response/problem.ts';
import { CAPTCHA_FAILED, REVIEWS_UNAVAILABLE, reviewsLimited } from '../response/refusals.ts';
import type { ReviewService, SubmissionResult } from './review-service.ts';

export type ReviewEndpointDependencies = ReviewService & {
  /** The client that limits are counted for. */
  readonly clientOf: (caller: Caller) => string;
};

const UNAVAILABLE = {
  description: {
    ro: 'Recenziile nu pot fi citite sau scrise acum.',
    en: 'Reviews cannot be read or written right now.',
  },
  schema: ProblemSchema,
};

/** `/reviews/{slug}` and `/review`. */
export function reviewEndpoints(reviews: ReviewEndpointDependencies): readonly Endpoint[] {
  return [readEndpoint(reviews), writeEndpoint(reviews)];
}

function readEndpoint({ read }: ReviewEndpointDependencies): Endpoint {
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
          ro: 'Slug-ul stației, ultima parte a adresei paginii ei: `<rețea>-<oraș>-<id>`. Hotărăsc ultimele 12 caractere, câmpul `id`.',
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

function writeEndpoint({ submit, clientOf }: ReviewEndpointDependencies): Endpoint {
  return endpoint({
    method: 'POST',
    operationId: 'addReview',
    path: '/api/v1/review',
    tag: API_TAGS.reviews,
    summary: { ro: 'Evaluarea sau recenzia unei stații', en: 'Rate or review a station' },
    description: {
      ro:
        'Stelele fără text se numără imediat. Un comentariu sau un nume propriu are nevoie de un `recaptcha_token` (v3, acțiunea `review`) și apare, cu tot cu stele, după aprobare. ' +
        `O recenzie pe zi pentru o stație și ${MAX_REVIEWS_PER_DAY} pe zi de la o adresă; ziua începe la miezul nopții în România.`,
      en:
        'Stars alone count at once. A comment or a name of your own needs a `recaptcha_token` (v3, action `review`) and appears after approval, stars included. ' +
        `One review per day and station, and ${MAX_REVIEWS_PER_DAY} per day, from one address; days begin at midnight in Romania.`,
    },
    withoutKey: {
      ro: `o recenzie pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi de la o adresă IP.`,
      en: `one review per day and station, and at most ${MAX_REVIEWS_PER_DAY} per day, from one IP address.`,
    },
    access: OPEN_ACCESS,
    parameters: {},
    fields: {
      statie_slug: requiredText({
        description: {
          ro: 'Slug-ul stației; hotărăsc ultimele 12 caractere.',
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
          ro: 'Obligatoriu când există comentariu sau nume; bun o singură dată.',
          en: 'Required with a comment or a nickname; valid once.',
        },
      }),
    },
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
      const id = stationIdOf(body.statie_slug);
      const station = id === null ? undefined : rendered.station(id);
      if (station === undefined) return refuse(problem(400, REVIEW_MESSAGES.unknownStation(body.statie_slug)), false);
      const review = {
        station: station.id,
        slug: stationSlug(station),
        rating: body.rating,
        nickname: ownNickname(body.nickname),
        comment: body.comment === '' ? null : body.comment,
        token: body.recaptcha_token,
      };
      return async () => submissionAnswer(await submit({ ...review, client: clientOf(caller) }));
    },
  });
}

const NO_REVIEWS_YET: StationReviews = { count: 0, stars: 0, newest: [] };

const ratingsOf = ({ stars, count }: Ratings) => ({ avg_rating: meanRating(stars, count), review_count: count });

function reviewsAnswer(found: StationReviews): Answer {
  const answer: ReviewsJson = { status: 'ok', ...ratingsOf(found), reviews: found.newest.map(reviewJson) };
  return ok(Body.singleUse(JSON.stringify(answer)));
}

const reviewJson = ({ id, nickname, rating, comment, createdAt }: ApprovedReview) => ({
  id,
  nickname: nickname ?? ANONYMOUS_NICKNAME,
  rating,
  comment: comment ?? '',
  created_at: bucharestDateTime(createdAt),
});

function submissionAnswer(submitted: SubmissionResult): Answer {
  switch (submitted.kind) {
    case 'added': {
      const message = submitted.needsApproval ? REVIEW_MESSAGES.awaitsApproval : REVIEW_MESSAGES.published;
      const answer: ReviewTakenJson = { status: 'ok', message, ...ratingsOf(submitted.ratings) };
      return ok(Body.singleUse(JSON.stringify(answer)), PRIVATE_HEADERS);
    }
    case 'limited':
      return refuse(reviewsLimited(submitted.waitMs), false);
    case 'no captcha':
      return refuse(CAPTCHA_FAILED, false);
    case 'unavailable':
      return refuse(REVIEWS_UNAVAILABLE, false);
  }
}
