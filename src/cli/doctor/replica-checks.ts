/** Checks the replica of `DATABASE_READ_URL`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { type Database, openDatabase } from '../../store/connection/database.ts';
import { replicaLagBytes, replicaProblem } from '../../store/connection/replica.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { messageOf } from '../../store/database-errors.ts';
import { currentVersion } from '../../store/prices/publication.ts';
import { MAX_LAG_MS } from '../../worker/serving/publication-reader.ts';
import { type Finding, fail, pass } from '../reports/finding.ts';

const CHECK = 'replica';
const SILENT = { info: () => undefined, warn: () => undefined };
const POLL_MS = 100;
/** A replica that is this far behind has more to do than it does. */
const MAX_LAG_BYTES = 64 * 1024 * 1024;
const PRIMARY_READ = 'publications are read from the primary';

/** None where no replica is set. Never rejects. */
export async function replicaFindings(config: Config, primary: Database<Schema>): Promise<Finding[]> {
  const { DATABASE_READ_URL: databaseUrl, DATA_DIR: dataDir } = config;
  if (databaseUrl === null) return [];
  try {
    const options = { databaseUrl, dataDir, log: SILENT, connections: 1, setting: 'DATABASE_READ_URL' } as const;
    const replica = await openDatabase<Schema>(options);
    try {
      return [await replicaFinding(primary, replica)];
    } finally {
      await replica.close();
    }
  } catch (error) {
    const advice = 'check that the replica runs, that it can be reached from here, and DATABASE_READ_URL';
    return [fail(CHECK, `${messageOf(error)}; ${PRIMARY_READ}`, advice)];
  }
}

/** What is wrong with an open replica. */
export async function replicaFinding(
  primary: Database<Schema>,
  replica: Database<Schema>,
  maxLagMs = MAX_LAG_MS,
): Promise<Finding> {
  const problem = await replicaProblem(primary, replica);
  if (problem !== null) return fail(CHECK, `${problem.why}; ${PRIMARY_READ}`, problem.advice);
  const wanted = await currentVersion(primary);
  const deadline = performance.now() + maxLagMs;
  let version = await currentVersion(replica);
  while (version < wanted && performance.now() < deadline) {
    await sleep(POLL_MS);
    version = await currentVersion(replica);
  }
  const lagBytes = await replicaLagBytes(primary, replica);
  const lag = `${(lagBytes / 1e6).toFixed(1)} MB of the primary's log are not applied yet`;
  if (version < wanted || lagBytes > MAX_LAG_BYTES)
    return fail(
      CHECK,
      `it lags: it has publication ${version} of ${wanted}, and ${lag}; ${PRIMARY_READ}`,
      'check the connection between both servers (pg_stat_replication), and the load of the replica',
    );
  return pass(CHECK, `it has publication ${version}; ${lag}`);
}
