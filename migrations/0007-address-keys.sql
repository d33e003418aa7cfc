-- One key of hashes for each purpose, replaced periodically, in place of one key for everything and for good.

create table address_keys (
  id integer generated always as identity primary key,
  purpose text not null,
  key bytea not null check (octet_length(key) = 32),
  created_at timestamptz not null,
  superseded_at timestamptz
);
create unique index address_keys_current on address_keys (purpose) where superseded_at is null;
comment on table address_keys is 'Keys of the hashes that stand for addresses of clients. A hash is useless once its key is deleted. No backup contains them.';
comment on column address_keys.superseded_at is 'null = rows are written under this key; later, its rows only still count until it is deleted.';

-- The earlier key counts as the one before the first of each purpose, and is deleted like any other.
insert into address_keys (purpose, key, created_at, superseded_at)
select purpose, value, clock_timestamp(), clock_timestamp()
from secrets, unnest(array['weekly caps', 'minute windows', 'reviews', 'push', 'german shares']) as purpose
where name = 'address-hash';
delete from secrets where name = 'address-hash';
comment on table secrets is 'Secrets of this database; the key of the hashes of addresses was here until address_keys.';
