/** The shapes of reviews, word for word those of the contract. */
import { type Static, Type } from 'typebox';
import { oneOf, strictObject } from './schema-parts.ts';

const status = oneOf(['ok'], 'Always `ok`.');
const ratings = {
  avg_rating: Type.Number({
    minimum: 0,
    maximum: 5,
    description: 'Mean of all approved ratings, 1 decimal; 0 = none.',
  }),
  review_count: Type.Integer({ minimum: 0, description: 'Number of approved reviews.' }),
};

const ReviewSchema = strictObject(
  {
    id: Type.Integer({ minimum: 1, description: 'Number of the review.' }),
    nickname: Type.String({ description: 'Name of the reviewer; `Anonim` = none given. Text, not markup.' }),
    rating: Type.Integer({ minimum: 1, maximum: 5, description: 'Stars.' }),
    comment: Type.String({ description: 'What the reviewer says; may be empty. Text, not markup.' }),
    created_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
      description: 'When it was written, local time in Romania.',
    }),
  },
  'Recenzie',
);

export const ReviewsSchema = strictObject(
  {
    status,
    ...ratings,
    reviews: Type.Array(ReviewSchema, { maxItems: 20, description: 'Approved ones, newest first.' }),
  },
  'RaspunsRecenzii',
);

export const ReviewTakenSchema = strictObject(
  { status, message: Type.String({ description: 'Romanian; not part of the contract.' }), ...ratings },
  'RaspunsRecenzie',
);

export type ReviewsJson = Static<typeof ReviewsSchema>;
export type ReviewTakenJson = Static<typeof ReviewTakenSchema>;
