/** A DNS server on loopback, UDP and TCP, in the real wire format (RFC 1035), which answers as a test programs it. */
import { createSocket, type Socket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

const TYPES = { A: 1, CNAME: 5, PTR: 12, AAAA: 28 } as const;
const CODES = { nothing: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;

type RecordType = keyof typeof TYPES;
/** Instead of records: an error, an empty answer, no answer at all, or a malformed one. */
type DnsFailure = keyof typeof CODES | 'silence' | 'nonsense';
type DnsRecord = { readonly type: RecordType; readonly value: string };
type DnsReply = { readonly records: readonly DnsRecord[]; readonly only?: 'tcp' } | DnsFailure;
type DnsQuestion = { readonly name: string; readonly type: number; readonly end: number };

export class DnsServer {
  /** `127.0.0.1:port`, as `DNS_SERVERS` takes it. */
  readonly address: string;
  /** Every query so far, such as `PTR 1.0.0.127.in-addr.arpa`. */
  readonly questions: string[] = [];
  readonly #replies = new Map<string, DnsReply>();
  readonly #events = new EventEmitter();
  readonly #close: () => Promise<void>;
  #pending: (() => void)[] | null = null;

  private constructor(port: number, close: () => Promise<void>) {
    this.address = `127.0.0.1:${port}`;
    this.#close = close;
  }

  /** Starts a server without any names. */
  static async start(): Promise<DnsServer> {
    const { udp, tcp, port } = await listenOnBoth();
    const server = new DnsServer(port, async () => {
      const closed = [once(udp, 'close'), once(tcp, 'close')];
      udp.close();
      tcp.close();
      await Promise.all(closed);
    });
    udp.on('message', (query, from) => {
      server.#answer(query, 'udp', (reply) => udp.send(reply, from.port, from.address));
    });
    tcp.on('connection', (socket) => {
      // Queries are small: each arrives in one chunk, after two bytes with its length.
      socket.on('data', (query: Buffer) =>
        server.#answer(query.subarray(2), 'tcp', (reply) => socket.end(sized(reply))),
      );
      socket.on('error', () => socket.destroy());
    });
    return server;
  }

  /** Sets the names of an address, one record each. */
  setPtr(address: string, reply: readonly string[] | DnsFailure): void {
    this.#set('PTR', reverse(address), reply);
  }

  /** Sets the IPv4 addresses of a name. */
  setA(name: string, reply: readonly string[] | DnsFailure): void {
    this.#set('A', name, reply);
  }

  /** Sets the IPv6 addresses of a name, written out in full. */
  setAaaa(name: string, reply: readonly string[] | DnsFailure): void {
    this.#set('AAAA', name, reply);
  }

  /** Sets the name of an address behind an alias, as where a network smaller than /24 is delegated (RFC 2317). */
  setAlias(address: string, alias: string, name: string): void {
    const records = [
      { type: 'CNAME', value: alias },
      { type: 'PTR', value: name },
    ] as const;
    this.#replies.set(`PTR ${reverse(address)}`, { records });
  }

  /** Sets the names of an address that fit only into a TCP answer; UDP answers are truncated. */
  setTruncated(address: string, names: readonly string[]): void {
    this.#replies.set(`PTR ${reverse(address)}`, { records: records('PTR', names), only: 'tcp' });
  }

  /** Holds all answers back until `release`. */
  pause(): void {
    this.#pending = [];
  }

  release(): void {
    const held = this.#pending ?? [];
    this.#pending = null;
    for (const send of held) send();
  }

  /** Resolves when `count` queries have arrived in all. */
  async waitForQuestions(count: number): Promise<void> {
    while (this.questions.length < count) await once(this.#events, 'question');
  }

  close(): Promise<void> {
    return this.#close();
  }

  #set(type: RecordType, name: string, reply: readonly string[] | DnsFailure): void {
    this.#replies.set(`${type} ${name}`, typeof reply === 'string' ? reply : { records: records(type, reply) });
  }

  #answer(query: Buffer, over: 'udp' | 'tcp', send: (reply: Buffer) => void): void {
    const question = readQuestion(query);
    const type = Object.entries(TYPES).find(([, number]) => number === question.type)?.[0] ?? question.type;
    const key = `${type} ${question.name.toLowerCase()}`;
    const reply = this.#replies.get(key) ?? 'nxdomain';
    this.questions.push(key);
    const answer = () => {
      if (reply === 'silence') return;
      send(reply === 'nonsense' ? query.subarray(0, question.end) : message(query, question, reply, over));
    };
    if (this.#pending === null) answer();
    else this.#pending.push(answer);
    this.#events.emit('question');
  }
}

/** Finds a port that is free for both TCP and UDP. */
async function listenOnBoth(tries = 20): Promise<{ udp: Socket; tcp: Server; port: number }> {
  const tcp = createServer().listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4').bind(port, '127.0.0.1');
  try {
    await once(udp, 'listening');
    return { udp, tcp, port };
  } catch (error) {
    udp.close();
    tcp.close();
    if (tries > 1) return listenOnBoth(tries - 1);
    throw error;
  }
}

function records(type: RecordType, values: readonly string[]): DnsRecord[] {
  return values.map((value) => ({ type, value }));
}

function reverse(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${[...groups(address).join('')].reverse().join('.')}.ip6.arpa`;
}

/** The eight groups of an IPv6 address written out in full, four digits each. */
function groups(address: string): string[] {
  return address.split(':').map((group) => group.padStart(4, '0'));
}

function readQuestion(query: Buffer): DnsQuestion {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Header (id, answer flags, counts), the question as received, the records. */
function message(
  query: Buffer,
  question: DnsQuestion,
  reply: Exclude<DnsReply, 'silence' | 'nonsense'>,
  over: string,
): Buffer {
  const code = typeof reply === 'string' ? CODES[reply] : 0;
  const cut = typeof reply !== 'string' && reply.only === 'tcp' && over === 'udp';
  const answers = typeof reply === 'string' || cut ? [] : reply.records;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (cut ? 0x0200 : 0) | code, 2);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt32BE(0, 8);
  let owner = question.name;
  const written = answers.map((record) => {
    const bytes = recordBytes(owner, record);
    if (record.type === 'CNAME') owner = record.value;
    return bytes;
  });
  return Buffer.concat([header, query.subarray(12, question.end), ...written]);
}

function recordBytes(owner: string, { type, value }: DnsRecord): Buffer {
  const data = recordData(type, value);
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(TYPES[type], 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(60, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(owner), fields, data]);
}

function recordData(type: RecordType, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'AAAA') return Buffer.from(groups(value).join(''), 'hex');
  return nameBytes(value);
}

/** Each label after its length; `\.` is a dot within a label. */
function nameBytes(name: string): Buffer {
  const labels = name.split(/(?<!\\)\./).map((label) => Buffer.from(label.replaceAll('\\', ''), 'latin1'));
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}

function sized(reply: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(reply.length);
  return Buffer.concat([length, reply]);
}
