/**
 * Refusals as values: how one becomes an answer, and those that any request may get; `refusals.ts` has those of limits.
 */
import { ROUTES } from '../../domain/pages/routes.ts';
import { type Bilingual, MESSAGES, PATH_UNKNOWN_MESSAGES, pathRetiredMessages } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import { type Answer, type HeaderList, PUBLIC_JSON_HEADERS, SAME_ORIGIN_JSON_HEADERS } from './answer.ts';
import type { RefusalKind } from './refusal-kinds.ts';

/** An error answer, before it becomes bytes. */
export type Problem = {
  readonly status: number;
  readonly body: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: HeaderList;
  /** Where access control or a limit refuses. */
  readonly kind?: RefusalKind;
};

/** A refusal in the standard envelope. */
export function problem(status: number, message: string, headers: HeaderList = []): Problem {
  return { status, body: { status: 'error', message }, headers };
}

/** A path that does not exist, or (410) no longer exists. */
export function noSuchPath(publicUrl: string, successor?: string): Problem {
  const texts: Bilingual = successor === undefined ? PATH_UNKNOWN_MESSAGES : pathRetiredMessages(successor);
  return {
    status: successor === undefined ? 404 : 410,
    body: { status: 'error', ...texts, docs: `${publicUrl}${ROUTES.docs.ro}` },
  };
}

/** A method that an existing path does not allow. */
export function methodNotAllowed(allow: string): Problem {
  return problem(405, MESSAGES.methodNotAllowed(allow), ['Allow', allow]);
}

/** The bytes of a refusal. CORS headers as in rule 16: on GET, on no other method. */
export function problemAnswer({ status, body, headers = [], kind }: Problem, cors = true): Answer {
  return {
    status,
    headers: cors ? PUBLIC_JSON_HEADERS : SAME_ORIGIN_JSON_HEADERS,
    extraHeaders: headers,
    body: Body.singleUse(JSON.stringify(body)),
    refusal: kind,
  };
}
