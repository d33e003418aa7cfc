-- Selling: who ordered what, what Stripe last said of it, who may log in, and which mails are to be sent.

create table accounts (
  id integer generated always as identity primary key,
  email text not null,
  language text not null check (language in ('ro', 'en')),
  created_at timestamptz not null,
  mail_refused_at timestamptz,
  usage_mails boolean not null default true,
  unsubscribe_token uuid not null default gen_random_uuid(),
  undo_email text,
  undo_until timestamptz,
  check ((undo_email is null) = (undo_until is null))
);
create unique index accounts_by_email on accounts (lower(email));
create unique index accounts_by_unsubscribe_token on accounts (unsubscribe_token);
comment on table accounts is 'Who has ordered a plan or asked for a free key; deleting the row leaves nothing personal but orders.';
comment on column accounts.mail_refused_at is 'When the relay last refused this address for good; null = mail arrives.';
comment on column accounts.undo_email is 'The address before the last change, which may take it back until then.';
comment on column accounts.usage_mails is 'Whether mails at 80 and 100 % of the quota are wanted.';
comment on column accounts.unsubscribe_token is 'Stands in those mails; whoever has it can end them, and nothing else.';

create table orders (
  id text primary key,
  account_id integer references accounts (id) on delete set null,
  mailbox text not null,
  plan text not null check (plan in ('starter', 'pro', 'business')),
  trial_days integer not null check (trial_days >= 0),
  language text not null check (language in ('ro', 'en')),
  terms_version text not null,
  consented_at timestamptz not null,
  session text unique,
  state text not null check (state in ('open', 'done', 'expired')),
  ended_at timestamptz,
  withdrawn_at timestamptz
);
create unique index orders_open on orders (account_id) where state = 'open';
create index orders_by_mailbox on orders (mailbox);
comment on table orders is 'Orders of plans with the consent given; kept for as long as a claim could be made.';
comment on column orders.mailbox is 'The address without tags, by which the trial is given once.';
comment on column orders.withdrawn_at is 'When its customer withdrew from the contract; kept with the consent, after the subscription is deleted.';
comment on column orders.ended_at is 'When it was done or expired, and later when its contract ended.';
comment on column orders.session is 'Of Stripe''s checkout; null = not made yet.';

create table billing_subscriptions (
  id text primary key,
  customer text not null,
  account_id integer not null references accounts (id) on delete cascade,
  order_id text unique references orders (id) on delete set null,
  key_id integer unique references api_keys (id) on delete set null,
  status text not null,
  plan text not null,
  trial_end timestamptz,
  period_end timestamptz not null,
  cancel_at timestamptz,
  fetched_at timestamptz not null,
  past_due_since timestamptz,
  disputed_at timestamptz,
  disputes text[] not null default '{}',
  disputes_won text[] not null default '{}',
  refunded_at timestamptz,
  withdrawn_at timestamptz,
  unrecognized text
);
create index billing_subscriptions_by_customer on billing_subscriptions (customer);
create index billing_subscriptions_by_account on billing_subscriptions (account_id);
comment on column billing_subscriptions.disputes is 'Those that stand; the key is closed while there is any.';
comment on column billing_subscriptions.disputes_won is 'Those that stand no more, whatever an older look at them says later.';
comment on table billing_subscriptions is 'What Stripe last said of each subscription, and what we noted; whether its key is served is derived from this.';

create table webhook_events (
  id text primary key,
  type text not null,
  object text not null,
  about text,
  received_at timestamptz not null,
  done_at timestamptz,
  tries integer not null default 0,
  due_at timestamptz not null
);
create index webhook_events_due on webhook_events (due_at) where done_at is null;
comment on column webhook_events.about is 'The subscription, customer or checkout that its object turned out to concern; null = not looked at yet, or of none.';
comment on table webhook_events is 'Events of Stripe, each a request to look at an object again: ids only, no content.';

create table mails (
  id bigint generated always as identity primary key,
  kind text not null,
  account_id integer references accounts (id) on delete cascade,
  recipient text,
  language text not null check (language in ('ro', 'en')),
  occasion text not null,
  parameters jsonb not null,
  created_at timestamptz not null,
  planned_at timestamptz not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  state text not null check (state in ('waiting', 'sent', 'refused', 'expired')),
  ended_at timestamptz,
  why text,
  unique (kind, occasion)
);
create index mails_due on mails (due_at) where state = 'waiting';
create index mails_by_account on mails (account_id);
comment on table mails is 'Mails to send and sent; never a secret among the parameters.';
comment on column mails.occasion is 'What it is about, so that the same news is queued once, such as subscription and month.';
comment on column mails.planned_at is 'When it is to be sent first; due_at moves with each attempt.';
comment on column mails.recipient is 'null = forgotten, seven days after it was sent.';

create table logins (
  id bigint generated always as identity primary key,
  browser_sha256 bytea not null check (octet_length(browser_sha256) = 32),
  email text not null,
  purpose text not null check (purpose in ('login', 'free_key', 'new_address', 'old_address')),
  account_id integer references accounts (id) on delete cascade,
  language text not null check (language in ('ro', 'en')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  tries integer not null default 0,
  used_at timestamptz
);
create index logins_by_browser on logins (browser_sha256);
create index logins_by_time on logins (expires_at);
comment on table logins is 'Who asked to prove an address, from which browser; each is used once.';
comment on column logins.account_id is 'Whose address is to become this one; null = no account''s yet.';
comment on column logins.tries is 'Wrong codes so far.';

create table login_secrets (
  token_sha256 bytea primary key check (octet_length(token_sha256) = 32),
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  login_id bigint not null references logins (id) on delete cascade
);
create index login_secrets_by_login on login_secrets (login_id);
comment on table login_secrets is 'The link and the code of each mail that was sent for a login, as hashes.';

create table login_sessions (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  account_id integer not null references accounts (id) on delete cascade,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_sessions_by_account on login_sessions (account_id);

alter table api_keys add column account_id integer references accounts (id) on delete set null;
alter table api_keys add column cap integer check (cap >= 0);
create index api_keys_by_account on api_keys (account_id) where account_id is not null;
comment on column api_keys.cap is 'Requests a month that its holder allows, below the quota; null = the quota.';

alter table key_secrets add column slot smallint not null default 1 check (slot in (1, 2));
drop index key_secrets_present;
create unique index key_secrets_present on key_secrets (key_id, slot) where expires_at is null;
alter table key_secrets add column is_mailed boolean not null default false;
comment on column key_secrets.is_mailed is 'Made while a mail was sent: another attempt replaces it, but never one that its holder made.';
comment on column key_secrets.slot is 'A holder may have two at once, which share every limit.';
