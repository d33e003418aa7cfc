/** Types of the API without a programming language: what the printers of the clients read. */

export type ApiType =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'plain'; readonly name: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' }
  | { readonly kind: 'literals'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'list'; readonly items: ApiType }
  | { readonly kind: 'tuple'; readonly items: ApiType; readonly length: number }
  | { readonly kind: 'map'; readonly values: ApiType }
  | { readonly kind: 'union'; readonly members: readonly ApiType[] };

export type Field = {
  readonly name: string;
  readonly type: ApiType;
  readonly required: boolean;
  /** Empty = nothing is said about it. */
  readonly description: string;
};

/** A type with a name: an object with fields, or another name for a type. */
export type Model = { readonly name: string } & ({ readonly fields: readonly Field[] } | { readonly same: ApiType });

export type Operation = {
  /** As the description names it, e.g. `getStations`. */
  readonly name: string;
  readonly method: string;
  /** With `{names}` of fields of the input. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Fields of the path come first, in its order. */
  readonly input: readonly Field[];
  readonly pathFields: readonly string[];
  /** Whether the rest of the input is sent as a JSON object; otherwise it is the query. */
  readonly hasBody: boolean;
  /** Statuses whose body is the answer. */
  readonly answerStatuses: readonly number[];
  /** `null` = an answer without a body. */
  readonly answer: ApiType | null;
};

export type Api = { readonly models: readonly Model[]; readonly operations: readonly Operation[] };

/** Lower-case first letter made a capital one. */
export const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
