/** The bodies that webhooks are sent. */
import { cursorText } from '../../domain/changes/cursor.ts';
import { isoInstant } from '../../domain/days.ts';
import type { Delivery } from '../../store/webhooks/webhook-outbox.ts';
import { changeRecord } from '../contract/change-words.ts';
import type { ChangesEventJson, PingEventJson, RestartEventJson } from '../contract/webhook-event-schemas.ts';

type Told = Omit<Delivery, 'delivery' | 'id' | 'url' | 'secrets' | 'createdAt' | 'tries'>;

/** Of a delivery of changes, or of a restart of the feed. */
export function webhookBody({ webhook, event, epoch, after, end, toldAt, changes, total }: Told): string {
  const cursorAt = (seq: number) => cursorText({ epoch, seq, ahead: null });
  const timestamp = isoInstant(toldAt);
  const place = { webhook_id: String(webhook), pana_la: cursorAt(end) };
  if (event === 'restart') return textOf({ type: 'reluare', timestamp, data: place });
  const { webhook_id, pana_la } = place;
  const modificari = changes?.map((change) => changeRecord(change, cursorAt(change.seq)));
  const data = { webhook_id, dupa: cursorAt(after), pana_la, total, ...(modificari && { modificari }) };
  return textOf({ type: 'modificari', timestamp, data });
}

/** Of a test. */
export function pingBody(webhook: number, now: number): string {
  return textOf({ type: 'ping', timestamp: isoInstant(now), data: { webhook_id: String(webhook) } });
}

const textOf = (event: ChangesEventJson | PingEventJson | RestartEventJson) => JSON.stringify(event);
