/** A review posted by the form of a station's page: the endpoint's fields, limits and captcha, in a form's encoding. */
import type { ReviewOutcome } from '../../domain/review.ts';
import type { ServedStation } from '../../snapshot/snapshot.ts';
import { parseFields } from '../declaration/body-fields.ts';
import { formFields } from '../request/form-fields.ts';
import type { ReviewService } from './review-submission.ts';
import { newReview, REVIEW_FIELDS } from './reviews.ts';

/** How a posted review ended. */
export type PostedReview = {
  readonly outcome: ReviewOutcome;
  /** What was sent as the station's slug; `''` = nothing. */
  readonly slug: string;
  /** How long the client must wait, if it is `limited`. */
  readonly waitMs?: number;
};

type FormDependencies = {
  readonly submit: ReviewService['submit'];
  readonly stationById: (id: string) => ServedStation | undefined;
  /** Whom limits are counted for. */
  readonly client: string;
};

/** Submits the review in a form's body. */
export async function postReviewForm(
  body: Buffer,
  { submit, stationById, client }: FormDependencies,
): Promise<PostedReview> {
  const fields = formFields(body);
  const slug = fields?.statie_slug ?? '';
  const { rating, ...texts } = fields ?? {};
  // A form has only texts.
  const stars = /^[1-5]$/.test(rating ?? '') ? Number(rating) : rating;
  const parsed = parseFields(REVIEW_FIELDS, { ...texts, rating: stars });
  const review = 'problem' in parsed ? null : newReview(parsed.values, stationById);
  if (review === null) return { outcome: 'malformed', slug };
  const result = await submit({ ...review, client });
  switch (result.kind) {
    case 'added':
      return { outcome: result.answer.needsApproval ? 'awaits approval' : 'published', slug };
    case 'limited':
      return { outcome: 'limited', slug, waitMs: result.waitMs };
    default:
      return { outcome: result.kind, slug };
  }
}
