/** The shapes of what is said about keys and limits, word for word those of the contract. */
import { type Static, Type } from 'typebox';
import { nullable, oneOf, strictObject } from './schema-parts.ts';
import { ProblemSchema } from './schemas.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const wait = Type.Integer({
  minimum: 1,
  description: 'Seconds until a request may be accepted again; as `Retry-After`.',
});
const uri = (description: string) => Type.String({ format: 'uri', description });
const romanian = Type.String({ description: 'Explanation in Romanian; not part of the contract.' });
const english = Type.String({ description: 'The same in English.' });
const error = oneOf(['error'], 'Always `error`.');

export const KeySchema = strictObject(
  {
    status: oneOf(['ok'], 'Always `ok`.'),
    plan: Type.String({ description: 'Plan code.' }),
    plan_nume: Type.String({ description: 'Name of the plan.' }),
    limita_lunara: count('Effective monthly quota: of the key, where it has one of its own, else of the plan.'),
    consum_luna: count('Requests counted in the current calendar month in UTC.'),
    total_cereri: count('Requests counted since the key was made.'),
    creata: Type.String({ format: 'date-time', description: 'When the key was made, UTC.' }),
    ultima_folosire: nullable.string('When a request was counted last, UTC; null = never.', 'date-time'),
    abonament: Type.Boolean({ description: 'Whether the key belongs to an active subscription.' }),
    zilnic: Type.Array(
      strictObject({
        zi: Type.String({ format: 'date', description: 'Day in UTC.' }),
        count: count('Requests counted on that day.'),
      }),
      { minItems: 30, maxItems: 30, description: 'The last 30 days, oldest first, today last.' },
    ),
  },
  'Cheie',
);

const QuotaUsedUpSchema = strictObject(
  {
    status: error,
    message: romanian,
    limit: count('The monthly quota.'),
    upgrade_url: uri('The plans.'),
  },
  'CotaConsumata',
);

const TooFastSchema = strictObject({ status: error, message: romanian, retry_after_seconds: wait }, 'PreaRepede');

const WeeklyCapSchema = strictObject(
  {
    status: error,
    message: romanian,
    message_en: english,
    next_allowed: Type.String({ format: 'date-time', description: 'When the next request is accepted, UTC.' }),
    retry_after_seconds: wait,
    upgrade_mesaj: Type.String({ description: 'What a key gives, in Romanian.' }),
    upgrade_message: Type.String({ description: 'The same in English.' }),
    upgrade_url: uri('The plans, in Romanian.'),
    upgrade_url_en: uri('The plans, in English.'),
  },
  'LimitaSaptamanala',
);

/** 429 on an endpoint that takes keys. */
export const KeyLimitSchema = Type.Union([QuotaUsedUpSchema, TooFastSchema], { $id: 'LimitaCheie' });

/** 429 on an endpoint with a weekly cap: of a key, of the cap, of a crawler. */
export const AnyLimitSchema = Type.Union([WeeklyCapSchema, QuotaUsedUpSchema, TooFastSchema, ProblemSchema], {
  $id: 'Limita',
});

export const UnverifiedSchema = strictObject(
  {
    status: error,
    message: romanian,
    message_en: english,
    retry_after_seconds: Type.Integer({ minimum: 1, description: 'As `Retry-After`.', examples: [30] }),
  },
  'CheieNeverificata',
);

export type KeyJson = Static<typeof KeySchema>;
