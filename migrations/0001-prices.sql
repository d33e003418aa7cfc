-- Stations, what the sources say of them, and what was published. Facts only: no verdict is ever stored.

create table secrets (
  name text primary key,
  value bytea not null
);
comment on table secrets is 'Made once by the first migration: key of the hashes under which addresses are kept.';
insert into secrets (name, value)
values ('address-hash', sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

create table publication (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  published_at timestamptz,
  updated_at timestamptz
);
comment on table publication is 'One row, locked by whoever publishes: publications happen one after another and versions only grow.';
comment on column publication.published_at is 'Clock of the newest run whose facts are in: the moment the facts speak of.';
comment on column publication.updated_at is 'End of the last collection in which a source delivered (actualizat_la).';
insert into publication (version) values (0);

create table changed_days (
  version bigint not null,
  day date not null,
  primary key (version, day)
);
comment on table changed_days is 'Which past days a publication rewrote, so that readers re-read only those.';

create table leases (
  name text primary key,
  holder text not null,
  fence bigint not null,
  expires_at timestamptz not null
);

create table sources (
  name text primary key,
  delivered_at timestamptz,
  downloaded_at timestamptz
);

create table runs (
  id bigint generated always as identity primary key,
  source text not null,
  at timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  outcome text not null check (outcome in ('delivered', 'set_aside', 'failed')),
  scheduled boolean not null,
  forced boolean not null,
  requests integer not null,
  rows integer not null,
  rejected jsonb not null,
  samples jsonb not null,
  matched integer not null,
  new integer not null,
  ambiguous jsonb not null,
  changed integer not null,
  failed_units text[] not null,
  means jsonb not null,
  reason text
);
create index runs_by_source on runs (source, at desc);
comment on column runs.at is 'The run''s clock: its end, or the moment given with --at.';
comment on column runs.means is 'Mean price by fuel in thousandths, to tell whether two runs agree.';

create table stations (
  id text primary key,
  created_at timestamptz not null,
  first_day date,
  fuels smallint not null default 0
);
comment on column stations.first_day is 'First day any price is known for.';
comment on column stations.fuels is 'Fuels ever priced here, one bit each in the contract''s order.';

create table station_aliases (
  source text not null,
  key text not null,
  station_id text not null references stations (id),
  network text not null,
  brand text not null,
  name text not null,
  address text not null,
  lat double precision,
  lng double precision,
  siruta integer,
  locality text,
  hours text,
  services text[] not null,
  phone text,
  manual jsonb,
  first_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (source, key)
);
create index station_aliases_by_station on station_aliases (station_id);

create table unit_reads (
  source text not null,
  unit text not null,
  read_at timestamptz,
  refusals integer not null default 0,
  primary key (source, unit)
);
comment on column unit_reads.refusals is 'How many runs in a row answered "no such thing" for a unit that had rows.';

create table price_facts (
  station_id text not null references stations (id),
  fuel smallint not null,
  source text not null,
  unit text not null,
  price integer,
  observed_day date,
  observed_at timestamptz,
  observed_text text,
  since_day date not null,
  changed boolean not null,
  seen_at timestamptz not null,
  missing_since timestamptz,
  primary key (station_id, fuel, source)
) with (fillfactor = 70);
comment on table price_facts is 'What each source says now; rewritten only where something changed. Being seen is noted per unit in unit_reads.';

create table observations (
  id bigint generated always as identity primary key,
  station_id text not null references stations (id),
  fuel smallint not null,
  source text not null,
  price integer,
  missing boolean not null,
  observed_day date,
  observed_at timestamptz,
  observed_text text,
  seen_at timestamptz not null,
  run_id bigint
);
create index observations_by_station on observations (station_id, fuel, source, seen_at desc);
create index observations_by_time on observations using brin (seen_at);
comment on table observations is 'Append only: one row for every change of a price, of its disappearance and its return.';

create table daily_prices (
  day date not null,
  station_id text not null references stations (id),
  petrol integer,
  petrol_premium integer,
  diesel integer,
  diesel_premium integer,
  lpg integer,
  adblue integer,
  facts smallint not null,
  primary key (day, station_id)
);
comment on column daily_prices.facts is 'Fuels whose value comes from facts, one bit each: an import fills only the others.';
