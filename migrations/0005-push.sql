-- Push subscriptions, the alerts they were sent, and what alerts compare with.

create table push_subscriptions (
  id integer generated always as identity primary key,
  endpoint text not null,
  endpoint_sha256 bytea not null unique check (octet_length(endpoint_sha256) = 32),
  origin text not null,
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  city text,
  fuel smallint,
  client bytea not null,
  created_at timestamptz not null,
  alerted_at timestamptz
);
create index push_subscriptions_by_client on push_subscriptions (client, created_at);
create index push_subscriptions_by_subject on push_subscriptions (city, fuel);
comment on table push_subscriptions is 'Browsers that want to be told of prices; deleting the row leaves nothing personal.';
comment on column push_subscriptions.origin is 'Scheme, host and port of the endpoint: who is sent to, and all that is ever shown of it.';
comment on column push_subscriptions.city is 'Slug of a locality; null = the whole country.';
comment on column push_subscriptions.fuel is 'Position in the contract''s order; null = petrol and diesel standard.';
comment on column push_subscriptions.client is 'Keyed hash of the address it came from, for the bound on subscriptions of one address.';

create table alerts (
  id bigint generated always as identity primary key,
  version bigint not null,
  city text,
  fuel smallint not null,
  at timestamptz not null,
  price integer not null,
  facts jsonb not null
);
create index alerts_by_time on alerts (at);
comment on table alerts is 'Alerts that fired, each written together with its deliveries.';
comment on column alerts.version is 'The publication it was judged on; 0 = a simulated one of the demo.';

create table alert_deliveries (
  alert_id bigint not null references alerts (id) on delete cascade,
  subscription_id integer not null references push_subscriptions (id) on delete cascade,
  origin text not null,
  due_at timestamptz not null,
  tries smallint not null default 0,
  done_at timestamptz,
  outcome text check (outcome in ('delivered', 'gone', 'refused', 'expired')),
  primary key (alert_id, subscription_id),
  check ((done_at is null) = (outcome is null))
) with (fillfactor = 70);
create index alert_deliveries_waiting on alert_deliveries (origin, due_at) where done_at is null;
create index alert_deliveries_by_subscription on alert_deliveries (subscription_id);
comment on table alert_deliveries is 'The outbox: one row for each alert and subscriber, done when the push service has answered.';

create table alert_state (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
comment on table alert_state is 'One row, locked by whoever judges: the publication up to which alerts were judged.';
insert into alert_state (version) select version from publication;

create table alerts_waiting (
  city text,
  fuel smallint not null,
  day date not null,
  unique nulls not distinct (city, fuel)
);
comment on table alerts_waiting is 'Alerts of the night, judged again in the morning as of the day they were found on.';

create table daily_reliance (
  day date not null,
  station_id text not null references stations (id),
  petrol text,
  petrol_premium text,
  diesel text,
  diesel_premium text,
  lpg text,
  adblue text,
  primary key (day, station_id)
);
comment on table daily_reliance is 'Whose relied-on price the day''s value in daily_prices is, fuel by fuel; null = a doubtful one, or none. Kept for as long as alerts look back.';
