/** The schemas of reviews, exactly as the contract states them. */
import type { Static } from 'typebox';
import { ANONYMOUS_NICKNAME } from '../../domain/review.ts';
import { Type } from '../../json/json-schema.ts';
import { described } from './localized-schema.ts';
import { countOf, romanianMessage, statusOk, strictObject } from './schema-parts.ts';

const ratings = {
  avg_rating: Type.Number({
    minimum: 0,
    maximum: 5,
    ...described({
      ro: 'Media tuturor stelelor aprobate, cu o zecimală; 0 = niciuna.',
      en: 'Average of all approved ratings, 1 decimal; 0 = none.',
    }),
  }),
  review_count: countOf({ ro: 'Câte recenzii sunt aprobate.', en: 'Number of approved reviews.' }),
};

const ReviewSchema = strictObject(
  {
    id: Type.Integer({ minimum: 1, ...described({ ro: 'Numărul recenziei.', en: 'Number of the review.' }) }),
    nickname: Type.String(
      described({
        ro: `Numele autorului; \`${ANONYMOUS_NICKNAME}\` = niciunul. Text simplu, nu HTML.`,
        en: `Name of the reviewer; \`${ANONYMOUS_NICKNAME}\` = none given. Text, not markup.`,
      }),
    ),
    rating: Type.Integer({ minimum: 1, maximum: 5, ...described({ ro: 'Stele.', en: 'Stars.' }) }),
    comment: Type.String(
      described({
        ro: 'Textul autorului; poate fi gol. Text simplu, nu HTML.',
        en: 'What the reviewer says; may be empty. Text, not markup.',
      }),
    ),
    created_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
      ...described({
        ro: 'Când a fost scrisă, ora României.',
        en: 'When it was written, local time in Romania.',
      }),
    }),
  },
  'Recenzie',
);

export const ReviewsSchema = strictObject(
  {
    status: statusOk,
    ...ratings,
    reviews: Type.Array(ReviewSchema, {
      maxItems: 20,
      ...described({ ro: 'Cele aprobate, cele mai noi primele.', en: 'Approved ones, newest first.' }),
    }),
  },
  'RaspunsRecenzii',
);

export const ReviewTakenSchema = strictObject(
  { status: statusOk, message: romanianMessage, ...ratings },
  'RaspunsRecenzie',
);

export type ReviewsJson = Static<typeof ReviewsSchema>;
export type ReviewTakenJson = Static<typeof ReviewTakenSchema>;
