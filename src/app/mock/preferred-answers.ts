/**
 * Answers that a client of the mock chooses by a header such as `Prefer: code=429, example=weekly`. They are the
 * recorded examples of the OpenAPI document, so that whatever the document tells can be had.
 */
import { OPEN_ACCESS } from '../../api/access/access-rules.ts';
import type { Endpoint } from '../../api/declaration/endpoint.ts';
import { atAddress, examplesOf, type RecordedExample } from '../../api/declaration/recorded-examples.ts';
import { sharedRefusalsOf } from '../../api/declaration/shared-refusals.ts';
import { Body } from '../../api/encoding/body.ts';
import { parsePreferences } from '../../api/request/prefer-header.ts';
import {
  type Answer,
  BODILESS_PUBLIC_HEADERS,
  PUBLIC_JSON_HEADERS,
  SAME_ORIGIN_JSON_HEADERS,
} from '../../api/response/answer.ts';
import { type Problem, problem, problemAnswer } from '../../api/response/problem.ts';

/** The endpoint with a choice of its answers; without one, or for 200, it answers as ever. */
export function withPreferences(endpoint: Endpoint, publicUrl: () => string): Endpoint {
  const { path, cors, cacheable = false, mapProblem = (refusal: Problem) => refusal } = endpoint;
  return {
    ...endpoint,
    // A prerendered answer is sent whatever the request prefers.
    prerendered: false,
    allowedHeaders: ['Prefer'],
    answer(incoming, rendered, accessControl) {
      const choice = chosenExample(endpoint, incoming.headers.prefer as string | undefined);
      if (choice === null) return endpoint.answer(incoming, rendered, accessControl);
      if ('refused' in choice) return problemAnswer(mapProblem(problem(400, choice.refused)), cors);
      const answer = choice.status === 304 ? UNCHANGED_ANSWER : exampleAnswer(atAddress(choice, publicUrl()), cors);
      if (isDecidedByAccess(endpoint, choice.status)) return answer;
      // A valid key adds its headers, as to every answer.
      return accessControl({
        access: OPEN_ACCESS,
        path,
        caller: incoming,
        cors,
        cacheable,
        prepare: () => ({ answer }),
      });
    },
  };
}

/** An answer without a body has no example. */
const UNCHANGED: RecordedExample = { name: null, status: 304, headers: { ETag: '"mock"' }, body: null };
const UNCHANGED_ANSWER: Answer = {
  status: UNCHANGED.status,
  headers: BODILESS_PUBLIC_HEADERS,
  extraHeaders: [...Object.entries(UNCHANGED.headers).flat(), 'Preference-Applied', 'code=304'],
  body: null,
};

/** `null` = the request prefers nothing in particular. */
function chosenExample(
  endpoint: Endpoint,
  header: string | undefined,
): RecordedExample | { readonly refused: string } | null {
  if (header === undefined) return null;
  const preferences = parsePreferences(header);
  const [code, name] = [preferences.get('code'), preferences.get('example')];
  if (code === undefined && name === undefined) return null;
  if (code === '200' && name === undefined) return null;
  const examples = code !== undefined && /^\d{3}$/.test(code) ? examplesOf(endpoint, Number(code)) : [];
  if (code === '304' && name === undefined && endpoint.hasNotModified) return UNCHANGED;
  const chosen = code === '200' ? undefined : examples.find((each) => name === undefined || each.name === name);
  const sent = [...(code === undefined ? [] : [`code=${code}`]), ...(name === undefined ? [] : [`example=${name}`])];
  return chosen ?? { refused: unknownChoice(sent.join(', '), endpoint) };
}

/** Both languages, because nobody but developers reads it. */
function unknownChoice(sent: string, endpoint: Endpoint): string {
  const known = choicesOf(endpoint).join('; ');
  const shown = sent.slice(0, MOST_SHOWN);
  return `„Prefer: ${shown}” nu este un răspuns al acestei adrese (not an answer of this address). Posibile (possible): ${known}.`;
}

const MOST_SHOWN = 100;

/** What the header may ask of an endpoint, as it is written there. */
function choicesOf(endpoint: Endpoint): string[] {
  const documented = [...Object.keys(endpoint.answers).map(Number), ...sharedRefusalsOf(endpoint).keys()];
  const statuses = new Set([...documented, ...(endpoint.hasNotModified ? [UNCHANGED.status] : [])]);
  return [...statuses]
    .sort((a, b) => a - b)
    .map((status) => {
      const names = status === 200 ? [] : examplesOf(endpoint, status).flatMap(({ name }) => name ?? []);
      return `code=${status}${names.length > 1 ? ` (example=${names.join(' | ')})` : ''}`;
    });
}

/** Whether access control refuses so: then the headers of a key are those of the refusal. */
function isDecidedByAccess(endpoint: Endpoint, status: number): boolean {
  const shared = sharedRefusalsOf(endpoint).get(status);
  return shared !== undefined && (shared.isLimit || shared.name === 'KeyRefused');
}

function exampleAnswer({ status, name, headers, body }: RecordedExample, cors: boolean): Answer {
  const applied = name === null ? `code=${status}` : `code=${status}, example=${name}`;
  return {
    status,
    headers: cors ? PUBLIC_JSON_HEADERS : SAME_ORIGIN_JSON_HEADERS,
    extraHeaders: [...Object.entries(headers).flat(), 'Preference-Applied', applied],
    body: Body.singleUse(JSON.stringify(body)),
  };
}
