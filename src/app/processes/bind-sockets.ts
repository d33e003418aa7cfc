/**
 * The sockets of a service of several processes, bound to one address. The supervisor holds them, so that each stays
 * open, with the connections that wait in it, while the process that serves it is replaced.
 */
import { lookup } from 'node:dns/promises';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenError } from '../../api/http/connection/listen-error.ts';
import { CommandError } from '../command.ts';

/** The serving processes of a supervisor that was killed let go of its address within a moment. */
const RETRIES = { tries: 20, everyMs: 100 };

/** `host` is an address, not a name. The operating system gives each connection to one of the sockets. */
export type BoundSockets = {
  readonly host: string;
  readonly port: number;
  readonly sockets: readonly net.BoundSocket[];
};

/** Binds that many sockets to HOST and PORT; 0 = a free port. Throws `CommandError`. */
export async function bindSockets(
  host: string,
  port: number,
  count: number,
  { tries = RETRIES.tries }: { readonly tries?: number } = {},
): Promise<BoundSockets> {
  try {
    // Of a name with several addresses, one, as `HttpServer` does: a process inherits one socket.
    const { address } = await lookup(host, { order: 'ipv4first' });
    const first = await bindUnused(address, port, tries);
    if (count === 1) return { host: address, port: portOf(first), sockets: [first] };
    const bound = portOf(first);
    first.close();
    const bindOne = () => new net.BoundSocket({ host: address, port: bound, reusePort: true });
    return { host: address, port: bound, sockets: Array.from({ length: count }, bindOne) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTSUP')
      throw new CommandError('this system cannot share an address between processes: serve with one process');
    throw new CommandError(listenError({ host, port }, error).message);
  }
}

/** Sockets that may share an address would share it with those of another service, too: this one may not. */
async function bindUnused(host: string, port: number, tries: number): Promise<net.BoundSocket> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return new net.BoundSocket({ host, port });
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await sleep(RETRIES.everyMs);
    }
  }
}

function portOf(socket: net.BoundSocket): number {
  return (socket.address() as net.AddressInfo).port;
}
