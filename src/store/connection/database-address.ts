/** Addresses of databases: read, and refused with a sentence that repeats no password. */
import { accessSync, constants } from 'node:fs';
import pg from 'pg';
import { DatabaseMisconfigured, messageOf } from '../database-errors.ts';

/** The settings that have the address of a database. */
export type AddressSetting = 'DATABASE_URL' | 'DATABASE_READ_URL' | 'DATABASE_DIRECT_URL';

const EXAMPLE_URL_HINT = 'a good value is postgres://user:password@host:5432/database';
const TLS_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** What the library connects to for an address. Throws DatabaseMisconfigured, which names the setting. */
export function parseDatabaseUrl(databaseUrl: string, setting: AddressSetting = 'DATABASE_URL'): pg.ClientConfig {
  const connectionString = withVerifyingMode(databaseUrl);
  const problem = problemOf(connectionString);
  if (problem === undefined) return { connectionString };
  throw new DatabaseMisconfigured(
    `${setting} is not the address of a PostgreSQL database: ${problem}; ${EXAMPLE_URL_HINT}`,
  );
}

/**
 * The library takes `prefer`, `require` and `verify-ca` for `verify-full`, and writes a warning about it to stderr. It
 * says so in the address instead: nothing is warned of, and a later version that verifies less changes nothing.
 */
function withVerifyingMode(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=true(&|#|$)/.test(databaseUrl)) return databaseUrl;
  return databaseUrl.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|#|$)/, '$1verify-full');
}

/** Describes the problem in our own words: a parser's message could contain the password. */
function problemOf(databaseUrl: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) return 'it does not begin with postgres://';
  const parameters = URL.parse(databaseUrl)?.searchParams;
  const mode = parameters?.get('sslmode') ?? null;
  if (mode !== null && !TLS_MODES.includes(mode)) return `its sslmode must be one of ${TLS_MODES.join(', ')}`;
  for (const name of TLS_FILES) {
    const why = whyUnreadable(parameters?.get(name) ?? null);
    if (why !== null) return `the file of ${name} cannot be read (${why})`;
  }
  try {
    const { host, port } = new pg.Client({ connectionString: databaseUrl });
    return host && Number.isInteger(port) ? undefined : 'it names no server';
  } catch {
    return 'it cannot be read as an address';
  }
}

function whyUnreadable(file: string | null): string | null {
  if (file === null) return null;
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** The server's name for messages, without the password. */
export function serverNameOf(config: pg.ClientConfig): string {
  const { host, port, database } = new pg.Client(config);
  return `${database} on ${host}:${port}`;
}
