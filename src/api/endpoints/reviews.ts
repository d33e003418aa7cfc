/** What visitors say of stations, read and written. */
import { bucharestClock } from '../../domain/days.ts';
import { LONGEST_COMMENT, LONGEST_NICKNAME, meanRating, NAMELESS, ownNickname } from '../../domain/review.ts';
import { stationIdOf, stationSlug } from '../../domain/stations/station-slug.ts';
import type { ApprovedReview, Ratings, StationReviews } from '../../store/reviews/reviews.ts';
import { type Caller, OPEN } from '../access/access.ts';
import { REVIEW } from '../contract/messages.ts';
import {
  type ReviewsJson,
  ReviewsSchema,
  type ReviewTakenJson,
  ReviewTakenSchema,
} from '../contract/review-schemas.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { cleanedText, rawText, requiredText, wholeField } from '../declaration/body-fields.ts';
import { type Endpoint, endpoint, ok, refused } from '../declaration/endpoint.ts';
import { segment } from '../declaration/parameters.ts';
import { Body } from '../encoding/body.ts';
import { type Answer, PRIVATE_HEADERS } from '../response/answer.ts';
import { problem } from '../response/problem.ts';
import { CAPTCHA_FAILED, REVIEWS_UNAVAILABLE, reviewsLimited } from '../response/refusals.ts';
import type { ReviewDesk, Submitted } from './review-service.ts';

export type Reviews = ReviewDesk & {
  /** Where a request comes from, as limits count it. */
  readonly clientOf: (caller: Caller) => string;
};

const SLUG = 'petrom-cluj-napoca-0a1b2c3d4e5f';
const UNAVAILABLE = { description: 'Reviews cannot be read or written right now.', schema: ProblemSchema };

/** `/reviews/{slug}` and `/review`. */
export function reviewEndpoints(reviews: Reviews): readonly Endpoint[] {
  return [readEndpoint(reviews), writeEndpoint(reviews)];
}

function readEndpoint({ read }: Reviews): Endpoint {
  return endpoint({
    operationId: 'getReviews',
    path: '/api/v1/reviews/{slug}',
    tag: API_TAGS.reviews,
    summary: 'Rating and reviews of a station',
    description:
      'The mean rating and up to 20 approved reviews, newest first. A station without reviews, or one that does not exist, has an empty list.',
    access: OPEN,
    parameters: {
      slug: segment({
        description:
          "The station's slug, the last part of its page's address; its last 12 characters, the `id`, decide.",
        example: SLUG,
      }),
    },
    answers: {
      200: { description: 'The reviews.', schema: ReviewsSchema },
      503: UNAVAILABLE,
    },
    handle({ slug }) {
      const station = stationIdOf(slug);
      if (station === null) return listed(NO_REVIEWS);
      return async () => {
        const found = await read(station);
        return found === null ? refused(REVIEWS_UNAVAILABLE) : listed(found);
      };
    },
  });
}

function writeEndpoint({ submit, clientOf }: Reviews): Endpoint {
  return endpoint({
    method: 'POST',
    operationId: 'addReview',
    path: '/api/v1/review',
    tag: API_TAGS.reviews,
    summary: 'Rate or review a station',
    description:
      'Stars alone count at once. A comment or a name of your own needs a `recaptcha_token` (v3, action `review`) and appears after approval, stars included. ' +
      'One review a day of a station and three a day from an address; days begin at midnight in Romania.',
    access: OPEN,
    parameters: {},
    fields: {
      statie_slug: requiredText({ description: "The station's slug; its last 12 characters decide.", example: SLUG }),
      rating: wholeField(1, 5, { description: 'Stars.', example: 5 }),
      nickname: cleanedText(LONGEST_NICKNAME, NAMELESS, {
        description: `At most ${LONGEST_NICKNAME} characters as people see them; \`${NAMELESS}\` and an empty one are none.`,
      }),
      comment: cleanedText(LONGEST_COMMENT, '', {
        description: `At most ${LONGEST_COMMENT} characters as people see them.`,
      }),
      recaptcha_token: rawText({ description: 'Required with a comment or a nickname; good once.' }),
    },
    answers: {
      200: { description: 'Taken; the rating is that of the approved reviews.', schema: ReviewTakenSchema },
      400: { description: 'The station is not known, or the body is not as it should be.', schema: ProblemSchema },
      403: { description: 'There is text, and the captcha was not verified.', schema: ProblemSchema },
      429: { description: 'A daily limit of the address is reached.', schema: ProblemSchema, retryAfter: 'always' },
      503: UNAVAILABLE,
    },
    handle({ body, edition, caller }) {
      const id = stationIdOf(body.statie_slug);
      const station = id === null ? undefined : edition.station(id);
      if (station === undefined) return refused(problem(400, REVIEW.unknownStation(body.statie_slug)), false);
      const review = {
        station: station.id,
        slug: stationSlug(station),
        rating: body.rating,
        nickname: ownNickname(body.nickname),
        comment: body.comment === '' ? null : body.comment,
        token: body.recaptcha_token,
      };
      return async () => answerTo(await submit({ ...review, client: clientOf(caller) }));
    },
  });
}

const NO_REVIEWS: StationReviews = { count: 0, stars: 0, newest: [] };

const ratingsOf = ({ stars, count }: Ratings) => ({ avg_rating: meanRating(stars, count), review_count: count });

function listed(found: StationReviews): Answer {
  const answer: ReviewsJson = { status: 'ok', ...ratingsOf(found), reviews: found.newest.map(reviewJson) };
  return ok(Body.once(JSON.stringify(answer)));
}

const reviewJson = ({ id, nickname, rating, comment, createdAt }: ApprovedReview) => ({
  id,
  nickname: nickname ?? NAMELESS,
  rating,
  comment: comment ?? '',
  created_at: bucharestClock(createdAt),
});

function answerTo(submitted: Submitted): Answer {
  switch (submitted.kind) {
    case 'added': {
      const message = submitted.waits ? REVIEW.waits : REVIEW.published;
      const answer: ReviewTakenJson = { status: 'ok', message, ...ratingsOf(submitted.ratings) };
      return ok(Body.once(JSON.stringify(answer)), PRIVATE_HEADERS);
    }
    case 'limited':
      return refused(reviewsLimited(submitted.waitMs), false);
    case 'no captcha':
      return refused(CAPTCHA_FAILED, false);
    case 'unavailable':
      return refused(REVIEWS_UNAVAILABLE, false);
  }
}
