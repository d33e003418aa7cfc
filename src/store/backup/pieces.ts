/**
 * What is inside a backup: a stream of pieces. First what made it, then table after table (its head, its rows as the
 * text of COPY, its count and digest), then the sequences and how many tables there were.
 */
import { createHash } from 'node:crypto';
import type { AppliedMigration } from '../connection/migrations.ts';

/** Who made the backup, when, and of what state of the tables. */
export type Origin = {
  /** Version of the program. */
  readonly program: string;
  /** ISO 8601, by the clock of the machine that made it. */
  readonly made: string;
  readonly migrations: readonly AppliedMigration[];
};
export type TableHead = { readonly table: string; readonly columns: readonly string[] };
export type TableEnd = { readonly rows: number; readonly sha256: string };
export type Sequence = { readonly name: string; readonly value: string; readonly called: boolean };
export type Ending = { readonly tables: number; readonly sequences: readonly Sequence[] };

export type Piece =
  | { readonly kind: 'origin'; readonly value: Origin }
  | { readonly kind: 'table'; readonly value: TableHead }
  | { readonly kind: 'rows'; readonly value: Buffer }
  | { readonly kind: 'end'; readonly value: TableEnd }
  | { readonly kind: 'ending'; readonly value: Ending };

/** The content is not what a backup holds. */
export class BadContent extends Error {}

const LETTERS = { origin: 'O', table: 'T', rows: 'R', end: 'E', ending: 'Z' } as const;
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as Piece['kind']]));
/** A letter and the length of what follows. */
const HEAD_BYTES = 5;
/** COPY comes in pieces of at most 64 KB; the head of a table is a few hundred bytes. */
const LONGEST_PIECE = 4_000_000;

/** The bytes of a piece. */
export function* encode({ kind, value }: Piece): Generator<Buffer> {
  const content = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(LETTERS[kind], 'latin1');
  head.writeUInt32BE(content.length, 1);
  yield head;
  yield content;
}

/**
 * The pieces in a stream of bytes, in an order that makes sense and with counts and digests that are true. Rejects with
 * `BadContent` otherwise.
 */
export async function* decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece, void, void> {
  const order = new Order();
  for await (const piece of split(bytes)) {
    order.take(piece);
    yield piece;
  }
  order.close();
}

async function* split(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= HEAD_BYTES) {
      const length = rest.readUInt32BE(at + 1);
      if (length > LONGEST_PIECE) throw new BadContent('a piece of it is too long');
      const end = at + HEAD_BYTES + length;
      if (rest.length < end) break;
      yield parse(String.fromCharCode(rest[at] as number), rest.subarray(at + HEAD_BYTES, end));
      at = end;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new BadContent('it ends within a piece');
}

function parse(letter: string, content: Buffer): Piece {
  const kind = KINDS.get(letter as never);
  if (kind === undefined) throw new BadContent('a piece of it is of no known kind');
  if (kind === 'rows') return { kind, value: content };
  try {
    return { kind, value: JSON.parse(content.toString()) } as Piece;
  } catch {
    throw new BadContent('a piece of it cannot be read');
  }
}

/** Rows of a table as COPY writes them, counted and digested on their way: a line feed within a value is escaped. */
export class Tally {
  readonly #sum = createHash('sha256');
  #rows = 0;

  add(bytes: Buffer): void {
    this.#sum.update(bytes);
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) this.#rows += 1;
  }

  end(): TableEnd {
    return { rows: this.#rows, sha256: this.#sum.digest('hex') };
  }
}

const LINE_FEED = 0x0a;

/** Holds the pieces against the order they must come in, and the rows against what is said of them. */
class Order {
  #tables = 0;
  #open: { name: string; tally: Tally } | null = null;
  #state: 'start' | 'tables' | 'closed' = 'start';

  take(piece: Piece): void {
    if (this.#state === 'closed' || (this.#state === 'start') !== (piece.kind === 'origin')) {
      throw new BadContent('its pieces are not in order');
    }
    this.#state = piece.kind === 'ending' ? 'closed' : 'tables';
    if (piece.kind === 'rows' || piece.kind === 'end') this.#within(piece);
    else if (this.#open !== null) throw new BadContent(`the table ${this.#open.name} has no end`);
    if (piece.kind === 'table') this.#begin(piece.value);
    if (piece.kind === 'ending' && piece.value.tables !== this.#tables) throw new BadContent('tables are missing');
  }

  close(): void {
    if (this.#state !== 'closed') throw new BadContent('its end is missing');
  }

  #begin({ table }: TableHead): void {
    this.#tables += 1;
    this.#open = { name: table, tally: new Tally() };
  }

  #within(piece: Piece & { kind: 'rows' | 'end' }): void {
    if (this.#open === null) throw new BadContent('rows belong to no table');
    const { name, tally } = this.#open;
    if (piece.kind === 'rows') {
      tally.add(piece.value);
      return;
    }
    const { rows, sha256 } = tally.end();
    if (rows !== piece.value.rows || sha256 !== piece.value.sha256) {
      throw new BadContent(`the rows of ${name} are not those that were written`);
    }
    this.#open = null;
  }
}
