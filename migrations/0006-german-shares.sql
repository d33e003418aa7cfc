alter table german_budget
  add column caller_times bigint[] not null default '{}',
  add column caller_clients bytea[] not null default '{}',
  add column caller_networks bytea[] not null default '{}',
  add check (cardinality(caller_times) = cardinality(caller_clients)
    and cardinality(caller_times) = cardinality(caller_networks));
comment on column german_budget.caller_times is 'When, epoch ms, each call of the last hour was made; caller_clients and caller_networks hold the keyed hashes of who caused it.';
