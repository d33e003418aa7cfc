-- A network whose addresses are many counts as one, and so do all subscriptions that no message has reached yet.

alter table push_subscriptions add column network bytea;
comment on column push_subscriptions.network is 'Keyed hash of the network of the address, for the limit of subscriptions of one network; null after 7 days.';
create index push_subscriptions_by_network on push_subscriptions (network) where network is not null;
create index push_subscriptions_unreached on push_subscriptions (created_at, id) where alerted_at is null;
