/**
 * An open-loop load generator: requests are due at a fixed rate, however fast answers come, and each is timed from when
 * it was due. The connections stay open from one round to the next.
 */
import net from 'node:net';

export type LoadSpec = {
  readonly port: number;
  readonly path: string;
  /** Sent in turn, one with each request; empty = no key. */
  readonly keys: readonly string[];
  /** Number of addresses that requests come from in turn, as a proxy names them; by default one, of this process. */
  readonly clients?: number;
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
};
export type LoadResult = {
  readonly statuses: Readonly<Record<number, number>>;
  /** From the first due time until the last answer. */
  readonly seconds: number;
  /** From the due time until the answer, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
};

const CONNECTIONS = 300;
const TICK_MS = 1;
const LENGTH = 'Content-Length: ';

/** One connection, one request under way on it. */
class LoadConnection {
  readonly #socket: net.Socket;
  #due = 0;
  #head = '';
  #status = 0;
  #bytesLeft = 0;

  constructor(port: number, done: (connection: LoadConnection, due: number, status: number) => void) {
    this.#socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (part: Buffer) => {
      if (this.#consume(part)) done(this, this.#due, this.#status);
    });
    this.#socket.on('close', () => {
      if (onAnswer !== undefined) throw new Error('a connection was closed');
    });
  }

  ask(request: Buffer, due: number): void {
    this.#due = due;
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Whether the answer is complete. */
  #consume(part: Buffer): boolean {
    if (this.#bytesLeft > 0) {
      this.#bytesLeft -= part.length;
      return this.#bytesLeft <= 0;
    }
    this.#head += part.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return false;
    this.#status = Number(this.#head.slice(9, 12));
    const length = Number.parseInt(this.#head.slice(this.#head.indexOf(LENGTH) + LENGTH.length), 10);
    this.#bytesLeft = length - (this.#head.length - end - 4);
    this.#head = '';
    return this.#bytesLeft <= 0;
  }
}

let connections: LoadConnection[] = [];
let port = 0;
/** Called for each answer. */
let onAnswer: ((connection: LoadConnection, due: number, status: number) => void) | undefined;

process.on('message', async (spec: LoadSpec) => {
  if (spec.port !== port) {
    for (const connection of connections) connection.end();
    ({ port } = spec);
    connections = Array.from({ length: CONNECTIONS }, () => new LoadConnection(port, (...args) => onAnswer?.(...args)));
  }
  process.send?.(await generate(spec));
});
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());

const clientAddress = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

function generate({ path, keys, clients = 0, rate, seconds }: LoadSpec): Promise<LoadResult> {
  const requests = Array.from({ length: Math.max(keys.length, clients, 1) }, (_, index) => {
    const key = keys.length === 0 ? '' : `X-Api-Key: ${keys[index % keys.length]}\r\n`;
    const address = clients === 0 ? '' : `X-Forwarded-For: ${clientAddress(index % clients)}\r\n`;
    return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n${key}${address}\r\n`);
  });
  const { promise, resolve } = Promise.withResolvers<LoadResult>();
  const total = rate * seconds;
  const latencies = new Float64Array(total);
  const statuses: Record<number, number> = {};
  const idleConnections = [...connections];
  let sent = 0;
  let answered = 0;
  const begun = performance.now();
  /** Sends what is due on idle connections. */
  const send = () => {
    const due = Math.min(total, Math.floor(((performance.now() - begun) * rate) / 1000));
    for (; sent < due && idleConnections.length > 0; sent += 1) {
      (idleConnections.shift() as LoadConnection).ask(
        requests[sent % requests.length] as Buffer,
        begun + (sent * 1000) / rate,
      );
    }
  };
  const timer = setInterval(send, TICK_MS);
  onAnswer = (connection, due, status) => {
    const now = performance.now();
    latencies[answered] = now - due;
    answered += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
    idleConnections.push(connection);
    if (answered < total) return;
    clearInterval(timer);
    onAnswer = undefined;
    // The next round begins with the one that was idle the longest, which the server would close otherwise.
    connections = idleConnections;
    latencies.sort();
    const percentile = (part: number) => latencies[Math.floor(part * (total - 1))] as number;
    resolve({
      statuses,
      seconds: (now - begun) / 1000,
      p50: percentile(0.5),
      p99: percentile(0.99),
      worst: percentile(1),
    });
  };
  return promise;
}
