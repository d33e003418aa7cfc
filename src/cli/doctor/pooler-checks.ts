/** Checks what is between this process and its database: a pooler, the address past it, and the rights of the role. */
import type { Config } from '../../config/config.ts';
import { type Database, openDatabase } from '../../store/connection/database.ts';
import { directProblem } from '../../store/connection/replica.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type RoleRights, readRoleRights } from '../../store/maintenance/role-rights.ts';
import { type Finding, fail, pass } from '../reports/finding.ts';

const SILENT = { info: () => undefined, warn: () => undefined };
const MAX_SHOWN = 5;
const POLLED = 'notifications do not arrive, so news are looked for every second; backups and restore are refused';

/** Rights are those on the tables that there are: migrations may be pending, or all of them. Never rejects. */
export async function poolerFindings(config: Config, database: Database<Schema>): Promise<Finding[]> {
  try {
    const rights = await readRoleRights(database);
    return [...(await pooler(config, database, rights)), ...timeouts(database, rights), ...rightsFindings(rights)];
  } catch (error) {
    return [fail('rights', `they cannot be read: ${messageOf(error)}`, 'check the load of the database')];
  }
}

/** Does some work with the direct address. Rejects as the work does, or if the address cannot be used. */
export async function withDirectDatabase<T>(
  databaseUrl: string,
  dataDir: string,
  work: (direct: Database<Schema>) => Promise<T>,
): Promise<T> {
  const options = { databaseUrl, dataDir, log: SILENT, connections: 1, setting: 'DATABASE_DIRECT_URL' } as const;
  const direct = await openDatabase<Schema>(options);
  return work(direct).finally(() => direct.close());
}

async function pooler(
  { DATABASE_DIRECT_URL: url, DATA_DIR: dataDir }: Config,
  database: Database<Schema>,
  { role }: RoleRights,
): Promise<Finding[]> {
  if (url !== null) {
    return withDirectDatabase(url, dataDir, (direct) => directFindings(direct, database, role)).catch((error) => [
      fail(
        'direct address',
        `${messageOf(error)}; ${POLLED}`,
        'check that the server can be reached from here, and DATABASE_DIRECT_URL',
      ),
    ]);
  }
  if (!database.isPooled) return [];
  const advice =
    'set DATABASE_DIRECT_URL to the address of the server itself (docs/DATABASE.md); leave it unset only where so many servers share few connections (docs/SCALE.md)';
  return [fail('pooler', `DATABASE_URL is the address of a pooler: ${POLLED}`, advice)];
}

/** @param role that of the usual address. */
async function directFindings(direct: Database<Schema>, database: Database<Schema>, role: string): Promise<Finding[]> {
  if (direct.isPooled)
    return [
      fail(
        'direct address',
        `DATABASE_DIRECT_URL is the address of a pooler: ${POLLED}`,
        'set it to the address of the server itself',
      ),
    ];
  const problem = await directProblem(database, direct);
  if (problem !== null) return [fail('direct address', `${problem.why}: ${POLLED}`, problem.advice)];
  const between = database.isPooled ? 'past the pooler of DATABASE_URL' : 'as DATABASE_URL does, without a pooler';
  const rights = await readRoleRights(direct);
  // It makes the backups.
  const ofOtherRole = rights.role === role ? [] : rightsFindings(rights);
  return [pass('direct address', `leads to the server, ${between}`), ...ofOtherRole];
}

/** Without a pooler, each session gets its time limits from us. */
function timeouts({ isPooled }: Database<Schema>, { role, hasStatementTimeout }: RoleRights): Finding[] {
  if (!isPooled) return [];
  if (hasStatementTimeout) return [pass('time limits', `the server bounds the statements of ${role}`)];
  return [
    fail(
      'time limits',
      `through a pooler no session has time limits of ours, and the role ${role} has none: a statement whose client is gone may run for ever`,
      `alter role ${role} set statement_timeout = '15s'; alter role ${role} set idle_in_transaction_session_timeout = '60s'`,
    ),
  ];
}

function rightsFindings({ role, hasTables, lacking }: RoleRights): Finding[] {
  if (!hasTables) return [];
  if (lacking.length === 0) return [pass('rights', `the role ${role} may use every table`)];
  const more = lacking.length > MAX_SHOWN ? ` and ${lacking.length - MAX_SHOWN} more` : '';
  const detail = `the role ${role} may not read and write ${lacking.slice(0, MAX_SHOWN).join(', ')}${more}`;
  const advice =
    'grant the rights, and set default privileges for later tables, as the owner of the tables (docs/DATABASE.md)';
  return [fail('rights', detail, advice)];
}
