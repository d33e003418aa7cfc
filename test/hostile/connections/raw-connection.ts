/** A connection of an attacker, which sends raw bytes and splits the received bytes into answers. */
import { once } from 'node:events';
import net from 'node:net';

export class RawConnection {
  readonly socket: net.Socket;
  /** The statuses of all complete answers, interim ones included. */
  readonly statuses: number[] = [];
  /** Resolves when the connection has closed, normally or not. */
  readonly closed: Promise<void>;
  #head = '';
  #status = 0;
  #bytesLeft = 0;
  #awaited = { count: 0, reached: () => undefined as unknown };

  /** Opens a connection; a `deaf` client never reads. */
  static async open(port: number, { deaf = false } = {}): Promise<RawConnection> {
    const connection = new RawConnection(port, deaf);
    await once(connection.socket, 'connect');
    return connection;
  }

  private constructor(port: number, deaf: boolean) {
    this.socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        this.#awaited.reached();
        resolve();
      });
    });
    this.socket.on('error', () => undefined);
    if (deaf) this.socket.pause();
    else this.socket.on('data', (part: Buffer) => this.#consume(part)).on('end', () => this.socket.end());
  }

  send(bytes: string | Buffer): this {
    if (this.socket.writable) this.socket.write(bytes, 'latin1');
    return this;
  }

  /** Resolves when `count` answers have arrived, or no more can arrive. */
  async answers(count: number): Promise<readonly number[]> {
    if (this.statuses.length < count && !this.socket.destroyed) {
      await new Promise<void>((resolve) => {
        this.#awaited = { count, reached: resolve };
      });
    }
    return this.statuses;
  }

  /** Sends bytes repeatedly until the server ends the connection, which a deaf client notices only when it writes. */
  async trickle(bytes: string, everyMs: number): Promise<void> {
    const timer = setInterval(() => this.send(bytes), everyMs);
    await this.closed;
    clearInterval(timer);
  }

  /** Closes the connection normally, and waits until it is closed. */
  async leave(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }

  /** Ends the connection with a reset. */
  async reset(): Promise<void> {
    this.socket.resetAndDestroy();
    await this.closed;
  }

  #consume(part: Buffer): void {
    let at = 0;
    while (at < part.length) {
      if (this.#bytesLeft === 0) {
        const from = this.#head.length;
        this.#head += part.toString('latin1', at, Math.min(part.length, at + 4_096));
        const end = this.#head.indexOf('\r\n\r\n');
        at += end === -1 ? this.#head.length - from : end + 4 - from;
        if (end !== -1) this.#begin(this.#head.slice(0, end + 2));
      } else {
        const taken = Math.min(this.#bytesLeft, part.length - at);
        this.#bytesLeft -= taken;
        at += taken;
        if (this.#bytesLeft === 0) this.#complete();
      }
    }
  }

  #begin(head: string): void {
    this.#head = '';
    this.#status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? Number.NaN);
    this.#bytesLeft = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
    if (this.#bytesLeft === 0) this.#complete();
  }

  #complete(): void {
    this.statuses.push(this.#status);
    if (this.statuses.length >= this.#awaited.count) this.#awaited.reached();
  }
}
