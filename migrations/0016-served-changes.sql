-- What was served, change by change: the price, its doubt or its absence, for each station and fuel.

create table change_feed (
  only_row boolean primary key default true check (only_row),
  epoch text,
  seq bigint not null default 0,
  states bigint not null default 0,
  version bigint not null default 0,
  told_at timestamptz,
  until timestamptz
);
comment on table change_feed is 'One row, locked by whoever tells changes: how far they are told.';
comment on column change_feed.epoch is 'Part of every cursor, random; null = to be renewed, which makes all earlier cursors invalid.';
comment on column change_feed.seq is 'Number of the last change; states likewise of the last state.';
comment on column change_feed.version is 'The publication told last, judged at told_at; its verdicts hold until then.';
insert into change_feed default values;

create table served_states (
  number bigint primary key,
  seq bigint not null,
  version bigint not null,
  told_at timestamptz not null,
  until timestamptz not null
);
comment on table served_states is 'Every state that was told: with the changes up to seq, what is served of a publication from told_at until.';

create table served_prices (
  station_id text not null,
  fuel smallint not null,
  price integer,
  reason text,
  primary key (station_id, fuel)
) with (fillfactor = 80);
comment on table served_prices is 'The state told last, which the next one is compared with: one row for each record served.';
comment on column served_prices.reason is 'Why the price is doubtful or missing; null = a trusted price.';

create table served_changes (
  seq bigint primary key,
  version bigint not null,
  told_at timestamptz not null,
  station_id text not null,
  fuel smallint,
  kind text not null check (kind in ('price', 'withdrawn', 'returned', 'flag', 'station added', 'station removed')),
  old_price integer,
  old_reason text,
  new_price integer,
  new_reason text,
  source text,
  observed_day date,
  observed_at timestamptz,
  county text not null,
  city text not null,
  network text not null,
  check ((fuel is null) = (kind in ('station added', 'station removed')))
);
create index served_changes_by_time on served_changes (told_at);
comment on table served_changes is 'Append-only, without gaps: what changed from one told state to the next.';
comment on column served_changes.old_reason is 'unsold = there was no record of this fuel; new_reason likewise.';
comment on column served_changes.county is 'Plate code, city and network slugs of the station at that time, empty if unknown: what filters ask for.';
