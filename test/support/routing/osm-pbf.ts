/**
 * Writes roads in OpenStreetMap's binary format (https://wiki.openstreetmap.org/wiki/PBF_Format), which the tile
 * builders of routing engines read.
 */
import type { RoadGraph } from '../../../src/domain/roads/road-graph.ts';

const HIGHWAY: Readonly<Record<RoadGraph['edges'][number]['class'], string>> = {
  motorway: 'motorway',
  expressway: 'trunk',
  dual: 'trunk',
  plain: 'primary',
  hill: 'primary',
  mountain: 'primary',
  county: 'secondary',
  slip: 'primary_link',
};

/** Places, and the roads between them. */
export type Roads = Pick<RoadGraph, 'nodes' | 'edges'>;

/** The roads as one `.osm.pbf`: each place is a node, each edge a two-way road of two nodes. */
export function osmPbf({ nodes, edges }: Roads): Buffer {
  const strings = new StringTable();
  const ways = edges.map(({ a, b, class: roadClass, ref }, index) => {
    const tags = { highway: HIGHWAY[roadClass], oneway: 'no', ref };
    return field(
      3,
      number(1, index + 1),
      field(2, ...Object.keys(tags).map((key) => varint(strings.number(key)))),
      field(3, ...Object.values(tags).map((value) => varint(strings.number(value)))),
      field(8, zigzag(a + 1), zigzag(b - a)),
    );
  });
  const dense = field(
    2,
    field(1, ...nodes.map(() => zigzag(1))),
    field(8, ...differences(nodes.map(({ lat }) => Math.round(lat * 1e7)))),
    field(9, ...differences(nodes.map(({ lng }) => Math.round(lng * 1e7)))),
  );
  return Buffer.concat([
    ...blob('OSMHeader', field(4, Buffer.from('OsmSchema-V0.6')), field(4, Buffer.from('DenseNodes'))),
    ...blob('OSMData', new StringTable().table(), field(2, dense)),
    ...blob('OSMData', strings.table(), field(2, ...ways)),
  ]);
}

/** The string table of a block; its first entry is always empty. */
class StringTable {
  readonly #words = new Map([['', 0]]);

  number(word: string): number {
    const number = this.#words.get(word) ?? this.#words.size;
    this.#words.set(word, number);
    return number;
  }

  table(): Buffer {
    return field(1, ...[...this.#words.keys()].map((word) => field(1, Buffer.from(word))));
  }
}

function blob(type: string, ...parts: Buffer[]): Buffer[] {
  const raw = Buffer.concat(parts);
  const body = Buffer.concat([field(1, raw)]);
  const header = Buffer.concat([field(1, Buffer.from(type)), number(3, body.length)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(header.length);
  return [size, header, body];
}

/** A field of bytes: text, a message, or packed numbers. */
function field(at: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([varint(at * 8 + 2), varint(body.length), body]);
}

function number(at: number, value: number): Buffer {
  return Buffer.concat([varint(at * 8), varint(value)]);
}

function differences(values: readonly number[]): Buffer[] {
  return values.map((value, index) => zigzag(value - (values[index - 1] ?? 0)));
}

function zigzag(value: number): Buffer {
  return varint(value < 0 ? -2 * value - 1 : 2 * value);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
