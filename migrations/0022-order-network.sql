-- A network whose addresses are many counts as one, for orders.
-- Compatible from: 0020

alter table orders add column network bytea;
comment on column orders.network is 'Keyed hash of the network of the address, for the limit of orders of one network; null after an hour.';
