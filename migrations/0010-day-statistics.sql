-- Statistics of each past day over the trusted prices of the country, its counties, cities and networks.

create table day_statistics (
  day date not null,
  kind text not null,
  fuel smallint not null,
  names text[] not null,
  stations integer[] not null,
  min integer[] not null,
  low integer[] not null,
  median integer[] not null,
  mean integer[] not null,
  high integer[] not null,
  max integer[] not null,
  primary key (day, kind, fuel)
);
comment on table day_statistics is 'One row for each day, kind of scope and fuel: parallel lists, one element for each scope that had a trusted price.';
comment on column day_statistics.kind is 'national, county, network or city: names holds plate codes of counties, slugs of the others, and the empty text for the country.';
comment on column day_statistics.low is '10th percentile in thousandths; high = 90th.';
comment on column day_statistics.mean is 'In whole bani. Of a county: the mean of the minima of its cities.';

alter table daily_prices add column trusted smallint;
comment on column daily_prices.trusted is 'Fuels whose value is a trusted price, one bit each; null = written before this column existed.';
