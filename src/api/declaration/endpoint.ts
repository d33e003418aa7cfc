/** One declaration per endpoint: route, parsing, access and OpenAPI description come from it. */

import type { TSchema } from 'typebox';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { Access, Caller, Gate, Plan } from '../access/access.ts';
import type { Body } from '../encoding/body.ts';
import type { Edition } from '../rendering/rendered-snapshot.ts';
import { corsAllowed } from '../request/cors.ts';
import { readQuery } from '../request/request-target.ts';
import { type Answer, API_HEADERS, type HeaderList } from '../response/answer.ts';
import { type Problem, refusal } from '../response/problem.ts';
import { type FieldTable, type FieldValues, readBody, type SentBody } from './body-fields.ts';
import { type ParameterTable, readParameters, UNDECODABLE, type Values } from './parameters.ts';

/** What an endpoint documents of one status beyond the answers that every endpoint has. */
export type Documented = {
  readonly description: string;
  readonly schema: TSchema;
  /** Where it is another than `no-store`. */
  readonly cacheControl?: string;
  /** Whether it says after how many seconds to try again. */
  readonly retryAfter?: 'always' | 'sometimes';
};

/** What a handler is given: everything an answer may depend on. */
type Call<P extends ParameterTable, F extends FieldTable> = Values<P> & {
  /** What was posted. */
  readonly body: FieldValues<F>;
  readonly edition: Edition;
  /** Without the public subset. */
  readonly full: boolean;
  /** The key that the request was sent with; `null` = none, or an endpoint that looks at none. */
  readonly key: KnownKey | null;
  readonly caller: Caller;
};

/** The work of an answer, done once the caller may have it. */
type Work = () => Answer | Promise<Answer>;

type Declaration<P extends ParameterTable, F extends FieldTable> = {
  readonly operationId: string;
  /** GET when not told. What is posted is read through `fields`. */
  readonly method?: 'GET' | 'POST';
  /** As OpenAPI writes it, e.g. `/api/v1/judete/{judet}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** Whether the plain address, without parameters or key, is answered from ready-made bytes in front of routing. */
  readonly hot?: boolean;
  readonly parameters: P;
  /** Of a JSON body. */
  readonly fields?: F;
  /** Says a refusal of the request itself in the endpoint's own form. */
  readonly ownWords?: (problem: Problem) => Problem;
  readonly answers: Readonly<Record<number, Documented>>;
  /** Whether shared caches may keep the answer. */
  readonly cacheable?: boolean;
  /** Work = it takes what the caller may have; an answer costs nothing, like a refusal known from memory. */
  readonly handle: (call: Call<P, F>) => Answer | Work;
};

/** A request as an endpoint sees it. */
type Incoming = Caller & {
  /** Undecoded, without the question mark. */
  readonly query: string;
  readonly segments: Readonly<Record<string, string>>;
  /** Of a POST. */
  readonly body?: SentBody;
};

export type Endpoint = Omit<Declaration<ParameterTable, FieldTable>, 'handle'> & {
  /** Whether pages of other origins may read its answers. */
  readonly cors: boolean;
  /** Access, then parameters, then limits, then the work: the order of decision 4. */
  readonly answer: (incoming: Incoming, edition: Edition, gate: Gate) => Answer | Promise<Answer>;
  /** The answer to a request without parameters, past the gate. */
  readonly plain: (edition: Edition, full: boolean) => Answer | Promise<Answer>;
};

/** Makes an endpoint of its declaration. */
export function endpoint<const P extends ParameterTable, const F extends FieldTable = Record<never, never>>({
  handle,
  ...declaration
}: Declaration<P, F>): Endpoint {
  const { access, parameters, path, fields, ownWords = (problem) => problem } = declaration;
  const cors = corsAllowed(declaration.method ?? 'GET', path);
  const cacheable = declaration.cacheable ?? false;
  const look = (caller: Incoming, edition: Edition, key: KnownKey | null, full: boolean): Plan => {
    const { query, segments, body = NO_BODY } = caller;
    const sent = readQuery(query);
    const refused = (problem: Problem) => ({ settled: refusal(ownWords(problem), cors) });
    if (sent === null) return refused(UNDECODABLE);
    const read = readParameters(parameters, sent, segments);
    if ('problem' in read) return refused(read.problem);
    const posted = fields === undefined ? NOTHING : readBody(fields, body);
    if ('problem' in posted) return refused(posted.problem);
    const done = handle({ ...read.values, body: posted.values as FieldValues<F>, edition, full, key, caller });
    return typeof done === 'function' ? { work: done } : { settled: done };
  };
  return {
    ...declaration,
    cors,
    answer: (incoming, edition, gate) =>
      gate({
        access,
        path,
        caller: incoming,
        cors,
        cacheable,
        plan: (key) => look(incoming, edition, key, key !== null),
      }),
    plain(edition, full) {
      const planned = look(NOBODY, edition, null, full);
      return 'settled' in planned ? planned.settled : planned.work();
    },
  };
}

const NO_BODY: SentBody = { bytes: Buffer.alloc(0), type: undefined };
const NOBODY: Incoming = { headers: {}, peer: {}, query: '', segments: {} };
const NOTHING = { values: {} };

/** A 200 with a body that the contract describes. */
export function ok(body: Body, headers: HeaderList = API_HEADERS): Answer {
  return { status: 200, headers, body };
}

/** A refusal decided by a handler. */
export function refused(problem: Problem, cors = true): Answer {
  return refusal(problem, cors);
}
