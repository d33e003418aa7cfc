/** One declaration per endpoint: route, parsing, access, OpenAPI description and documentation come from it. */

import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { Access, AccessControl, Caller, PreparedAnswer } from '../access/access.ts';
import type { Body } from '../encoding/body.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { corsAllowed } from '../request/cors.ts';
import { parseQuery } from '../request/request-target.ts';
import { type Answer, API_HEADERS, type HeaderList } from '../response/answer.ts';
import { type Problem, problemAnswer } from '../response/problem.ts';
import { type FieldTable, type FieldValues, parseBody, type RequestBody } from './body-fields.ts';
import { type ParameterTable, type ParameterValues, parseParameters, UNDECODABLE_QUERY } from './parameters.ts';

/** What an endpoint documents of one status beyond the answers that every endpoint has. */
export type DocumentedAnswer = {
  readonly description: LocalizedText;
  readonly schema: TSchema;
  /** Where it is another than `no-store`. */
  readonly cacheControl?: string;
  /** Whether it says after how many seconds to try again. */
  readonly retryAfter?: 'always' | 'sometimes';
};

/** What a handler is given: everything an answer may depend on. */
type HandlerInput<P extends ParameterTable, F extends FieldTable> = ParameterValues<P> & {
  /** What was posted. */
  readonly body: FieldValues<F>;
  readonly rendered: RenderedSnapshot;
  /** Without the public subset. */
  readonly fullSet: boolean;
  /** The key that the request was sent with; `null` = none, or an endpoint that looks at none. */
  readonly key: KnownKey | null;
  readonly caller: Caller;
};

/** The work of an answer, done once the caller may have it. */
type AnswerWork = () => Answer | Promise<Answer>;

type Declaration<P extends ParameterTable, F extends FieldTable> = {
  readonly operationId: string;
  /** GET by default. A posted body is parsed by `fields`. */
  readonly method?: 'GET' | 'POST';
  /** As OpenAPI writes it, e.g. `/api/v1/judete/{judet}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: LocalizedText;
  readonly description: LocalizedText;
  readonly access: Access;
  /** What the documentation says there is without a key, where `access` does not say all of it. */
  readonly withoutKey?: LocalizedText;
  /** Left out of the documentation pages: not for integrations, or a second path of another endpoint. */
  readonly undocumented?: true;
  /** Parameters and fields that the documentation's example sends besides the required ones. */
  readonly example?: readonly (Extract<keyof P, string> | Extract<keyof F, string>)[];
  /** Whether the fast path answers the plain address, without parameters or key, with bytes made at publication. */
  readonly prerendered?: boolean;
  readonly parameters: P;
  /** Of a JSON body. */
  readonly fields?: F;
  /** Says a refusal of the request itself in the endpoint's own form. */
  readonly mapProblem?: (problem: Problem) => Problem;
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
  /** Whether shared caches may keep the answer. */
  readonly cacheable?: boolean;
  /** Work = it takes what the caller may have; an answer costs nothing, like a refusal known from memory. */
  readonly handle: (call: HandlerInput<P, F>) => Answer | AnswerWork;
};

/** A request as an endpoint sees it. */
type IncomingRequest = Caller & {
  /** Undecoded, without the question mark. */
  readonly query: string;
  readonly segments: Readonly<Record<string, string>>;
  /** Of a POST. */
  readonly body?: RequestBody;
};

export type Endpoint = Omit<Declaration<ParameterTable, FieldTable>, 'handle'> & {
  /** Whether pages of other origins may read its answers. */
  readonly cors: boolean;
  /** Access, then parameters, then limits, then the work: the order of rule 4. */
  readonly answer: (
    incoming: IncomingRequest,
    rendered: RenderedSnapshot,
    accessControl: AccessControl,
  ) => Answer | Promise<Answer>;
  /** The answer to a request without parameters, without access control. */
  readonly defaultAnswer: (rendered: RenderedSnapshot, fullSet: boolean) => Answer | Promise<Answer>;
};

/** Makes an endpoint of its declaration. */
export function endpoint<const P extends ParameterTable, const F extends FieldTable = Record<never, never>>({
  handle,
  ...declaration
}: Declaration<P, F>): Endpoint {
  const { access, parameters, path, fields, mapProblem = (problem) => problem } = declaration;
  const cors = corsAllowed(declaration.method ?? 'GET', path);
  const cacheable = declaration.cacheable ?? false;
  const prepare = (
    caller: IncomingRequest,
    rendered: RenderedSnapshot,
    key: KnownKey | null,
    fullSet: boolean,
  ): PreparedAnswer => {
    const { query, segments, body = NO_BODY } = caller;
    const parsedQuery = parseQuery(query);
    const refused = (problem: Problem) => ({ answer: problemAnswer(mapProblem(problem), cors) });
    if (parsedQuery === null) return refused(UNDECODABLE_QUERY);
    const parsed = parseParameters(parameters, parsedQuery, segments);
    if ('problem' in parsed) return refused(parsed.problem);
    const posted = fields === undefined ? NO_FIELDS : parseBody(fields, body);
    if ('problem' in posted) return refused(posted.problem);
    const handled = handle({ ...parsed.values, body: posted.values as FieldValues<F>, rendered, fullSet, key, caller });
    return typeof handled === 'function' ? { work: handled } : { answer: handled };
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

/** A 200 with a body that the contract describes. */
export function ok(body: Body, headers: HeaderList = API_HEADERS): Answer {
  return { status: 200, headers, body };
}

/** A refusal decided by a handler. */
export function refuse(problem: Problem, cors = true): Answer {
  return problemAnswer(problem, cors);
}
