/** A link to a server over loopback that fails as networks do. */
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import pg from 'pg';

export type LinkFault =
  /** Both directions. */
  | { readonly kind: 'none' }
  /** Every chunk arrives `delayMs()` late, in order. */
  | { readonly kind: 'slow'; readonly delayMs: () => number }
  /**
   * Drops packets: nothing arrives, nothing is closed, new connections are accepted and never answered. All of these
   * connections stay dead afterwards, as when a router has forgotten them.
   */
  | { readonly kind: 'hole' };

type SocketPair = { readonly near: net.Socket; readonly far: net.Socket | undefined; dead: boolean };

/** The kernel queues at most this many connections that are not accepted yet. */
const BACKLOG = 8;

/** A link to any server. */
export class FaultyTcpLink {
  readonly #to: net.NetConnectOpts;
  readonly #pairs = new Set<SocketPair>();
  readonly #server = net.createServer({ allowHalfOpen: true }, (near) => this.#open(near));
  #fault: LinkFault = { kind: 'none' };

  constructor(to: net.NetConnectOpts) {
    this.#to = to;
  }

  /** Starts forwarding; resolves with its port on loopback. */
  async listen(): Promise<number> {
    this.#server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG });
    await once(this.#server, 'listening');
    return (this.#server.address() as net.AddressInfo).port;
  }

  /** Changes the fault from now on. */
  setFault(fault: LinkFault): void {
    this.#fault = fault;
    if (fault.kind !== 'hole') return;
    for (const pair of this.#pairs) pair.dead = true;
  }

  /** Resets every connection. */
  reset(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far?.destroy();
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.reset();
    await closed;
  }

  #open(near: net.Socket): void {
    const dead = this.#fault.kind === 'hole';
    const far = dead ? undefined : net.connect({ ...this.#to, allowHalfOpen: true });
    const pair: SocketPair = { near, far, dead };
    this.#pairs.add(pair);
    near.once('close', () => this.#closed(pair));
    near.on('error', () => undefined);
    near.resume();
    if (far === undefined) return;
    far.on('error', () => undefined);
    far.once('close', () => this.#closed(pair));
    this.#pass(near, far, pair);
    this.#pass(far, near, pair);
  }

  #pass(from: net.Socket, to: net.Socket, pair: SocketPair): void {
    let due = 0;
    const pass = (act: () => void) => {
      const delayMs = this.#fault.kind === 'slow' ? this.#fault.delayMs() : 0;
      due = Math.max(due, performance.now() + delayMs);
      const wait = due - performance.now();
      const done = () => {
        if (!pair.dead) act();
      };
      if (wait <= 0) done();
      else setTimeout(done, wait);
    };
    from.on('data', (chunk) => pass(() => to.write(chunk)));
    from.once('end', () => pass(() => to.end()));
    from.once('close', () => pass(() => to.destroy()));
  }

  /** A dead connection receives no FIN: the far side of a client that gave up stays open. */
  #closed(pair: SocketPair): void {
    const open = [pair.near, pair.far].filter((side) => side !== undefined && !side.destroyed);
    if (open.length === 0) this.#pairs.delete(pair);
  }
}

/** A link to the PostgreSQL of an address, which may name a socket folder. */
export class FaultyLink extends FaultyTcpLink {
  readonly #url: string;

  constructor(databaseUrl: string) {
    const { host, port } = new pg.Client({ connectionString: databaseUrl });
    super(host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port });
    this.#url = databaseUrl;
  }

  /** Starts forwarding; resolves with the address of the database through this link. */
  async open(): Promise<string> {
    return this.#url.replace(/@[^/]*\//, `@127.0.0.1:${await this.listen()}/`);
  }
}
