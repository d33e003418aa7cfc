/** The command that takes backups elsewhere: what it is given, and every way in which it can fail. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { sendBackup } from './send-backup.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa send '));
after(() => rmSync(folder, { recursive: true }));
const FILE = path.join(folder, "pompa-$(id)$&$'$$'s.backup");
const OUT = path.join(folder, 'out');
const never = new AbortController().signal;

function script(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o700);
  return file;
}
const send = (words: readonly string[], timeoutMs = 60_000, signal = never) =>
  sendBackup(FILE, { words, timeoutMs }, signal);

describe('BACKUP_COMMAND', () => {
  before(() => {
    process.env.STRIPE_SECRET_KEY = 'sk_secret';
  });
  after(() => {
    delete process.env.STRIPE_SECRET_KEY;
  });

  test('gets the path as one argument, whatever is in it, no setting of ours and no input', async () => {
    const program = script('send', `{ printf '%s\\n' "$@"; echo "$STRIPE_SECRET_KEY"; cat; } > '${OUT}'`);
    await send([program, '{}', 'to:{}']);
    assert.equal(readFileSync(OUT, 'utf8'), `${FILE}\nto:${FILE}\n\n`);
  });

  test('that fails is told with its last words', async () => {
    const refused = script('refused', 'echo first >&2; echo "no space at the provider" >&2; exit 3');
    await assert.rejects(send([refused, '{}']), { message: `${refused} ended with 3: no space at the provider` });
    const silent = script('silent', 'exit 1');
    await assert.rejects(send([silent, '{}']), { message: `${silent} ended with 1 and said nothing` });
    await assert.rejects(send(['no-such-program-here', '{}']), {
      message: 'no-such-program-here cannot be started: there is no such program',
    });
  });

  test('that hangs is stopped with all that it has started', async () => {
    const hanging = script('hanging', `sleep 1000 & echo $! > '${OUT}'; wait`);
    await assert.rejects(send([hanging, '{}'], 300), /was stopped after 0\.3 s \(BACKUP_COMMAND_TIMEOUT\)$/);
    const child = Number(readFileSync(OUT, 'utf8'));
    // The signal is sent by then, and the kernel ends the process a moment later.
    await waitFor('the end of what it has started', 10_000, () => hasEnded(child));
  });

  test('is stopped with the worker', async () => {
    const stop = new AbortController();
    const sending = send([script('slow', 'sleep 1000'), '{}'], 60_000, stop.signal);
    stop.abort(new Error('the worker is being stopped'));
    await assert.rejects(sending, /the worker is being stopped/);
  });
});

/** Whether a process has ended; of a zombie nobody has taken note yet. */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
