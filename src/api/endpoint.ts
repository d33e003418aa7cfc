/** One declaration per endpoint: route, parsing, access and OpenAPI description come from it. */

import type { IncomingHttpHeaders } from 'node:http';
import type { TSchema } from 'typebox';
import { type Access, admit } from './access.ts';
import { type Answer, API_HEADERS, type HeaderList } from './answer.ts';
import type { Body } from './body.ts';
import type { Edition } from './edition.ts';
import { type ParameterTable, readParameters, UNDECODABLE, type Values } from './parameters.ts';
import { type Problem, refusal } from './problem.ts';
import { readQuery } from './query.ts';

/** What an endpoint documents of one status beyond the answers that every endpoint has. */
export type Documented = {
  readonly description: string;
  readonly schema: TSchema;
  /** Where it is another than `no-store`. */
  readonly cacheControl?: string;
};

/** What a handler is given: everything an answer may depend on. */
type Call<P extends ParameterTable> = Values<P> & { readonly edition: Edition; readonly full: boolean };

type Declaration<P extends ParameterTable> = {
  readonly operationId: string;
  /** As OpenAPI writes it, e.g. `/api/v1/judete/{judet}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** Whether the plain address, without parameters or key, is answered from ready-made bytes in front of routing. */
  readonly hot?: boolean;
  readonly parameters: P;
  readonly answers: Readonly<Record<number, Documented>>;
  readonly handle: (call: Call<P>) => Answer | Promise<Answer>;
};

/** A request as an endpoint sees it. */
type Incoming = {
  readonly headers: IncomingHttpHeaders;
  /** Undecoded, without the question mark. */
  readonly query: string;
  readonly segments: Readonly<Record<string, string>>;
};

export type Endpoint = Omit<Declaration<ParameterTable>, 'handle'> & {
  /** Access, then parameters, then the work: the order of decision 4. */
  readonly answer: (incoming: Incoming, edition: Edition) => Answer | Promise<Answer>;
};

/** Makes an endpoint of its declaration. */
export function endpoint<const P extends ParameterTable>({ handle, ...declaration }: Declaration<P>): Endpoint {
  const { access, parameters } = declaration;
  return {
    ...declaration,
    answer({ headers, query, segments }, edition) {
      const admission = admit(access, headers);
      if ('problem' in admission) return refusal(admission.problem);
      const sent = readQuery(query);
      if (sent === null) return refusal(UNDECODABLE);
      const read = readParameters(parameters, sent, segments);
      if ('problem' in read) return refusal(read.problem);
      return handle({ ...read.values, edition, full: admission.full });
    },
  };
}

/** A 200 with a body that the contract describes. */
export function ok(body: Body, headers: HeaderList = API_HEADERS): Answer {
  return { status: 200, headers, body };
}

/** A refusal decided by a handler. */
export function refused(problem: Problem): Answer {
  return refusal(problem);
}
