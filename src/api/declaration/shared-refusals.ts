/** Which of the refusals that endpoints share an operation may answer with. */
import type { Access } from '../access/access-rules.ts';
import type { Endpoint } from './endpoint.ts';
import { COMMON_REFUSALS, LIMIT_REFUSALS, type Refusal } from './refusal-descriptions.ts';

export type SharedRefusal = {
  /** Among OpenAPI's components, where the kind of answer is appended, and among the recorded examples. */
  readonly name: string;
  readonly refusal: Refusal;
  /** Whether it is about keys and limits: such a refusal says when to try again. */
  readonly isLimit: boolean;
};

/** By status, without those that the endpoint describes itself. */
export function sharedRefusalsOf({
  access,
  fields,
  answers,
}: Pick<Endpoint, 'access' | 'fields' | 'answers'>): ReadonlyMap<number, SharedRefusal> {
  const common = Object.entries(COMMON_REFUSALS)
    .filter(([, { onlyWithBody }]) => onlyWithBody !== true || fields !== undefined)
    .filter(([name]) => name !== 'KeyRefused' || access.key !== 'none')
    .map(([name, refusal]): SharedRefusal => ({ name, refusal, isLimit: false }));
  const limits = limitNames(access).map((name): SharedRefusal => {
    return { name, refusal: LIMIT_REFUSALS[name], isLimit: true };
  });
  const all = [...common, ...limits].flatMap((shared) =>
    shared.refusal.statuses.map((status): [number, SharedRefusal] => [status, shared]),
  );
  return new Map(all.filter(([status]) => !(status in answers)));
}

function limitNames({ key, withoutKey, minuteLimit }: Access): (keyof typeof LIMIT_REFUSALS)[] {
  if (key === 'none') return minuteLimit === undefined ? [] : ['MinuteLimit'];
  return [withoutKey.weeklyCap === false ? 'KeyLimit' : 'AnyLimit', 'KeyUnverified'];
}
