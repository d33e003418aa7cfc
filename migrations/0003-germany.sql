create table german_answers (
  lat smallint not null,
  lng smallint not null,
  radius_km smallint not null,
  asks integer not null default 1,
  asking_until timestamptz not null,
  failed boolean not null default false,
  answered_at timestamptz,
  asked_lat double precision,
  asked_lng double precision,
  stations json,
  primary key (lat, lng, radius_km),
  check (num_nulls(answered_at, asked_lat, asked_lng, stations) in (0, 4))
);
create index german_answers_by_time on german_answers using brin (asking_until);
comment on table german_answers is 'What the German source said around a point, and who is asking it: one at a time for a row, by a lease that ends by itself.';
comment on column german_answers.lat is 'Whole hundredths of a degree; asked_lat and asked_lng are the point that was asked about.';
comment on column german_answers.asks is 'Grows with each asking, so that one who lost the lease can be told from the present one.';
comment on column german_answers.asking_until is 'End of the lease, or when the asking ended; failed says whether it ended without an answer.';

create table german_budget (
  only_row boolean primary key default true check (only_row),
  recent bigint[] not null default '{}'
) with (fillfactor = 40);
insert into german_budget default values;
comment on table german_budget is 'When the German source was asked within the last hour, epoch ms, by all processes together.';
