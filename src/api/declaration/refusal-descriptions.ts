/** The refusals that endpoints share, in both languages, by their names among OpenAPI's components. */
import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { AnyLimitSchema, KeyLimitSchema, UnverifiedSchema } from '../contract/limit-schemas.ts';
import { NoSuchPathSchema, ProblemSchema } from '../contract/schemas.ts';
import { type FieldDescription, fieldsOfVariants } from './schema-description.ts';

export type Refusal = {
  readonly statuses: readonly number[];
  readonly description: LocalizedText;
  readonly schema: TSchema;
};

/** What a 413 of any endpoint means. */
export const BODY_TOO_LARGE: LocalizedText = {
  ro: 'Corpul cererii are peste 16 KiB sau este trimis în mai mult de 256 de fragmente (`Transfer-Encoding: chunked`).',
  en: 'The body is larger than 16 KiB, or is sent in more than 256 chunks (`Transfer-Encoding: chunked`).',
};

/** For any endpoint. */
export const COMMON_REFUSALS: Readonly<Record<string, Refusal & { readonly onlyWithBody?: true }>> = {
  BadRequest: {
    statuses: [400],
    description: {
      ro: 'Un parametru este greșit sau trimis de două ori, ori cererea nu poate fi decodată. Mesajul indică parametrul, ce s-a trimis și ce ar fi corect.',
      en: 'A parameter is wrong or sent twice, or the request cannot be decoded. The message names the parameter, what was sent and what would be correct.',
    },
    schema: ProblemSchema,
  },
  KeyRefused: {
    statuses: [401],
    description: {
      ro: 'A fost trimisă o cheie nevalidă sau revocată.',
      en: 'The key that was sent is invalid or revoked.',
    },
    schema: ProblemSchema,
  },
  RequestSlow: {
    statuses: [408],
    description: {
      ro: 'Cererea nu a sosit la timp; conexiunea se închide.',
      en: 'The request did not arrive in time; the connection is closed.',
    },
    schema: ProblemSchema,
  },
  BodyTooLarge: {
    statuses: [413],
    description: BODY_TOO_LARGE,
    schema: ProblemSchema,
    onlyWithBody: true,
  },
  UrlTooLong: {
    statuses: [414],
    description: { ro: 'Calea și parametrii sunt prea lungi.', en: 'The path and query are too long.' },
    schema: ProblemSchema,
  },
  BodyType: {
    statuses: [415],
    description: {
      ro: 'Corpul cererii nu este marcat ca JSON în UTF-8 sau este marcat ca fiind comprimat.',
      en: 'The body is not labelled as JSON in UTF-8, or is labelled as compressed.',
    },
    schema: ProblemSchema,
    onlyWithBody: true,
  },
  HeadersTooLarge: {
    statuses: [431],
    description: { ro: 'Antetele cererii sunt prea mari.', en: 'The request headers are too large.' },
    schema: ProblemSchema,
  },
  Failure: {
    statuses: [500],
    description: {
      ro: 'O eroare a serviciului; mesajul conține un cod pe care îl puteți raporta.',
      en: 'An internal error; the message contains a code to report.',
    },
    schema: ProblemSchema,
  },
};

/** For endpoints that take keys, and for those with a per-minute limit. */
export const LIMIT_REFUSALS = {
  KeyUnverified: {
    statuses: [503],
    description: {
      ro: 'A fost trimisă o cheie care nu poate fi verificată acum; cheia nu este respinsă.',
      en: 'The key that was sent cannot be verified right now; it is not rejected as invalid.',
    },
    schema: UnverifiedSchema,
  },
  KeyLimit: {
    statuses: [429],
    description: {
      ro: 'Cota lunară a cheii este consumată (`limit`) sau limitele ei pe termen scurt sunt atinse (`retry_after_seconds` fără `limit`).',
      en: 'The monthly quota of the key is used up (`limit`), or its short-term limits are reached (`retry_after_seconds` without `limit`).',
    },
    schema: KeyLimitSchema,
  },
  AnyLimit: {
    statuses: [429],
    description: {
      ro:
        'Fără cheie: limita săptămânală a adresei este atinsă (`next_allowed`). Cu cheie: cota lunară este consumată (`limit`) sau limitele pe termen scurt ' +
        'sunt atinse (numai `retry_after_seconds`). Un crawler: prea multe cereri pe minut.',
      en:
        'Without a key: the weekly cap of this endpoint is reached (`next_allowed`). With one: its monthly quota is used up (`limit`), or its short-term ' +
        'limits are reached (`retry_after_seconds` alone). A crawler: too many requests per minute.',
    },
    schema: AnyLimitSchema,
  },
  MinuteLimit: {
    statuses: [429],
    description: {
      ro: 'Prea multe cereri într-un minut de la aceeași adresă IP.',
      en: 'Too many requests from one address within a minute.',
    },
    schema: ProblemSchema,
  },
} as const satisfies Record<string, Refusal>;

/** For paths and methods that no endpoint serves. */
export const GENERAL_REFUSALS = {
  MethodRefused: {
    statuses: [405],
    description: {
      ro: 'Calea nu acceptă această metodă; `Allow` le enumeră pe cele acceptate.',
      en: 'The path does not support this method; `Allow` lists those it supports.',
    },
    schema: ProblemSchema,
  },
  NoSuchPath: {
    statuses: [404, 410],
    description: {
      ro: 'Calea nu există (404) sau nu mai există (410).',
      en: 'The path does not exist (404) or no longer exists (410).',
    },
    schema: NoSuchPathSchema,
  },
} as const satisfies Record<string, Refusal>;

export type RefusalDescription = {
  readonly statuses: readonly number[];
  readonly description: LocalizedText;
  /** Besides `status` and `message`. */
  readonly extraFields: readonly FieldDescription[];
};

/** All of them, for the documentation pages, by status. */
export function describeRefusals(): readonly RefusalDescription[] {
  const all: readonly Refusal[] = [COMMON_REFUSALS, GENERAL_REFUSALS, LIMIT_REFUSALS].flatMap((each) =>
    Object.values(each),
  );
  return all
    .map(({ statuses, description, schema }) => ({ statuses, description, extraFields: extraFields(schema) }))
    .sort((one, other) => (one.statuses[0] ?? 0) - (other.statuses[0] ?? 0));
}

const EVERY_ERROR_HAS = ['status', 'message'];

function extraFields(schema: TSchema): readonly FieldDescription[] {
  return fieldsOfVariants(schema).filter(({ names: [name = ''] }) => !EVERY_ERROR_HAS.includes(name));
}
