/** What Debian asks before it starts or stops a service, while tests install packages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

const SCRIPT = path.join(import.meta.dirname, 'without-services');
const FORBIDDEN = 101;

let folder: string;
let policy: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-policy-'));
  policy = path.join(folder, 'policy-rc.d');
});
beforeEach(() => rmSync(policy, { force: true }));
after(() => rmSync(folder, { recursive: true }));

/** Runs a line of shell by the script, in place of apt-get. */
const during = (line: string) => spawnSync(SCRIPT, [policy, 'sh', '-c', line, policy], { encoding: 'utf8' });

test('services are neither started nor stopped meanwhile, and may be afterwards', () => {
  const { status, stderr } = during('"$0" postgresql start; [ $? = 101 ] && "$0" postgresql stop');
  assert.deepEqual([status, stderr], [FORBIDDEN, '']);
  assert.equal(existsSync(policy), false);
});

test('the answer goes with a command that fails, and with one whose shell is ended', () => {
  assert.equal(during('exit 7').status, 7);
  assert.equal(existsSync(policy), false);
  assert.equal(during('[ -x "$0" ] && kill -TERM $PPID').status, 143);
  assert.equal(existsSync(policy), false);
});

test('an answer of this machine is kept as it is', () => {
  const own = '#!/bin/sh\nexit 0\n';
  writeFileSync(policy, own, { mode: 0o755 });
  assert.equal(during('"$0" postgresql start').status, 0);
  assert.equal(readFileSync(policy, 'utf8'), own);
});

test('what a killed run has left is used, and goes', () => {
  during('cp "$0" "$0.left"');
  writeFileSync(policy, readFileSync(`${policy}.left`), { mode: 0o755 });
  assert.equal(during('"$0" postgresql start').status, FORBIDDEN);
  assert.equal(existsSync(policy), false);
});
