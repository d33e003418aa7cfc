/**
 * The API as the documentation pages need it: plain data, which the service takes from the declarations of the endpoints
 * and hands over. Pages do not know how requests are answered.
 */
import type { LocalizedText } from '../../domain/localized-text.ts';

export type ApiDescription = {
  readonly endpoints: readonly EndpointDescription[];
  readonly refusals: readonly RefusalDescription[];
};

export type EndpointDescription = {
  readonly method: 'GET' | 'POST';
  /** As OpenAPI writes it, e.g. `/api/v1/judete/{judet}`. */
  readonly path: string;
  readonly summary: LocalizedText;
  readonly description: LocalizedText;
  readonly keyRequired: boolean;
  /** What there is without a key. */
  readonly withoutKey: LocalizedText;
  readonly inputs: readonly InputDescription[];
  readonly answers: readonly AnswerDescription[];
  /** A request that answers; a body where something is posted. */
  readonly example: { readonly target: string; readonly body: Readonly<Record<string, unknown>> | null };
};

/** A parameter, or a field of a posted body. */
export type InputDescription = {
  readonly name: string;
  readonly alias: string | null;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly type: string;
  readonly minimum: number | null;
  /** Whether the minimum itself is refused. */
  readonly minimumExcluded: boolean;
  readonly maximum: number | null;
  /** What holds when it is not sent. */
  readonly fallback: string | null;
  /** The values of an enumeration; empty = any value. */
  readonly values: readonly string[];
  readonly description: LocalizedText;
};

type AnswerDescription = {
  readonly status: number;
  readonly description: LocalizedText;
  /** The body and each shape of object in it; empty = described elsewhere. */
  readonly objects: readonly ObjectDescription[];
};

export type ObjectDescription = {
  /** The fields that hold such an object; empty = it is the body itself. */
  readonly heldBy: readonly string[];
  /** Whether they hold a list of such objects. */
  readonly list: boolean;
  readonly fields: readonly FieldDescription[];
};

/** Fields that share a meaning; `type` is in JSON's words. */
export type FieldDescription = {
  readonly names: readonly string[];
  readonly type: string;
  readonly description: LocalizedText;
};

/** A refusal that many endpoints may give. */
export type RefusalDescription = {
  /** More than one where they share a meaning. */
  readonly statuses: readonly number[];
  readonly description: LocalizedText;
  /** Besides `status` and `message`. */
  readonly extraFields: readonly FieldDescription[];
};
