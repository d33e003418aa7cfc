-- A network whose addresses are many counts as one, for mails with links and codes.
-- Compatible from: 0020

alter table logins add column network bytea;
comment on column logins.network is 'Keyed hash of the network of the address, for the limits of mails and wrong codes of one network; null = nobody asked for it.';
