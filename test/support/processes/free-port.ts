import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Systems give clients ports from 32,768 or higher. */
const LASTING_PORTS = [15_000, 32_000] as const;

/** A port on loopback that nobody listens on, for programs that cannot choose one themselves. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/** The same, for a server that restarts: no client's connection takes the port meanwhile. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(randomInt(...LASTING_PORTS)).catch(() => null);
    if (port !== null) return port;
  }
}

async function listenOnce(wanted: number): Promise<number> {
  const server = net.createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
