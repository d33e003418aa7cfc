/** The user of Debian's PostgreSQL, since no PostgreSQL runs as root. */
import { execFileSync } from 'node:child_process';

const USER = 'postgres';
/** What `mktemp` replaces by a letter or digit of its choice. */
const RANDOM_LETTER = 'X';

/**
 * What goes before a command that this user runs. Where we are root its process replaces that of the first word, and
 * `endsWithUs` has it end when our process is killed.
 */
export function asPostgres({ endsWithUs = false } = {}): readonly string[] {
  return process.getuid?.() === 0
    ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', ...(endsWithUs ? ['--pdeathsig=TERM'] : [])]
    : ['sudo', '-n', '-u', USER];
}

/** Makes a folder of this user that nobody else can read, where they can reach it, whatever TMPDIR is. */
export function makePostgresFolder(prefix: string): string {
  const template = `${prefix}-${RANDOM_LETTER.repeat(6)}`;
  const [program = '', ...args] = [...asPostgres(), 'env', '-u', 'TMPDIR', 'mktemp', '-dt', template];
  return execFileSync(program, args, { cwd: '/', encoding: 'utf8' }).trim();
}
