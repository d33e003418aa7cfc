/** What the owner of a key can read about it. */

import { planNameOf } from '../../domain/access/plans.ts';
import { isoInstant } from '../../domain/days.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { KeyReport } from '../../store/keys/key-usage-report.ts';
import { type KeyJson, KeySchema } from '../contract/limit-schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { choice } from '../declaration/parameters.ts';
import { Body } from '../encoding/body.ts';
import { KEY_PATH } from '../request/cors.ts';
import { ok, SAME_ORIGIN_JSON_HEADERS } from '../response/answer.ts';
import { KEY_REFUSED, KEY_UNVERIFIABLE } from '../response/refusals.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import { webhookJson } from '../webhooks/webhook-words.ts';

/** `/cheie`. `report` returns what a key has used; `null` = the key no longer exists. `webhooks`: those of a key. */
export function accountEndpoint(
  report: (key: number) => Promise<KeyReport | null>,
  webhooks: WebhookService['list'],
): Endpoint {
  return endpoint({
    operationId: 'getKey',
    path: KEY_PATH,
    tag: API_TAGS.account,
    summary: { ro: 'Starea și consumul cheii trimise', en: 'Status and usage of the key in the request' },
    description: {
      ro: 'Nu consumă nimic din cota lunară, dar se numără la limitele pe termen scurt. Numai pentru servere: paginile de la alte origini nu o pot citi.',
      en: 'Does not count towards the monthly quota, but does count towards the short-term limits. For servers only: pages of other origins cannot read it.',
    },
    access: { key: 'required', quota: false, withoutKey: { weeklyCap: false } },
    parameters: {
      campuri: choice(new Map([['extins', true as const]]), {
        description: {
          ro: '`extins`: și câmpul `webhookuri`.',
          en: '`extins`: the field `webhookuri`, too.',
        },
        example: 'extins',
      }),
    },
    answers: { 200: { description: { ro: 'Cheia.', en: 'The key.' }, schema: KeySchema } },
    handle:
      ({ key, campuri }) =>
      async () => {
        const known = key as KnownKey;
        const used = await report(known.id).catch(unavailableOnOutage);
        const owned = campuri === true ? await webhooks(known.id).catch(unavailableOnOutage) : null;
        if (used === 'unavailable' || owned === 'unavailable') return refuse(KEY_UNVERIFIABLE, { cors: false });
        if (used === null) return refuse(KEY_REFUSED, { cors: false });
        const json = { ...keyJson(known, used), ...(owned !== null && { webhookuri: owned.map(webhookJson) }) };
        return ok(Body.singleUse(JSON.stringify(json)), SAME_ORIGIN_JSON_HEADERS);
      },
  });
}

/** While the database is unavailable, so is the report. */
function unavailableOnOutage(error: unknown): 'unavailable' {
  if (error instanceof DatabaseUnavailable) return 'unavailable';
  throw error;
}

function keyJson({ plan, quota, createdAt, subscribed }: KnownKey, used: KeyReport): KeyJson {
  return {
    status: 'ok',
    plan,
    plan_nume: planNameOf(plan),
    limita_lunara: quota,
    consum_luna: used.month,
    total_cereri: used.total,
    creata: isoInstant(createdAt),
    ultima_folosire: used.lastUsed === null ? null : isoInstant(used.lastUsed),
    abonament: subscribed,
    zilnic: used.days.map(({ day, count }) => ({ zi: day, count })),
  };
}
