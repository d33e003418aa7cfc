-- The address of a subscription is kept only as long as the limit of subscriptions per address looks back.

alter table push_subscriptions alter column client drop not null;
comment on column push_subscriptions.client is 'Keyed hash of the address it came from, for the limit of subscriptions of one address; null after 7 days.';
create index push_subscriptions_with_client on push_subscriptions (created_at) where client is not null;
