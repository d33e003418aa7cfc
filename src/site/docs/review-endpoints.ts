/** The endpoints about reviews, explained. Source: API contract. */
import {
  ANONYMOUS_NICKNAME,
  MAX_COMMENT_LENGTH,
  MAX_NICKNAME_LENGTH,
  MAX_REVIEWS_PER_DAY,
} from '../../domain/review.ts';
import type { DocumentedField, EndpointDoc } from './endpoint-section.ts';

const RATINGS: readonly DocumentedField[] = [
  {
    names: ['avg_rating'],
    type: 'number',
    about: {
      ro: 'Media stelelor aprobate, cu o zecimală; 0 = niciuna.',
      en: 'Mean of the approved ratings, 1 decimal; 0 = none.',
    },
  },
  {
    names: ['review_count'],
    type: 'integer',
    about: { ro: 'Câte recenzii sunt aprobate.', en: 'Number of approved reviews.' },
  },
];

export const REVIEW_ENDPOINTS: readonly EndpointDoc[] = [
  {
    id: 'reviews',
    path: '/api/v1/reviews/{slug}',
    title: { ro: 'Nota și recenziile unei stații', en: 'Rating and reviews of a station' },
    access: { ro: 'totul, fără limită.', en: 'everything, no cap.' },
    about: [
      {
        ro: 'O stație fără recenzii, sau necunoscută, are o listă goală. Numele și comentariile sunt text, nu cod HTML.',
        en: 'A station without reviews, or an unknown one, has an empty list. Names and comments are text, not markup.',
      },
    ],
    parameters: [
      {
        names: ['slug'],
        type: 'string',
        about: {
          ro: 'Slug-ul stației: `<rețea>-<oraș>-<id>`. Hotărăsc ultimele 12 caractere, câmpul `id` din `/statii`.',
          en: 'The slug of the station: `<network>-<city>-<id>`. Its last 12 characters decide, the `id` of `/statii`.',
        },
      },
    ],
    fields: [
      {
        of: { ro: 'Răspuns (fără `status`)', en: 'Answer (without `status`)' },
        entries: [
          ...RATINGS,
          {
            names: ['reviews'],
            type: 'array',
            about: {
              ro: 'Cel mult 20 de recenzii aprobate, cele mai noi primele.',
              en: 'At most 20 approved reviews, newest first.',
            },
          },
        ],
      },
      {
        of: { ro: 'O recenzie din `reviews`', en: 'One review of `reviews`' },
        entries: [
          {
            names: ['id', 'rating'],
            type: 'integer',
            about: { ro: 'Numărul recenziei; stelele, 1–5.', en: 'Number of the review; stars, 1 to 5.' },
          },
          {
            names: ['nickname', 'comment'],
            type: 'string',
            about: {
              ro: `\`${ANONYMOUS_NICKNAME}\` = fără nume; comentariul poate fi gol.`,
              en: `\`${ANONYMOUS_NICKNAME}\` = no name; the comment may be empty.`,
            },
          },
          {
            names: ['created_at'],
            type: 'string',
            about: { ro: 'Ora României, `AAAA-LL-ZZ OO:MM:SS`.', en: 'Local time in Romania, `YYYY-MM-DD HH:MM:SS`.' },
          },
        ],
      },
    ],
    example: ({ slug }) => `/api/v1/reviews/${slug}`,
  },
  {
    id: 'review',
    path: '/api/v1/review',
    title: { ro: 'Trimiterea unei recenzii', en: 'Sending a review' },
    access: {
      ro: `o recenzie pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi de la o adresă IP; ziua începe la miezul nopții în România.`,
      en: `one review a day of a station and at most ${MAX_REVIEWS_PER_DAY} a day from an IP address; days begin at midnight in Romania.`,
    },
    about: [
      {
        ro: 'Stelele fără text apar imediat. Un comentariu sau un nume are nevoie de un token captcha și apare, cu tot cu stele, după aprobare.',
        en: 'Stars alone appear at once. A comment or a name needs a captcha token and appears, stars included, after approval.',
      },
    ],
    parameters: [
      {
        names: ['statie_slug'],
        type: 'string',
        about: { ro: 'Obligatoriu: slug-ul stației.', en: 'Required: the slug of the station.' },
      },
      { names: ['rating'], type: 'integer', about: { ro: 'Obligatoriu: 1–5.', en: 'Required: 1 to 5.' } },
      {
        names: ['nickname'],
        type: 'string',
        about: {
          ro: `Cel mult ${MAX_NICKNAME_LENGTH} de caractere; implicit \`${ANONYMOUS_NICKNAME}\`.`,
          en: `At most ${MAX_NICKNAME_LENGTH} characters; \`${ANONYMOUS_NICKNAME}\` by default.`,
        },
      },
      {
        names: ['comment'],
        type: 'string',
        about: { ro: `Cel mult ${MAX_COMMENT_LENGTH} de caractere.`, en: `At most ${MAX_COMMENT_LENGTH} characters.` },
      },
      {
        names: ['recaptcha_token'],
        type: 'string',
        about: {
          ro: 'Obligatoriu când există text: token captcha v3, acțiunea `review`; bun o singură dată.',
          en: 'Required when there is text: a captcha v3 token, action `review`; good once.',
        },
      },
    ],
    fields: [
      {
        of: { ro: 'Răspuns (fără `status`)', en: 'Answer (without `status`)' },
        entries: [
          {
            names: ['message'],
            type: 'string',
            about: { ro: 'Ce se întâmplă cu recenzia.', en: 'What becomes of the review, in Romanian.' },
          },
          ...RATINGS,
        ],
      },
    ],
    example: () => '/api/v1/review',
    exampleBody: ({ slug }) => ({ statie_slug: slug, rating: 5 }),
  },
];
