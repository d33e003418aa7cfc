/** Redis from Debian, with the append-only file written every second. */
import { spawn, spawnSync } from 'node:child_process';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopProcess } from '../../test/support/processes/child-process.ts';

export type RedisServer = { readonly port: number; readonly pid: number; end(): Promise<void> };

const { error, stdout } = spawnSync('redis-server', ['--version']);

export const REDIS_VERSION = error === undefined ? (/v=(\S+)/.exec(String(stdout))?.[1] ?? 'unknown') : null;
export const REDIS_MISSING = 'redis-server is not installed, so there is no ratio: apt-get install -y redis-server';

/** Starts it with its file in `folder`; resolves when it accepts connections. */
export async function startRedis(folder: string, port: number): Promise<RedisServer> {
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes', appendfsync: 'everysec' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  for (let tries = 0; !(await accepts(port)); tries += 1) {
    if (tries > 50 || child.exitCode !== null) throw new Error(`redis-server does not listen on ${port}`);
    await sleep(50);
  }
  return { port, pid: child.pid as number, end: () => stopProcess(child) };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
