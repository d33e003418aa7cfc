import { CHANGE_KINDS } from '../../domain/changes/served-change.ts';
import {
  leavesOutAllKinds,
  MAX_WEBHOOKS,
  WEBHOOK_LIMITS,
  type WebhookChanges,
  type WebhookFilter,
} from '../../domain/webhooks/webhook.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import { WEBHOOK_MESSAGES } from '../contract/messages.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { DeletedSchema, WebhookAnswerSchema, WebhookMadeSchema, WebhooksSchema } from '../contract/webhook-schemas.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { type Problem, problem } from '../response/problem.ts';
import { resolveFilter } from './resolve-filter.ts';
import { webhookActionEndpoints } from './webhook-action-endpoints.ts';
import { parseWebhookAddress } from './webhook-address.ts';
import {
  addressProblem,
  filterProblem,
  ID_PARAMETER,
  json,
  limited,
  UNKNOWN,
  unknownWebhook,
  WEBHOOK_ACCESS,
  whileAvailable,
} from './webhook-answers.ts';
import type { WebhookEndpointDependencies } from './webhook-dependencies.ts';
import { filterField, kindsField, NO_FILTER, pausedField, urlField } from './webhook-fields.ts';
import { webhookJson } from './webhook-words.ts';

const WEBHOOKS_PATH = '/api/v1/cheie/webhookuri';

const COMMON = { access: WEBHOOK_ACCESS, tag: API_TAGS.webhooks } as const;

/** The endpoints below `/cheie/webhookuri`. */
export function webhookEndpoints(dependencies: WebhookEndpointDependencies): Endpoint[] {
  return [
    listEndpoint(dependencies),
    createEndpoint(dependencies),
    findEndpoint(dependencies),
    changeEndpoint(dependencies),
    deleteEndpoint(dependencies),
    ...webhookActionEndpoints(WEBHOOKS_PATH, dependencies),
  ];
}

function listEndpoint({ service }: WebhookEndpointDependencies): Endpoint {
  return endpoint({
    ...COMMON,
    operationId: 'getWebhooks',
    path: WEBHOOKS_PATH,
    summary: { ro: 'Webhookurile cheii trimise', en: 'The webhooks of the key in the request' },
    description: {
      ro: 'Nu consumă nimic din cota lunară, ca toate adresele webhookurilor. Secretele nu apar.',
      en: 'Does not count towards the monthly quota, like every endpoint of webhooks. Secrets are not shown.',
    },
    parameters: {},
    answers: { 200: { description: { ro: 'Webhookurile.', en: 'The webhooks.' }, schema: WebhooksSchema } },
    handle:
      ({ key }) =>
      () =>
        whileAvailable(async () => {
          const webhooks = await service.list(idOf(key));
          return json({ status: 'ok', total: webhooks.length, webhookuri: webhooks.map(webhookJson) });
        }),
  });
}

function createEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  const { service, limits } = dependencies;
  return endpoint({
    ...COMMON,
    operationId: 'createWebhook',
    method: 'POST',
    path: WEBHOOKS_PATH,
    summary: { ro: 'Un webhook nou', en: 'A new webhook' },
    description: {
      ro: `Răspunsul conține secretul, care nu se mai arată apoi. Nimic nu se trimite până când adresa nu răspunde 2xx la un test (\`POST …/{id}/test\`). Cel mult ${MAX_WEBHOOKS} pentru o cheie și ${WEBHOOK_LIMITS.change} de schimbări pe oră.`,
      en: `The answer has the secret, which is never shown again. Nothing is sent until the address answers a test with 2xx (\`POST …/{id}/test\`). At most ${MAX_WEBHOOKS} for a key, and ${WEBHOOK_LIMITS.change} changes an hour.`,
    },
    parameters: {},
    fields: { url: urlField(true), filtru: filterField, fel: kindsField },
    onlyKnownFields: true,
    example: ['filtru', 'fel'],
    answers: {
      201: {
        description: { ro: 'Webhookul și secretul lui.', en: 'The webhook and its secret.' },
        schema: WebhookMadeSchema,
      },
      409: {
        description: {
          ro: `Cheia are deja ${MAX_WEBHOOKS} webhookuri.`,
          en: `The key has ${MAX_WEBHOOKS} webhooks already.`,
        },
        schema: ProblemSchema,
      },
    },
    handle({ body: { url, filtru, fel = CHANGE_KINDS }, key, rendered }) {
      const content = parseContent({ url, filtru }, dependencies, rendered);
      if ('problem' in content) return refuse(content.problem, { cors: false });
      const { url: parsed = '', filter = NO_FILTER } = content;
      if (leavesOutAllKinds({ filter, kinds: fel })) return refuse(filterProblem(NO_KIND_LEFT), { cors: false });
      return () =>
        limited(limits, idOf(key), 'change', async () => {
          const made = await service.create(idOf(key), { url: parsed, filter, kinds: fel });
          if (made === 'too many') return refuse(problem(409, WEBHOOK_MESSAGES.tooMany(MAX_WEBHOOKS)), { cors: false });
          return json({ status: 'ok', webhook: webhookJson(made.webhook), secret: made.secret }, 201);
        });
    },
  });
}

function findEndpoint({ service }: WebhookEndpointDependencies): Endpoint {
  return endpoint({
    ...COMMON,
    operationId: 'getWebhook',
    path: `${WEBHOOKS_PATH}/{id}`,
    summary: { ro: 'Un webhook și starea lui', en: 'A webhook and its state' },
    description: {
      ro: '`stare` spune dacă se trimite, iar `motiv_oprire` de ce l-am oprit.',
      en: '`stare` says whether it is sent to, and `motiv_oprire` why we stopped it.',
    },
    parameters: { id: ID_PARAMETER },
    answers: {
      200: { description: { ro: 'Webhookul.', en: 'The webhook.' }, schema: WebhookAnswerSchema },
      ...UNKNOWN,
    },
    handle:
      ({ key, id }) =>
      () =>
        whileAvailable(async () => {
          const webhook = await service.find(idOf(key), id);
          return webhook === null ? unknownWebhook() : json({ status: 'ok', webhook: webhookJson(webhook) });
        }),
  });
}

function changeEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  const { service, limits } = dependencies;
  return endpoint({
    ...COMMON,
    operationId: 'changeWebhook',
    method: 'PATCH',
    path: `${WEBHOOKS_PATH}/{id}`,
    summary: { ro: 'Schimbă, oprește sau reia un webhook', en: 'Changes, pauses or resumes a webhook' },
    description: {
      ro: 'Câmpurile care lipsesc rămân cum sunt; `filtru` se înlocuiește întreg, `{}` = fără filtru. O adresă nouă trebuie verificată din nou cu un test.',
      en: 'Fields that are absent stay as they are; `filtru` is replaced as a whole, `{}` = no filter. A new address has to be verified again by a test.',
    },
    parameters: { id: ID_PARAMETER },
    fields: { url: urlField(false), filtru: filterField, fel: kindsField, pauza: pausedField },
    onlyKnownFields: true,
    example: ['pauza'],
    answers: {
      200: { description: { ro: 'Webhookul schimbat.', en: 'The changed webhook.' }, schema: WebhookAnswerSchema },
      ...UNKNOWN,
    },
    handle({ body: { url, filtru, fel, pauza }, key, id, rendered }) {
      const content = parseContent({ url, filtru }, dependencies, rendered);
      if ('problem' in content) return refuse(content.problem, { cors: false });
      const changes: WebhookChanges = {
        ...content,
        ...(fel !== undefined && { kinds: fel }),
        ...(pauza !== undefined && { paused: pauza }),
      };
      if (Object.keys(changes).length === 0)
        return refuse(problem(400, WEBHOOK_MESSAGES.nothingToChange), { cors: false });
      return () =>
        limited(limits, idOf(key), 'change', async () => {
          const before = await service.find(idOf(key), id);
          if (before === null) return unknownWebhook();
          const isOther = filtru !== undefined || fel !== undefined;
          if (isOther && leavesOutAllKinds({ ...before, ...changes }))
            return refuse(filterProblem(NO_KIND_LEFT), { cors: false });
          const webhook = await service.change(idOf(key), id, changes);
          return webhook === null ? unknownWebhook() : json({ status: 'ok', webhook: webhookJson(webhook) });
        });
    },
  });
}

function deleteEndpoint({ service, limits }: WebhookEndpointDependencies): Endpoint {
  return endpoint({
    ...COMMON,
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: `${WEBHOOKS_PATH}/{id}`,
    summary: { ro: 'Șterge un webhook', en: 'Deletes a webhook' },
    description: {
      ro: 'Nimic nu se mai trimite; livrările lui se șterg și ele.',
      en: 'Nothing is sent any more; its deliveries are deleted, too.',
    },
    parameters: { id: ID_PARAMETER },
    answers: {
      200: { description: { ro: 'Este șters.', en: 'It is deleted.' }, schema: DeletedSchema },
      ...UNKNOWN,
    },
    handle:
      ({ key, id }) =>
      () =>
        limited(limits, idOf(key), 'change', async () =>
          (await service.delete(idOf(key), id)) ? json({ status: 'ok' }) : unknownWebhook(),
        ),
  });
}

const NO_KIND_LEFT = { field: 'kinds', choices: [] } as const;

const idOf = (key: KnownKey | null) => (key as KnownKey).id;

/** The address and filter that were sent, or the first that is wrong. */
function parseContent(
  { url, filtru }: { readonly url: string | undefined; readonly filtru: WebhookFilter | undefined },
  { places, allowedOrigins }: WebhookEndpointDependencies,
  rendered: RenderedSnapshot,
): { readonly url?: string; readonly filter?: WebhookFilter } | { readonly problem: Problem } {
  const address = url === undefined ? null : parseWebhookAddress(url, allowedOrigins);
  if (address !== null && 'fault' in address) return { problem: addressProblem(address.fault) };
  const filter = filtru === undefined ? null : resolveFilter(filtru, { places, rendered });
  if (filter !== null && 'fault' in filter) return { problem: filterProblem(filter.fault) };
  return { ...(address !== null && { url: address.url }), ...(filter !== null && { filter }) };
}
