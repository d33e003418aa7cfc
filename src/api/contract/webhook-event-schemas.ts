/** The bodies that webhooks are sent: `type`, `timestamp` and `data`, as Standard Webhooks has them. */
import type { Static } from 'typebox';
import { Type } from '../../json/json-schema.ts';
import { ChangeSchema } from './change-schemas.ts';
import { described } from './localized-schema.ts';
import { countOf, oneOf, strictObject } from './schema-parts.ts';
import type { EVENT_CODES } from './webhook-schemas.ts';

type EventCode = (typeof EVENT_CODES)[number];

const timestamp = Type.String({
  format: 'date-time',
  ...described({ ro: 'Când s-a petrecut, UTC.', en: 'When it happened, UTC.' }),
});
const webhookId = Type.String(described({ ro: 'Câmpul `id` al webhookului.', en: 'The field `id` of the webhook.' }));
const upTo = Type.String(
  described({
    ro: 'Cursorul de după aceste modificări: păstrați-l odată cu datele.',
    en: 'The cursor after these changes: store it together with the data.',
  }),
);

function eventOf<D extends Parameters<typeof strictObject>[0]>(type: EventCode, data: D, $id: string) {
  const typeField = oneOf([type], { ro: 'Felul evenimentului.', en: 'The kind of event.' });
  return strictObject({ type: typeField, timestamp, data: strictObject(data) }, $id);
}

export const ChangesEventSchema = eventOf(
  'modificari',
  {
    webhook_id: webhookId,
    dupa: Type.String(
      described({
        ro: 'Cursorul de dinaintea acestor modificări: `pana_la` al livrării dinainte.',
        en: 'The cursor before these changes: `pana_la` of the delivery before.',
      }),
    ),
    pana_la: upTo,
    total: countOf({ ro: 'Câte modificări sunt.', en: 'How many changes there are.' }),
    modificari: Type.Optional(
      Type.Array(ChangeSchema, {
        maxItems: 50,
        ...described({
          ro: 'În ordine, cea mai veche prima. Lipsește când sunt peste 50, sau după o pauză lungă: citiți `/modificari?dupa=` până la `pana_la`.',
          en: 'In order, oldest first. Absent when there are more than 50, or after a long gap: read `/modificari?dupa=` up to `pana_la`.',
        }),
      }),
    ),
  },
  'EvenimentModificari',
);

export const PingEventSchema = eventOf('ping', { webhook_id: webhookId }, 'EvenimentPing');

export const RestartEventSchema = eventOf('reluare', { webhook_id: webhookId, pana_la: upTo }, 'EvenimentReluare');

export type ChangesEventJson = Static<typeof ChangesEventSchema>;
export type PingEventJson = Static<typeof PingEventSchema>;
export type RestartEventJson = Static<typeof RestartEventSchema>;
