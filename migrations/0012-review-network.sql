-- A network whose addresses are many counts as one.

alter table reviews add column network bytea;
comment on column reviews.network is 'Keyed hash of the network of the address, for the daily limit of one network; kept as long as that of the client.';
create index reviews_by_network on reviews (network) where network is not null;
