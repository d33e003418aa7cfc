create table api_keys (
  id integer generated always as identity primary key,
  plan text not null,
  quota integer check (quota >= 0),
  email text,
  subscription text,
  created_at timestamptz not null,
  revoked_at timestamptz,
  check (plan <> 'dedicat' or quota is not null)
);
comment on table api_keys is 'The keys given out; deleting the row leaves nothing personal. Every change of a key is noted in key_changes.';
comment on column api_keys.quota is 'Requests a month by agreement; null = those of the plan.';
create table key_secrets (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  key_id integer not null references api_keys (id) on delete cascade,
  last4 text not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index key_secrets_by_key on key_secrets (key_id);
create unique index key_secrets_present on key_secrets (key_id) where expires_at is null;
comment on table key_secrets is 'What a key is recognised by: the hash of its text. One is for good, those it took the place of last until they expire.';

create table key_changes (
  version bigint generated always as identity primary key,
  key_id integer not null
);
comment on table key_changes is 'Which key was changed, in the order of commits, so that processes re-read only those. A key may be gone.';

create table key_usage (
  key_id integer primary key references api_keys (id) on delete cascade,
  recent bigint[] not null default '{}',
  month integer not null default 0,
  used integer not null default 0,
  total bigint not null default 0,
  last_used timestamptz,
  day date not null default '2000-01-01',
  days integer[] not null default array_fill(0, array[30])
) with (fillfactor = 40);

create table weekly_caps (
  client bytea not null,
  endpoint text not null,
  accepted_at timestamptz not null,
  primary key (client, endpoint)
);
create index weekly_caps_by_time on weekly_caps using brin (accepted_at);
comment on table weekly_caps is 'When a client without a key last had an answer of a capped endpoint; the client as a keyed hash of its address.';

create table minute_windows (
  client bytea not null,
  name text not null,
  recent bigint[] not null,
  primary key (client, name)
) with (fillfactor = 70);
comment on table minute_windows is 'The accepted requests of a client within the last minute, epoch ms: crawlers, the German channel.';
