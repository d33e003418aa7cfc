/**
 * One declaration per endpoint, from which its route, parsing, access, OpenAPI description and documentation are
 * derived.
 */

import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { Access, AccessControl, PreparedAnswer } from '../access/access-rules.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import type { Caller } from '../request/caller.ts';
import { corsAllowed } from '../request/cors.ts';
import type { Answer } from '../response/answer.ts';
import { type Problem, problemAnswer } from '../response/problem.ts';
import { type FieldTable, type FieldValues, parseBody, type RequestBody } from './body-fields.ts';
import { createParameterParser, type ParameterTable, type ParameterValues } from './parameters.ts';

/** What an endpoint documents about one status, besides the answers that all endpoints share. */
export type DocumentedAnswer = {
  readonly description: LocalizedText;
  readonly schema: TSchema;
  /** The answer in other formats than JSON, by media type. */
  readonly otherFormats?: Readonly<Record<string, { readonly schema: TSchema }>>;
  /** JSON by default. */
  readonly mediaType?: string;
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, LocalizedText>>;
  /** Present if it differs from `no-store`. */
  readonly cacheControl?: string;
  /** Whether the answer has a `Retry-After` header. */
  readonly retryAfter?: 'always' | 'sometimes';
};

type DescribedHeader = { readonly description: LocalizedText; readonly schema: TSchema; readonly example?: string };

/** What a handler receives: everything that an answer may depend on. */
type HandlerInput<P extends ParameterTable, F extends FieldTable> = ParameterValues<P> & {
  /** The fields of the posted body. */
  readonly body: FieldValues<F>;
  readonly rendered: RenderedSnapshot;
  /** Whether the caller gets all data rather than the public subset. */
  readonly fullSet: boolean;
  /** The key sent with the request; `null` = none, or the endpoint takes no keys. */
  readonly key: KnownKey | null;
  readonly caller: Caller;
};

/** The work of an answer, done once access is granted. */
type AnswerWork = () => Answer | Promise<Answer>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Declaration<P extends ParameterTable, F extends FieldTable> = {
  readonly operationId: string;
  /** GET by default. A body that is sent is parsed by `fields`. */
  readonly method?: Method;
  /** In OpenAPI notation, e.g. `/api/v1/judete/{judet}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: LocalizedText;
  readonly description: LocalizedText;
  readonly access: Access;
  /** What the documentation says is available without a key, where `access` does not say everything. */
  readonly withoutKey?: LocalizedText;
  /** Left out of the documentation pages: not meant for integrations, or the alias of another endpoint. */
  readonly undocumented?: true;
  /** Whether a POST changes nothing: then readers of the documentation may try it, as they may a GET. */
  readonly isReadOnly?: true;
  /** Optional parameters and fields that the documentation's example sends in addition to the required ones. */
  readonly example?: readonly (Extract<keyof P, string> | Extract<keyof F, string>)[];
  /**
   * Whether the answer to the plain address, without parameters or key, is rendered and compressed with each snapshot.
   * The fast path sends it without access control; that of an endpoint under the weekly cap goes through access
   * control.
   */
  readonly prerendered?: boolean;
  /** Whether a client that has the answer already may be told so: 304. */
  readonly hasNotModified?: true;
  /** Whether its answer is written bit by bit: then the fast path leaves it to Fastify. */
  readonly streams?: true;
  /** How long its answer may be waited for, ms, while nothing moves on the connection. */
  readonly longestWaitMs?: number;
  /** Whether its answers are of use before the first publication; else they consume no cap and no quota until then. */
  readonly needsNoPrices?: true;
  readonly parameters: P;
  /** Request headers that it reads, besides that of the key. */
  readonly requestHeaders?: Readonly<Record<string, DescribedHeader>>;
  /** The fields of a JSON body. */
  readonly fields?: F;
  /** Whether a field that is not among them is refused: where a misspelt one would do something else than was meant. */
  readonly onlyKnownFields?: true;
  /** Rewrites a refusal of the request into the endpoint's own format. */
  readonly mapProblem?: (problem: Problem) => Problem;
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
  /** Whether shared caches may store the answer. */
  readonly cacheable?: boolean;
  /** Returns work if it needs access; an answer itself costs nothing, like a refusal decided from memory. */
  readonly handle: (call: HandlerInput<P, F>) => Answer | AnswerWork;
};

/** A request as endpoints see it. */
type IncomingRequest = Caller & {
  /** Undecoded, without the question mark. */
  readonly query: string;
  readonly segments: Readonly<Record<string, string>>;
  /** Never for a GET. */
  readonly body?: RequestBody;
};

export type Endpoint = Omit<Declaration<ParameterTable, FieldTable>, 'handle'> & {
  /** Whether pages of other origins may read the answers. */
  readonly cors: boolean;
  /** Request headers that such pages may send besides the usual ones. */
  readonly allowedHeaders?: readonly string[];
  /** Access, then parameters, then limits, then the work: the order that rule 4 sets. */
  readonly answer: (
    incoming: IncomingRequest,
    rendered: RenderedSnapshot,
    accessControl: AccessControl,
  ) => Answer | Promise<Answer>;
  /** The answer to a request without parameters, without access control. */
  readonly defaultAnswer: (rendered: RenderedSnapshot, fullSet: boolean) => Answer | Promise<Answer>;
};

/** Creates an endpoint from its declaration. */
export function endpoint<const P extends ParameterTable, const F extends FieldTable = Record<never, never>>({
  handle,
  ...declaration
}: Declaration<P, F>): Endpoint {
  const {
    access,
    parameters,
    path,
    fields,
    onlyKnownFields: strict = false,
    mapProblem = (problem) => problem,
  } = declaration;
  const cors = corsAllowed(declaration.method ?? 'GET', path);
  const { cacheable = false, needsNoPrices = false } = declaration;
  const parse = createParameterParser(parameters);
  const prepare = (
    caller: IncomingRequest,
    rendered: RenderedSnapshot,
    key: KnownKey | null,
    fullSet: boolean,
  ): PreparedAnswer => {
    const { query, segments, body = NO_BODY } = caller;
    const refused = (problem: Problem) => ({ answer: problemAnswer(mapProblem(problem), cors) });
    const parsed = parse(query, segments);
    if ('problem' in parsed) return refused(parsed.problem);
    const posted = fields === undefined ? NO_FIELDS : parseBody(fields, body, { strict });
    if ('problem' in posted) return refused(posted.problem);
    const handled = handle({ ...parsed.values, body: posted.values as FieldValues<F>, rendered, fullSet, key, caller });
    if (typeof handled !== 'function') return { answer: handled };
    return { work: handled, isCounted: needsNoPrices || rendered.snapshot.version > 0 };
  };
  return {
    ...declaration,
    cors,
    answer: (incoming, rendered, accessControl) =>
      accessControl({
        access,
        path,
        caller: incoming,
        cors,
        cacheable,
        prepare: (key) => prepare(incoming, rendered, key, key !== null),
      }),
    defaultAnswer(rendered, fullSet) {
      const prepared = prepare(BARE_REQUEST, rendered, null, fullSet);
      return 'answer' in prepared ? prepared.answer : prepared.work();
    },
  };
}

const NO_BODY: RequestBody = { bytes: Buffer.alloc(0), type: undefined };
const BARE_REQUEST: IncomingRequest = { headers: {}, peer: {}, query: '', segments: {} };
const NO_FIELDS = { values: {} };

/** A refusal that a handler decides; with `cors`, pages of other origins may read it. */
export function refuse(problem: Problem, { cors } = { cors: true }): Answer {
  return problemAnswer(problem, cors);
}
