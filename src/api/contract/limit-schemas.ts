/** The schemas of keys and limits, exactly as the contract states them. */

import type { Static } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { Type } from '../../json/json-schema.ts';
import { described } from './localized-schema.ts';
import {
  countOf,
  englishMessage,
  nullable,
  romanianMessage,
  statusError,
  statusOk,
  strictObject,
} from './schema-parts.ts';
import { ProblemSchema } from './schemas.ts';
import { WebhookSchema } from './webhook-schemas.ts';

const waitSeconds = Type.Integer({
  minimum: 1,
  ...described({
    ro: 'Secunde până când poate fi acceptată o nouă cerere; ca `Retry-After`.',
    en: 'Seconds until a request may be accepted again; same as `Retry-After`.',
  }),
});
const uri = (text: LocalizedText) => Type.String({ format: 'uri', ...described(text) });

export const KeySchema = strictObject(
  {
    status: statusOk,
    plan: Type.String(described({ ro: 'Codul planului.', en: 'Plan code.' })),
    plan_nume: Type.String(described({ ro: 'Numele planului.', en: 'Name of the plan.' })),
    limita_lunara: countOf({
      ro: 'Cota lunară valabilă: a cheii, dacă are una proprie, altfel a planului.',
      en: 'Effective monthly quota: that of the key if it has its own, otherwise that of the plan.',
    }),
    consum_luna: countOf({
      ro: 'Cererile numărate în luna calendaristică în curs, UTC.',
      en: 'Requests counted in the current calendar month in UTC.',
    }),
    total_cereri: countOf({
      ro: 'Cererile numărate de la crearea cheii.',
      en: 'Requests counted since the key was created.',
    }),
    creata: Type.String({
      format: 'date-time',
      ...described({ ro: 'Când a fost creată cheia, UTC.', en: 'When the key was created, UTC.' }),
    }),
    ultima_folosire: nullable.string(
      {
        ro: 'Când a fost numărată ultima cerere, UTC; null = niciodată.',
        en: 'When a request was last counted, UTC; null = never.',
      },
      'date-time',
    ),
    abonament: Type.Boolean(
      described({
        ro: 'Dacă cheia aparține unui abonament activ.',
        en: 'Whether the key belongs to an active subscription.',
      }),
    ),
    zilnic: Type.Array(
      strictObject({
        zi: Type.String({ format: 'date', ...described({ ro: 'Ziua, UTC.', en: 'Day in UTC.' }) }),
        count: countOf({ ro: 'Cererile numărate în ziua aceea.', en: 'Requests counted on that day.' }),
      }),
      {
        minItems: 30,
        maxItems: 30,
        ...described({
          ro: 'Ultimele 30 de zile, cea mai veche prima, ziua de azi ultima.',
          en: 'The last 30 days, oldest first, today last.',
        }),
      },
    ),
    webhookuri: Type.Optional(
      Type.Array(
        WebhookSchema,
        described({
          ro: 'Numai cu `campuri=extins`: webhookurile cheii, cu `stare` și, la unul oprit de noi, `motiv_oprire`.',
          en: 'Only with `campuri=extins`: the webhooks of the key, with `stare` and, of one that we stopped, `motiv_oprire`.',
        }),
      ),
    ),
  },
  'Cheie',
);

const QuotaUsedUpSchema = strictObject(
  {
    status: statusError,
    message: romanianMessage,
    limit: countOf({ ro: 'Cota lunară.', en: 'The monthly quota.' }),
    upgrade_url: uri({ ro: 'Pagina planurilor.', en: 'The plans page.' }),
  },
  'CotaConsumata',
);

const TooFastSchema = strictObject(
  { status: statusError, message: romanianMessage, retry_after_seconds: waitSeconds },
  'PreaRepede',
);

const WeeklyCapSchema = strictObject(
  {
    status: statusError,
    message: romanianMessage,
    message_en: englishMessage,
    next_allowed: Type.String({
      format: 'date-time',
      ...described({
        ro: 'Când este acceptată următoarea cerere, UTC.',
        en: 'When the next request is accepted, UTC.',
      }),
    }),
    retry_after_seconds: waitSeconds,
    upgrade_mesaj: Type.String(described({ ro: 'Ce oferă o cheie, în română.', en: 'What a key gives, in Romanian.' })),
    upgrade_message: englishMessage,
    upgrade_url: uri({ ro: 'Pagina planurilor, în română.', en: 'The plans page, in Romanian.' }),
    upgrade_url_en: uri({ ro: 'Pagina planurilor, în engleză.', en: 'The plans page, in English.' }),
  },
  'LimitaSaptamanala',
);

/** 429 on an endpoint that takes keys. */
export const KeyLimitSchema = Type.Union([QuotaUsedUpSchema, TooFastSchema], { $id: 'LimitaCheie' });

/** 429 on an endpoint with a weekly cap: for a key, for the cap, for a crawler. */
export const AnyLimitSchema = Type.Union([WeeklyCapSchema, QuotaUsedUpSchema, TooFastSchema, ProblemSchema], {
  $id: 'Limita',
});

export const UnverifiedSchema = strictObject(
  {
    status: statusError,
    message: romanianMessage,
    message_en: englishMessage,
    retry_after_seconds: Type.Integer({
      minimum: 1,
      ...described({ ro: 'Ca `Retry-After`.', en: 'Same as `Retry-After`.' }),
      examples: [30],
    }),
  },
  'CheieNeverificata',
);

export type KeyJson = Static<typeof KeySchema>;
