/** The Pythons of this machine. */
import { spawnSync } from 'node:child_process';

/** Whether this Python runs these statements to their end. */
export function canRun(python: string, code: string): boolean {
  return spawnSync(python, ['-c', code], { stdio: 'ignore' }).status === 0;
}

/** The first Python that runs these statements: that of the PATH, else Debian's, which has Debian's packages. */
export function pythonThatRuns(code: string): string | undefined {
  return ['python3', '/usr/bin/python3'].find((python) => canRun(python, code));
}
