/** A PostgreSQL cluster of Debian's programs in a folder of its own, run as an unprivileged user. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { asPostgres, makePostgresFolder } from '../../support/processes/postgres-user.ts';

const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';

export type DebianCluster = {
  /** Its address for `DATABASE_URL`, of a database `pompa`. */
  readonly url: string;
  /** Writes a file that its user can read, and nobody else, with the paths and ports as they are here. */
  write(name: string, text: string): string;
  /** Has a cluster that was created, such as `drill`, find the configuration of pgBackRest where it is here. */
  configure(name: string): void;
  /** Runs a line of shell as its user, with the paths and ports of the documentation as they are here. */
  run(line: string): string;
  end(): void;
};

/** Installs what is missing; creates the cluster, and starts it. */
export async function startDebianCluster(): Promise<DebianCluster> {
  const isThere = () => findProgram(['pgbackrest']) !== null && existsSync(POSTGRES);
  if (!isThere() && !(installDebianPackages(['postgresql-15', 'pgbackrest']) && isThere()))
    throw new Error('postgresql-15 and pgbackrest of Debian could not be installed, see above');
  const [asUser = '', ...userArgs] = asPostgres();
  const folder = makePostgresFolder('pompa-pitr');
  const [port, otherPort] = [await freePort(), await freePort()];
  const here = (text: string) =>
    text
      .replaceAll('/var/lib/postgresql/15/', `${folder}/data/`)
      .replaceAll('/var/lib/pgbackrest', `${folder}/repo`)
      .replaceAll('5433', `${otherPort}`)
      .replaceAll('5432', `${port}`);
  const env = [
    ...[`PATH=${process.env.PATH}`, 'LANG=C.UTF-8', `HOME=${folder}`, 'TZ=UTC', `PG_CLUSTER_CONF_ROOT=${folder}/etc`],
    ...[`PGPORT=${port}`, 'PGDATABASE=postgres', `PGBACKREST_CONFIG=${folder}/pgbackrest.conf`],
  ];
  const run = (line: string, input = '') =>
    execFileSync(asUser, [...userArgs, 'env', '-i', ...env, 'sh', '-ec', here(line)], {
      ...{ cwd: '/', encoding: 'utf8', input, stdio: 'pipe', timeout: 120_000 },
    });
  const write = (name: string, text: string) => {
    run(`umask 077; cat > ${folder}/${name}`, here(text));
    return `${folder}/${name}`;
  };
  // pg_ctlcluster gives a server this environment and no other.
  const configure = (name: string) => {
    write(`etc/15/${name}/environment`, `PGBACKREST_CONFIG = '${folder}/pgbackrest.conf'\n`);
  };
  const end = () => {
    for (const name of ['main', 'drill'])
      try {
        run(`pg_ctlcluster 15 ${name} stop -m immediate`);
      } catch {
        // It does not run.
      }
    run(`rm -r ${folder}`);
  };
  try {
    run(`mkdir -m 700 ${folder}/etc ${folder}/data ${folder}/repo`);
    const settings = write('createcluster.conf', `external_pid_file = '${folder}/%c.pid'\n`);
    run(
      `pg_createcluster --createclusterconf=${settings} -p ${port} -l ${folder}/main.log 15 main -d ${folder}/data/main -- --auth=trust --no-sync`,
    );
    configure('main');
    run('pg_ctlcluster 15 main start && createdb -E UTF8 -T template0 pompa');
  } catch (error) {
    end();
    throw error;
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/pompa`, write, configure, run, end };
}
