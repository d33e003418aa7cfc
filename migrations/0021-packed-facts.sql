-- What readers take of a publication, ready-made: a row instead of one for each price.
-- Compatible from: 0020

create table packed_facts (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  migration integer not null,
  format text not null,
  content bytea not null
);
alter table packed_facts alter content set storage external;
comment on table packed_facts is 'The facts of the current publication, compressed. Any row that does not match is ignored.';
comment on column packed_facts.migration is 'The latest one when it was written: a later one may have changed the rows.';
