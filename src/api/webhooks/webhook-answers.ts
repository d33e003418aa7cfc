/** What the endpoints of webhooks have in common: their access, their refusals, and how an answer is made. */

import {
  type AddressFault,
  type FilterFault,
  MAX_URL_LENGTH,
  WEBHOOK_LIMITS,
  type WebhookAction,
} from '../../domain/webhooks/webhook.ts';
import { Type } from '../../json/json-schema.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import { FIELD_MESSAGES, WEBHOOK_ADDRESS_MESSAGES, WEBHOOK_MESSAGES } from '../contract/messages.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import type { DocumentedAnswer } from '../declaration/endpoint.ts';
import type { Parameter } from '../declaration/parameters.ts';
import { Body } from '../encoding/body.ts';
import { type Answer, SAME_ORIGIN_JSON_HEADERS } from '../response/answer.ts';
import { type Problem, problem, problemAnswer } from '../response/problem.ts';
import { WEBHOOKS_UNAVAILABLE, webhookActionsLimited } from '../response/refusals.ts';
import type { WebhookLimits } from './webhook-limits.ts';

/** As `/cheie`: what a key owns costs nothing of its quota, and counts towards its short-term limits. */
export const WEBHOOK_ACCESS = { key: 'required', quota: false, withoutKey: { weeklyCap: false } } as const;

export const UNKNOWN: Readonly<Record<number, DocumentedAnswer>> = {
  404: {
    description: { ro: 'Cheia nu are un astfel de webhook.', en: 'The key has no such webhook.' },
    schema: ProblemSchema,
  },
};

/** The name of a webhook in a path; what cannot be one is unknown. */
export const ID_PARAMETER: Parameter<string> = {
  in: 'path',
  description: { ro: 'Câmpul `id` al webhookului.', en: 'The field `id` of the webhook.' },
  schema: Type.String(),
  example: '1',
  parse: (sent = '') => ({ value: sent }),
};

const refuse = (refusal: Problem): Answer => problemAnswer(refusal, false);

export const unknownWebhook = () => refuse(problem(404, WEBHOOK_MESSAGES.unknown));

export function json(body: object, status = 200): Answer {
  return { status, headers: SAME_ORIGIN_JSON_HEADERS, body: Body.singleUse(JSON.stringify(body)) };
}

/** The answer that the work makes, or that webhooks are unavailable. */
export async function whileAvailable(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return refuse(WEBHOOKS_UNAVAILABLE);
    throw error;
  }
}

/** The same, if the key may act so often. */
export async function limited(
  limits: WebhookLimits,
  key: number,
  action: WebhookAction,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const waitMs = limits(key, action);
  if (waitMs > 0)
    return refuse(webhookActionsLimited(WEBHOOK_MESSAGES.limited[action](WEBHOOK_LIMITS[action]), waitMs));
  return whileAvailable(work);
}

/** Why an address is refused. */
export function addressProblem(fault: AddressFault): Problem {
  const expected =
    fault === 'too long' ? WEBHOOK_ADDRESS_MESSAGES[fault](MAX_URL_LENGTH) : WEBHOOK_ADDRESS_MESSAGES[fault];
  return problem(400, FIELD_MESSAGES.wrong('url', expected));
}

/** Why a name in a filter is refused. */
export function filterProblem({ field, choices }: FilterFault): Problem {
  const [name, expected] = {
    county: ['filtru.judet', WEBHOOK_MESSAGES.unknownCounty],
    city: ['filtru.oras', choices.length > 0 ? WEBHOOK_MESSAGES.ambiguousCity(choices) : WEBHOOK_MESSAGES.unknownCity],
    network: ['filtru.brand', WEBHOOK_MESSAGES.unknownNetwork],
    'city in county': ['filtru.oras', WEBHOOK_MESSAGES.cityElsewhere],
    stations: ['filtru.statii', WEBHOOK_MESSAGES.unknownStation(choices[0] ?? '')],
    kinds: ['fel', WEBHOOK_MESSAGES.kindsWithoutFuel],
  }[field] as [string, string];
  return problem(400, FIELD_MESSAGES.wrong(name, expected));
}
