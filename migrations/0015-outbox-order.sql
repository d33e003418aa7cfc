-- The outbox is read a page at a time in this order; with fewer columns each page sorts all that waits.
drop index alert_deliveries_waiting;
create index alert_deliveries_waiting on alert_deliveries (origin, due_at, alert_id, subscription_id) where done_at is null;
