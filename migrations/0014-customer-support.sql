-- What support needs of orders and subscriptions. A refund concerns the contract, which outlives the subscription and the account.

alter table orders add column refunded_at timestamptz;
update orders set refunded_at = billed.refunded_at from billing_subscriptions as billed where billed.order_id = orders.id;
alter table billing_subscriptions drop column refunded_at;
comment on column orders.refunded_at is 'When a charge of its contract was first refunded; null = never.';

-- Since when a subscription has its status, for support.
alter table billing_subscriptions add column status_since timestamptz;
update billing_subscriptions set status_since = fetched_at;
alter table billing_subscriptions alter column status_since set not null;
comment on column billing_subscriptions.status_since is 'The fetch that first found its status.';

create index orders_by_account on orders (account_id) where account_id is not null;
create index orders_by_time on orders (consented_at);
