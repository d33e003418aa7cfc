/**
 * A generator of load with a clock of its own (open loop): requests fall due at a fixed rate, however fast answers come,
 * and each is timed from when it was due. The connections stay from one order to the next.
 */
import net from 'node:net';

export type Order = {
  readonly port: number;
  readonly path: string;
  /** Sent in turn, one with each request; none = every request alike. */
  readonly keys: readonly string[];
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
};
export type Answered = {
  readonly statuses: Readonly<Record<number, number>>;
  /** From the first request that was due until the last answer. */
  readonly seconds: number;
  /** From due to answered, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
};

const CONNECTIONS = 300;
const TICK_MS = 1;
const LENGTH = 'Content-Length: ';

/** One connection, one request under way on it. */
class Line {
  readonly #socket: net.Socket;
  #due = 0;
  #head = '';
  #status = 0;
  #left = 0;

  constructor(port: number, done: (line: Line, due: number, status: number) => void) {
    this.#socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (part: Buffer) => {
      if (this.#take(part)) done(this, this.#due, this.#status);
    });
    this.#socket.on('close', () => {
      if (running !== undefined) throw new Error('a connection was closed');
    });
  }

  ask(request: Buffer, due: number): void {
    this.#due = due;
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Whether the answer is whole. */
  #take(part: Buffer): boolean {
    if (this.#left > 0) {
      this.#left -= part.length;
      return this.#left <= 0;
    }
    this.#head += part.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return false;
    this.#status = Number(this.#head.slice(9, 12));
    const length = Number.parseInt(this.#head.slice(this.#head.indexOf(LENGTH) + LENGTH.length), 10);
    this.#left = length - (this.#head.length - end - 4);
    this.#head = '';
    return this.#left <= 0;
  }
}

let lines: Line[] = [];
let port = 0;
/** Told of each answer. */
let running: ((line: Line, due: number, status: number) => void) | undefined;

process.on('message', async (order: Order) => {
  if (order.port !== port) {
    for (const line of lines) line.end();
    ({ port } = order);
    lines = Array.from({ length: CONNECTIONS }, () => new Line(port, (...told) => running?.(...told)));
  }
  process.send?.(await generate(order));
});
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());

function generate({ path, keys, rate, seconds }: Order): Promise<Answered> {
  const requests = (keys.length === 0 ? [''] : keys.map((key) => `X-Api-Key: ${key}\r\n`)).map((line) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n${line}\r\n`),
  );
  const { promise, resolve } = Promise.withResolvers<Answered>();
  const total = rate * seconds;
  const waited = new Float64Array(total);
  const statuses: Record<number, number> = {};
  const free = [...lines];
  let sent = 0;
  let answered = 0;
  const begun = performance.now();
  /** Asks what is due on the lines that are free. */
  const send = () => {
    const due = Math.min(total, Math.floor(((performance.now() - begun) * rate) / 1000));
    for (; sent < due && free.length > 0; sent += 1) {
      (free.shift() as Line).ask(requests[sent % requests.length] as Buffer, begun + (sent * 1000) / rate);
    }
  };
  const clock = setInterval(send, TICK_MS);
  running = (line, due, status) => {
    const now = performance.now();
    waited[answered] = now - due;
    answered += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
    free.push(line);
    if (answered < total) return;
    clearInterval(clock);
    running = undefined;
    waited.sort();
    const share = (part: number) => waited[Math.floor(part * (total - 1))] as number;
    resolve({ statuses, seconds: (now - begun) / 1000, p50: share(0.5), p99: share(0.99), worst: share(1) });
  };
  return promise;
}
