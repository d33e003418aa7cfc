/**
 * The role that the application uses: it owns its one database, and nothing else. It is no superuser, so that a
 * statement of its own can neither run programs nor reach files.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { Connection } from './client-sockets.ts';
import { DATABASE_NAME, superuserConnection } from './postgres-cluster.ts';

const APPLICATION_ROLE = 'application';

/**
 * Creates the role and the database of a new cluster, gives the role what a superuser owns in the database of an older
 * one, and returns the role's connection; also verifies that the server accepts the superuser's password.
 */
export async function prepareDatabase(home: string, run: string): Promise<Connection> {
  const superuser = superuserConnection(home, run);
  const password = applicationPassword(home);
  await asSuperuser({ ...superuser, database: 'postgres' }, (client) => createRoleAndDatabase(client, password));
  await asSuperuser(superuser, (client) => client.query(TRANSFER_OWNERSHIP));
  return { ...superuser, user: APPLICATION_ROLE, password };
}

function applicationPassword(home: string): string {
  const file = path.join(home, 'application-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8');
}

async function asSuperuser(connection: Connection, work: (client: Client) => Promise<unknown>): Promise<void> {
  // Names mean PostgreSQL's own, whatever the application has made.
  const client = new Client({ ...connection, connectionTimeoutMillis: 5000, options: '-c search_path=pg_catalog' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function createRoleAndDatabase(client: Client, password: string): Promise<void> {
  const role = await client.query('select from pg_roles where rolname = $1', [APPLICATION_ROLE]);
  if (role.rowCount === 0) await client.query(`create role ${APPLICATION_ROLE}`);
  await client.query(
    `alter role ${APPLICATION_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${client.escapeLiteral(password)}`,
  );
  const database = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
  if (database.rowCount === 0) await client.query(`create database ${DATABASE_NAME} owner ${APPLICATION_ROLE}`);
  else await client.query(`alter database ${DATABASE_NAME} owner to ${APPLICATION_ROLE}`);
  await client.query('revoke connect, temporary on database postgres, template1 from public');
}

/** Earlier versions used the superuser for everything. An owner's change takes the sequences of a table along. */
const TRANSFER_OWNERSHIP = `
do $$
declare relation text;
begin
  for relation in
    select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relowner = current_user::regrole and c.relkind in ('r', 'p') and n.nspname = 'public'
  loop
    execute format('alter table %s owner to ${APPLICATION_ROLE}', relation);
  end loop;
end $$`;
