/** A proxy in front of the test database that can cut connections or hang, like a network. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';

export class DatabaseProxy {
  readonly #server: net.Server;
  readonly #target: net.NetConnectOpts;
  readonly #sockets = new Set<net.Socket>();
  #state: 'open' | 'cut' | 'hanging' = 'open';
  #isCompletionLate = false;
  /** The address of the database through the proxy. */
  url = '';

  private constructor(target: net.NetConnectOpts) {
    this.#target = target;
    this.#server = net.createServer((client) => this.#accept(client));
  }

  /** Starts a proxy in front of the database of a PostgreSQL address. */
  static async inFrontOf(databaseUrl: string): Promise<DatabaseProxy> {
    const url = new URL(databaseUrl);
    const host = decodeURIComponent(url.hostname);
    const port = Number(url.port || 5432);
    const proxy = new DatabaseProxy(
      host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port },
    );
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    const { port: own } = proxy.#server.address() as AddressInfo;
    proxy.url = `postgres://${url.username}:${url.password}@127.0.0.1:${own}${url.pathname}`;
    return proxy;
  }

  /** Breaks every connection and refuses new ones. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections and accepts new ones, but passes no data. */
  hang(): void {
    this.#state = 'hanging';
    for (const socket of this.#sockets) socket.pause();
  }

  /** Restores normal operation. */
  open(): void {
    this.#state = 'open';
    for (const socket of this.#sockets) socket.resume();
  }

  /** From now on the number of rows of a COPY arrives some time after the rows, in a packet of its own. */
  delayCompletion(): void {
    this.#isCompletionLate = true;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #accept(client: net.Socket): void {
    if (this.#state === 'cut') {
      client.destroy();
      return;
    }
    const server = net.connect(this.#target);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => this.#pass(bytes as Buffer, from, to));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#state === 'hanging') from.pause();
    }
  }

  #pass(bytes: Buffer, from: net.Socket, to: net.Socket): void {
    const completion = this.#isCompletionLate ? bytes.indexOf('COPY ') - COMPLETION_HEAD_BYTES : -1;
    if (completion <= 0) {
      to.write(bytes);
      return;
    }
    from.pause();
    to.write(bytes.subarray(0, completion));
    setTimeout(() => {
      to.write(bytes.subarray(completion));
      from.resume();
    }, COMPLETION_DELAY_MS);
  }
}

/** Type and length of a message, before its text. */
const COMPLETION_HEAD_BYTES = 5;
/** Long enough that the client reads what came before. */
const COMPLETION_DELAY_MS = 10;
