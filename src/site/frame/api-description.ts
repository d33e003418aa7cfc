/**
 * The API as the documentation pages need it: plain data, which the service derives from the endpoint declarations and
 * passes in. The pages know nothing about how requests are answered.
 */
import type { LocalizedText } from '../../domain/localized-text.ts';

export type ApiDescription = {
  readonly endpoints: readonly EndpointDescription[];
  readonly refusals: readonly RefusalDescription[];
};

export type EndpointDescription = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In OpenAPI notation, e.g. `/api/v1/judete/{judet}`. */
  readonly path: string;
  readonly summary: LocalizedText;
  readonly description: LocalizedText;
  readonly keyRequired: boolean;
  /** Whether its requests change nothing, so that readers may try them. */
  readonly isReadOnly: boolean;
  /** What is available without a key. */
  readonly withoutKey: LocalizedText;
  readonly inputs: readonly InputDescription[];
  readonly answers: readonly AnswerDescription[];
  /** A request that works; with a body if the endpoint takes one. */
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
  /** The default if it is not sent. */
  readonly fallback: string | null;
  /** The values of an enumeration; empty = any value. */
  readonly values: readonly string[];
  readonly description: LocalizedText;
};

type AnswerDescription = {
  readonly status: number;
  readonly description: LocalizedText;
  /** The body and each kind of object in it; empty = described elsewhere. */
  readonly objects: readonly ObjectDescription[];
};

export type ObjectDescription = {
  /** The fields that contain such an object; empty = the body itself. */
  readonly heldBy: readonly string[];
  /** Whether those fields contain a list of such objects. */
  readonly list: boolean;
  readonly fields: readonly FieldDescription[];
};

/** Fields that share a meaning; `type` is in JSON terms. */
export type FieldDescription = {
  readonly names: readonly string[];
  readonly type: string;
  readonly description: LocalizedText;
};

/** A refusal that several endpoints share. */
export type RefusalDescription = {
  /** Several if they share a meaning. */
  readonly statuses: readonly number[];
  readonly description: LocalizedText;
  /** Besides `status` and `message`. */
  readonly extraFields: readonly FieldDescription[];
};
