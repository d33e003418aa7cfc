create table reviews (
  id integer generated always as identity primary key,
  station_id text not null,
  slug text not null,
  rating smallint not null check (rating between 1 and 5),
  nickname text,
  comment text,
  state text not null check (state in ('pending', 'approved', 'rejected')),
  created_at timestamptz not null,
  decided_at timestamptz,
  client bytea,
  check (state <> 'pending' or nickname is not null or comment is not null)
);
create index reviews_shown on reviews (station_id, created_at desc, id desc) include (rating) where state = 'approved';
create index reviews_pending on reviews (id) where state = 'pending';
create index reviews_by_client on reviews (client) where client is not null;
comment on table reviews is 'What visitors say of stations; deleting the row leaves nothing personal.';
comment on column reviews.slug is 'Of the station''s page as it was spelled then, for whoever moderates.';
comment on column reviews.nickname is 'null = none of the reviewer''s own; likewise the comment.';
comment on column reviews.client is 'Keyed hash of the address it came from, for as long as the daily limits need it.';

create table captcha_tokens (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  used_at timestamptz not null
);
create index captcha_tokens_by_time on captcha_tokens using brin (used_at);
comment on table captcha_tokens is 'Tokens that a review was accepted with: each is good once.';
