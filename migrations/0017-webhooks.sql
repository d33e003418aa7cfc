-- Webhooks: where changes of what is served are posted, and what was posted.

create table webhooks (
  id bigint generated always as identity primary key,
  key_id integer not null references api_keys (id) on delete cascade,
  url text not null,
  fuel smallint,
  county text,
  city text,
  network text,
  stations text[],
  kinds text[] not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  epoch text,
  position bigint not null default 0,
  created_at timestamptz not null,
  verified_at timestamptz,
  paused_at timestamptz,
  stopped_at timestamptz,
  stop_reason text check (stop_reason in ('gone', 'failing')),
  check ((stopped_at is null) = (stop_reason is null)),
  check ((old_secret is null) = (old_secret_until is null))
);
create index webhooks_by_key on webhooks (key_id);
create index webhooks_sending on webhooks (position)
  where verified_at is not null and paused_at is null and stopped_at is null;
comment on table webhooks is 'Addresses that are told of changes; each goes with its key.';
comment on column webhooks.fuel is 'Filter, as county, city, network and stations: null leaves nothing out.';
comment on column webhooks.secret is 'Signs what is posted; old_secret signs, too, until old_secret_until.';
comment on column webhooks.position is 'Number of the last change that is delivered or filtered out, in the feed of this epoch; null = it begins with the next one.';

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks (id) on delete cascade,
  event text not null check (event in ('changes', 'restart', 'ping')),
  epoch text,
  after_seq bigint not null,
  end_seq bigint not null,
  state text not null check (state in ('waiting', 'delivered', 'given up')),
  tries integer not null default 0,
  http_status smallint,
  failure text,
  created_at timestamptz not null,
  tried_at timestamptz,
  due_at timestamptz,
  check ((due_at is null) = (state <> 'waiting'))
);
create unique index webhook_deliveries_in_order on webhook_deliveries (webhook_id) where state = 'waiting';
create index webhook_deliveries_due on webhook_deliveries (due_at) where state = 'waiting';
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
comment on table webhook_deliveries is 'What was posted, or is to be: one waits at a time for each webhook.';
comment on column webhook_deliveries.end_seq is 'The last change that it tells; after_seq is the one before the first.';
