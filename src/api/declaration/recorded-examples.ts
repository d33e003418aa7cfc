/**
 * The examples of the OpenAPI document: answers of a real service over test data, which contract tests record and keep
 * current. `pompa mock` answers with the refusals among them.
 */
import answers from '../contract/examples.json' with { type: 'json' };
import refusals from '../contract/refusal-examples.json' with { type: 'json' };
import type { Endpoint } from './endpoint.ts';
import { sharedRefusalsOf } from './shared-refusals.ts';

export type RecordedExample = {
  /** `null` = the only one of its answer. */
  readonly name: string | null;
  /** When the service answers so. */
  readonly summary?: string;
  readonly status: number;
  /** Headers that this refusal adds to those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** The service's own address in the recorded bodies. */
export const RECORDED_URL = 'https://pompa.example';

/** Bodies by operation and then by status, which another media type than JSON follows after a space. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;
/** Named refusals by operation or shared refusal: those of a kind that has headers of its own, or several forms. */
const REFUSALS: Readonly<Record<string, Readonly<Record<string, Omit<RecordedExample, 'name'>>>>> = refusals;

/** The examples of one answer of an operation, the usual one first. */
export function examplesOf(
  endpoint: Pick<Endpoint, 'operationId' | 'access' | 'fields' | 'answers'>,
  status: number,
): readonly RecordedExample[] {
  const { operationId } = endpoint;
  const only = ANSWERS[operationId]?.[status];
  const named = examplesOfRefusal(operationId, status);
  if (named.length > 0) return named;
  if (only !== undefined) return [{ name: null, status, headers: {}, body: only }];
  const shared = sharedRefusalsOf(endpoint).get(status);
  return shared === undefined ? [] : examplesOfRefusal(shared.name, status);
}

/** The examples of a shared refusal, or of an operation's own. */
export function examplesOfRefusal(name: string, status: number): readonly RecordedExample[] {
  return Object.entries(REFUSALS[name] ?? {})
    .filter(([, recorded]) => recorded.status === status)
    .map(([name, recorded]) => ({ name, ...recorded }));
}

/** The example of an answer in another format than JSON. */
export function exampleInFormat(operationId: string, status: number, mediaType: string): unknown {
  return ANSWERS[operationId]?.[`${status} ${mediaType}`];
}

/** The same with the address of the service that shows it. */
export function atAddress<T>(recorded: T, publicUrl: string): T {
  return JSON.parse(JSON.stringify(recorded).replaceAll(RECORDED_URL, publicUrl)) as T;
}
