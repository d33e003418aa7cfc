/** The API as the documentation pages show it: plain data in both languages, derived from the declarations. */
import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { Access } from '../access/access-rules.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import type { Endpoint, Method } from './endpoint.ts';
import { type ExampleRequest, exampleRequest } from './example-request.ts';
import { describeInputs, type InputDescription } from './input-description.ts';
import { describeRefusals, type RefusalDescription } from './refusal-descriptions.ts';
import { type ObjectDescription, objectsIn } from './schema-description.ts';

export type ApiDescription = {
  readonly endpoints: readonly EndpointDescription[];
  readonly refusals: readonly RefusalDescription[];
};

type EndpointDescription = {
  readonly method: Method;
  /** As OpenAPI writes it, e.g. `/api/v1/judete/{judet}`. */
  readonly path: string;
  readonly summary: LocalizedText;
  readonly description: LocalizedText;
  readonly keyRequired: boolean;
  /** Whether its requests change nothing. */
  readonly isReadOnly: boolean;
  /** What is available without a key. */
  readonly withoutKey: LocalizedText;
  readonly inputs: readonly InputDescription[];
  readonly answers: readonly AnswerDescription[];
  readonly example: ExampleRequest;
};

type AnswerDescription = {
  readonly status: number;
  readonly description: LocalizedText;
  /** Empty = the schema that all errors share, or that of an earlier status. */
  readonly objects: readonly ObjectDescription[];
};

/** Every endpoint except those declared `undocumented`, and the refusals they share. */
export function describeApi(endpoints: readonly Endpoint[]): ApiDescription {
  const documented = endpoints.filter(({ undocumented }) => undocumented !== true);
  return { endpoints: documented.map(describeEndpoint), refusals: describeRefusals() };
}

function describeEndpoint(endpoint: Endpoint): EndpointDescription {
  const { method = 'GET', path, summary, description, access, withoutKey, parameters, fields = {} } = endpoint;
  return {
    method,
    path,
    summary,
    description,
    keyRequired: access.key === 'required',
    isReadOnly: method === 'GET' || endpoint.isReadOnly === true,
    withoutKey: withoutKey ?? withoutKeyText(access),
    inputs: describeInputs(parameters, fields),
    answers: describeAnswers(endpoint),
    example: exampleRequest(endpoint),
  };
}

/** Of the answers of an endpoint that `hasNotModified`. */
export const ENTITY_TAG = { ro: 'Pentru `If-None-Match`.', en: 'For `If-None-Match`.' };
/** An answer of an endpoint that `hasNotModified`. */
export const NOT_MODIFIED: LocalizedText = {
  ro: 'Răspunsul are `ETag`-ul din `If-None-Match`. Nu are corp și nu consumă nimic din cotă.',
  en: 'The answer has the `ETag` that `If-None-Match` names. It has no body and counts towards no quota.',
};

function describeAnswers({ answers, hasNotModified }: Endpoint): readonly AnswerDescription[] {
  const declared = Object.entries(answers).map(([status, answer]) => ({ status: Number(status), ...answer }));
  const described = declared.map(({ status, description, schema }, at) => {
    const known = schema === ProblemSchema || declared.slice(0, at).some((earlier) => earlier.schema === schema);
    return { status, description, objects: known ? [] : objectsIn(schema) };
  });
  if (hasNotModified !== true) return described;
  const notModified = { status: 304, description: NOT_MODIFIED, objects: [] };
  return [...described, notModified].sort((a, b) => a.status - b.status);
}

/** How the documentation describes a weekly cap. */
export const ONCE_A_WEEK: LocalizedText = {
  ro: `o cerere la ${ANONYMOUS_LIMITS.capDays} zile de la aceeași adresă IP.`,
  en: `one request every ${ANONYMOUS_LIMITS.capDays} days from the same IP address.`,
};

function withoutKeyText({ key, withoutKey, minuteLimit }: Access): LocalizedText {
  if (key === 'required') return { ro: 'nimic; adresa cere o cheie.', en: 'nothing; a key is required.' };
  if (withoutKey.weeklyCap !== false) return ONCE_A_WEEK;
  if (minuteLimit === undefined) return { ro: 'totul, fără limită de cereri.', en: 'everything, no cap on requests.' };
  return {
    ro: `totul, cel mult ${minuteLimit.perMinute} de cereri pe minut de la o adresă IP.`,
    en: `everything, at most ${minuteLimit.perMinute} requests per minute from one IP address.`,
  };
}
