-- What drivers report of a station's prices; a report changes no price.

create table driver_reports (
  id integer generated always as identity primary key,
  station_id text not null,
  slug text not null,
  kind text not null check (kind in ('price', 'no_fuel', 'closed', 'other')),
  fuel smallint,
  shown_price integer,
  version integer not null,
  shown_at timestamptz,
  seen_price integer,
  comment text,
  state text not null check (state in ('open', 'accepted', 'rejected')),
  created_at timestamptz not null,
  decided_at timestamptz,
  client bytea,
  network bytea,
  check (kind = 'closed' or fuel is not null),
  check (kind = 'price' or seen_price is null)
);
create index driver_reports_accepted on driver_reports (station_id) where state = 'accepted';
create index driver_reports_open on driver_reports (id) where state = 'open';
create index driver_reports_by_client on driver_reports (client) where client is not null;
create index driver_reports_by_network on driver_reports (network) where network is not null;
comment on table driver_reports is 'Reports of drivers, for moderation; deleting the row leaves nothing personal.';
comment on column driver_reports.slug is 'Of the station''s page as it was spelled then, for whoever moderates.';
comment on column driver_reports.fuel is 'null = the report is about the station as a whole.';
comment on column driver_reports.shown_price is 'In thousandths, as the page showed it then; null = it showed none.';
comment on column driver_reports.version is 'The publication that the page showed; shown_at = when its prices were updated.';
comment on column driver_reports.seen_price is 'In thousandths; null = the driver did not say.';
comment on column driver_reports.client is 'Keyed hash of the address it came from, for as long as the limits need it; network likewise.';
