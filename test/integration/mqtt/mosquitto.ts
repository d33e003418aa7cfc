/** A real Mosquitto with one user, whose retained messages are lost when it stops. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';
import { stopProcess } from '../../support/processes/child-process.ts';
import { freePort } from '../../support/processes/free-port.ts';

export type Mosquitto = {
  /** Without user and password. */
  readonly host: string;
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const USER = 'pompa';
const PASSWORD = 'secret';

/** Prepares a broker that keeps its files in the folder; installs it from Debian if it is missing. */
export async function createMosquitto(folder: string): Promise<Mosquitto> {
  const program =
    findProgram(['mosquitto']) ?? (installDebianPackages(['mosquitto']) ? findProgram(['mosquitto']) : null);
  assert.ok(program, 'these tests need mosquitto on the PATH: install it, then try again');
  const passwords = path.join(folder, 'passwords');
  const made = spawnSync(findProgram(['mosquitto_passwd']) ?? '', ['-b', '-c', passwords, USER, PASSWORD]);
  assert.equal(made.status, 0, String(made.stderr));
  const port = await freePort();
  const configuration = path.join(folder, 'mosquitto.conf');
  const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${passwords}`, 'user root'];
  writeFileSync(configuration, lines.join('\n'));
  let broker: ChildProcess | undefined;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    url: `mqtt://${USER}:${PASSWORD}@${host}`,
    async start() {
      broker = spawn(program, ['-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
      await logged(broker, / running/);
    },
    async stop() {
      if (broker !== undefined) await stopProcess(broker);
    },
  };
}

/** Resolves when the program has written such a line; goes on reading what it writes. */
async function logged({ stderr, exitCode }: ChildProcess, line: RegExp): Promise<void> {
  assert.ok(stderr && exitCode === null);
  const { promise, resolve } = Promise.withResolvers<void>();
  let text = '';
  stderr.on('data', (part) => {
    text += part;
    if (line.test(text)) resolve();
  });
  stderr.on('end', () => assert.match(text, line));
  await promise;
}
