-- Every earlier secret of a webhook signs until its own time is over: a second renewal ended the first one's at once.

create table webhook_old_secrets (
  webhook_id bigint not null references webhooks (id) on delete cascade,
  secret bytea not null,
  until timestamptz not null
);
create index webhook_old_secrets_by_webhook on webhook_old_secrets (webhook_id, until);
comment on table webhook_old_secrets is 'Earlier secrets of webhooks: they sign, too, until their time.';

insert into webhook_old_secrets (webhook_id, secret, until)
  select id, old_secret, old_secret_until from webhooks where old_secret_until > now();

-- The webhooks of a key are deleted when it is revoked; those that were not are.
delete from webhooks where key_id in (select id from api_keys where revoked_at is not null);

alter table webhooks drop column old_secret, drop column old_secret_until;
comment on column webhooks.secret is 'Signs what is posted.';
