import { Client } from 'pg';
import type { Connection } from './client-sockets.ts';
import { DATABASE_NAME } from './cluster.ts';

/** Creates the one database of a new cluster; also verifies that the server accepts the password. */
export async function ensureDatabase(connection: Connection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
    if (rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
  } finally {
    await client.end();
  }
}
