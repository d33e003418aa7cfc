-- The nightly backups, and the drills that restored one.

create table backup_runs (
  id integer generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  failure text,
  file text,
  bytes bigint,
  row_count bigint,
  answers jsonb,
  sent_at timestamptz,
  send_tried_at timestamptz,
  send_failure text,
  check ((failure is null) = (file is not null and bytes is not null and row_count is not null and answers is not null))
);
create index backup_runs_by_start on backup_runs (started_at);
comment on table backup_runs is 'What the worker backed up; a backup counts once it was restored for a check.';
comment on column backup_runs.failure is 'null = the backup is good.';
comment on column backup_runs.file is 'Its name in BACKUP_DIR.';
comment on column backup_runs.answers is 'What the service answered at the moment of the backup, as digests: a drill compares.';
comment on column backup_runs.sent_at is 'When BACKUP_COMMAND succeeded; send_failure = why it last did not.';

create table restore_drills (
  id integer generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  file text not null,
  compared text[] not null,
  differences text[] not null,
  failure text
);
create index restore_drills_by_start on restore_drills (started_at);
comment on table restore_drills is 'Backups that were restored beside the service, and whose answers were compared.';
comment on column restore_drills.differences is 'Those of the compared answers that differ; a drill passed without any, and without a failure.';
