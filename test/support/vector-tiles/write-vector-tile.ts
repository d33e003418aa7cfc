/** Writes Mapbox vector tiles (version 2). */
import { PbfWriter } from 'pbf';

export type WrittenFeature = {
  readonly type: 'point' | 'line' | 'polygon';
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** x and y in turn, in 1/4096 of the tile; rings without the first point again at the end. */
  readonly parts: readonly (readonly number[])[];
};

export type WrittenLayers = Readonly<Record<string, readonly WrittenFeature[]>>;

const TYPES = { point: 1, line: 2, polygon: 3 } as const;
const [MOVE_TO, LINE_TO, CLOSE_PATH] = [1, 2, 7];

/** The bytes of a tile with these layers. */
export function writeVectorTile(layers: WrittenLayers, extent = 4096): Uint8Array {
  const pbf = new PbfWriter();
  for (const [name, features] of Object.entries(layers))
    pbf.writeMessage(3, () => writeLayer(pbf, name, features, extent), null);
  return pbf.finish().slice();
}

function writeLayer(pbf: PbfWriter, name: string, features: readonly WrittenFeature[], extent: number): void {
  const keys: string[] = [];
  const values: (string | number | boolean)[] = [];
  const indexIn = <T>(list: T[], value: T) => (list.includes(value) ? list.indexOf(value) : list.push(value) - 1);
  pbf.writeVarintField(15, 2);
  pbf.writeStringField(1, name);
  for (const { type, properties, parts } of features) {
    const tags = Object.entries(properties).flatMap(([key, value]) => [indexIn(keys, key), indexIn(values, value)]);
    const write = () => {
      pbf.writePackedVarint(2, tags);
      pbf.writeVarintField(3, TYPES[type]);
      pbf.writePackedVarint(4, geometryOf(type, parts));
    };
    pbf.writeMessage(2, write, null);
  }
  for (const key of keys) pbf.writeStringField(3, key);
  for (const value of values) pbf.writeMessage(4, () => writeValue(pbf, value), null);
  pbf.writeVarintField(5, extent);
}

function writeValue(pbf: PbfWriter, value: string | number | boolean): void {
  if (typeof value === 'string') pbf.writeStringField(1, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(7, value);
  else if (Number.isInteger(value)) pbf.writeSVarintField(6, value);
  else pbf.writeDoubleField(3, value);
}

function geometryOf(type: WrittenFeature['type'], parts: WrittenFeature['parts']): number[] {
  const numbers: number[] = [];
  let [x, y] = [0, 0];
  const command = (id: number, count: number) => numbers.push((count << 3) | id);
  for (const part of parts) {
    command(MOVE_TO, 1);
    for (let at = 0; at < part.length; at += 2) {
      if (at === 2) command(LINE_TO, part.length / 2 - 1);
      const [nextX, nextY] = [Math.round(part[at] as number), Math.round(part[at + 1] as number)];
      numbers.push(zigzag(nextX - x), zigzag(nextY - y));
      [x, y] = [nextX, nextY];
    }
    if (type === 'polygon') command(CLOSE_PATH, 1);
  }
  return numbers;
}

function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}
