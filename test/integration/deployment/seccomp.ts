/** The filter of system calls that a unit of systemd sets, for engines of containers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Of all `SystemCallFilter=` of the unit: what they allow less what they take away. */
export function seccompProfileOf(unit: string): object {
  const { stdout, status } = spawnSync('systemd-analyze', ['syscall-filter', '--no-pager'], { encoding: 'utf8' });
  assert.equal(status, 0, 'these tests need systemd-analyze on the PATH');
  const sets = callSets(stdout);
  const allowed = new Set<string>();
  for (const [, minus, names = ''] of readFileSync(unit, 'utf8').matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const call of names.split(' ').flatMap((name) => callsOf(sets, name))) {
      if (minus === '~') allowed.delete(call);
      else allowed.add(call);
    }
  }
  assert.ok(allowed.size > 200);
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: EPERM,
    syscalls: [{ names: [...allowed].sort(), action: 'SCMP_ACT_ALLOW' }],
  };
}

/** EPERM, as `SystemCallErrorNumber=` of the unit says. */
const EPERM = 1;

type CallSets = ReadonlyMap<string, readonly string[]>;

function callSets(listing: string): CallSets {
  const sets = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of listing.split('\n')) {
    if (line.startsWith('@')) {
      current = [];
      sets.set(line.trim(), current);
    } else if (/^ {4}[@a-z_]/.test(line)) current.push(line.trim());
  }
  return sets;
}

/** A call, or those of a set and of the sets in it. */
function callsOf(sets: CallSets, name: string): string[] {
  return name.startsWith('@') ? (sets.get(name) ?? assert.fail(name)).flatMap((each) => callsOf(sets, each)) : [name];
}
