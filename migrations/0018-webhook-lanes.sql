-- Webhooks: a backlog is one delivery, what a delivery tells is fixed, and slow receivers have places of their own.

alter table webhooks
  add column revision integer not null default 0,
  add column scanned bigint,
  add column found integer not null default 0,
  add column sent_at timestamptz,
  add column slow_at timestamptz;
comment on column webhooks.revision is 'How often the filter or the kinds were changed: part of the id of what is sent.';
comment on column webhooks.scanned is 'The change up to which those after position were looked through; null = none was. Of these, found are to be sent.';
comment on column webhooks.sent_at is 'When a delivery arrived last.';
comment on column webhooks.slow_at is 'When its address was slow to answer last, or failed.';

alter table webhook_deliveries
  add column revision integer not null default 0,
  add column total integer not null default 0,
  add column told_at timestamptz;
comment on column webhook_deliveries.revision is 'That of the webhook when it was stored: a change of the filter makes another delivery.';
comment on column webhook_deliveries.total is 'How many changes it tells.';
comment on column webhook_deliveries.told_at is 'When the last of them was told; null = a ping.';

-- What these were to tell was not fixed: they are made again from the place of their webhook.
delete from webhook_deliveries where state = 'waiting';
