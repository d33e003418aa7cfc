/**
 * Decodes Mapbox vector tiles (version 2 of their specification) in time and memory that their size bounds, whatever
 * they contain: every part ends within the part around it, every byte is read at most twice, and a command of a
 * geometry has at most as many points as the bytes after it. `@mapbox/vector-tile` promises none of these.
 */
import { PbfReader } from 'pbf';
import { runToEnd } from '../algorithms/run-to-end.ts';

/** A feature of a layer; `read` gets what it needs of it. */
export type RawFeature = {
  readonly type: 'point' | 'line' | 'polygon';
  /** The text, number or truth of a property. */
  readonly property: (name: string) => string | number | boolean | undefined;
  /**
   * The lines or rings: x and y in turn, in 1/4096 of the tile, from its north-western corner; rings are not closed.
   */
  readonly parts: () => Int16Array[];
};

/** The tile is not valid; the message says what is wrong. */
export class DamagedTile extends Error {}

/** The unit of coordinates: a part of the width of a tile. */
export const EXTENT = 4096;
/** Fields of all messages of a tile: a dense town has about 60,000. */
const MAX_FIELDS = 300_000;
/** In all layers that are read. */
const MAX_FEATURES = 60_000;
const MAX_POINTS = 400_000;
/** The indexes of names and values of one feature. */
const MAX_TAGS = 2_000;
/** The points or fields that are read in one slice. */
const POINTS_OF_A_SLICE = 5_000;
const FIELDS_OF_A_SLICE = 10_000;
const TYPES = [undefined, 'point', 'line', 'polygon'] as const;

type Span = { readonly from: number; readonly to: number };
type Layer = {
  readonly name: string;
  readonly extent: number;
  readonly keys: readonly string[];
  readonly values: readonly (string | number | boolean)[];
  readonly features: readonly Span[];
};
/** What was read so far of the whole tile. */
type Limits = { fields: number; features: number; points: number };

/**
 * Calls `read` for each feature of the layers that `isWanted`; each `yield` ends a slice of work. Throws `DamagedTile`.
 */
export function* decodeTile(
  bytes: Uint8Array,
  isWanted: (layer: string) => boolean,
  read: (layer: string, feature: RawFeature) => void,
): Generator<void, void, void> {
  const limits: Limits = { fields: 0, features: 0, points: 0 };
  const pbf = new PbfReader(bytes);
  try {
    const layers: Span[] = [];
    yield* readFieldsInSlices(pbf, { from: 0, to: bytes.length }, limits, (field) => {
      if (field === 3) layers.push(readSpan(pbf, bytes.length));
    });
    for (const span of layers) {
      const layer = yield* readLayer(pbf, span, limits, isWanted);
      if (layer === null) continue;
      yield;
      let [pointsEnd, fieldsEnd] = [limits.points + POINTS_OF_A_SLICE, limits.fields + FIELDS_OF_A_SLICE];
      for (const feature of layer.features) {
        readFeature(pbf, feature, layer, limits, read);
        if (limits.points < pointsEnd && limits.fields < fieldsEnd) continue;
        [pointsEnd, fieldsEnd] = [limits.points + POINTS_OF_A_SLICE, limits.fields + FIELDS_OF_A_SLICE];
        yield;
      }
    }
  } catch (error) {
    throw error instanceof DamagedTile ? error : new DamagedTile((error as Error).message);
  }
}

/** Calls `read` at the value of each field; what it leaves unread is skipped. Each `yield` ends a slice of work. */
function* readFieldsInSlices(
  pbf: PbfReader,
  { from, to }: Span,
  limits: Limits,
  read: (field: number) => void,
): Generator<void, void, void> {
  pbf.pos = from;
  let sliceEnd = limits.fields + FIELDS_OF_A_SLICE;
  for (let field = pbf.nextField(to); field !== 0; field = pbf.nextField(to)) {
    limits.fields += 1;
    if (limits.fields > MAX_FIELDS) throw new DamagedTile(`more than ${MAX_FIELDS} fields`);
    read(field);
    if (pbf.pos > to) throw new DamagedTile('a field ends beyond its message');
    if (limits.fields < sliceEnd) continue;
    sliceEnd = limits.fields + FIELDS_OF_A_SLICE;
    yield;
  }
  if (pbf.pos !== to) throw new DamagedTile('a message ends beyond its length');
}

/** Likewise for a message that is small where it is valid, without slices. */
function readFields(pbf: PbfReader, span: Span, limits: Limits, read: (field: number) => void): void {
  runToEnd(readFieldsInSlices(pbf, span, limits, read));
}

/** The place of a value that has a length, which is then passed. */
function readSpan(pbf: PbfReader, end: number): Span {
  if (pbf.type !== 2) throw new DamagedTile('a field is of another type');
  const length = pbf.readVarint();
  const span = { from: pbf.pos, to: pbf.pos + length };
  if (span.to > end) throw new DamagedTile('a part is longer than the whole');
  pbf.pos = span.to;
  return span;
}

function readText(pbf: PbfReader, end: number): string {
  const { from, to } = readSpan(pbf, end);
  return Buffer.from(pbf.buf.buffer, pbf.buf.byteOffset + from, to - from).toString();
}

function* readLayer(
  pbf: PbfReader,
  span: Span,
  limits: Limits,
  isWanted: (name: string) => boolean,
): Generator<void, Layer | null, void> {
  let [name, extent] = ['', EXTENT];
  const keys: string[] = [];
  const values: (string | number | boolean)[] = [];
  const features: Span[] = [];
  yield* readFieldsInSlices(pbf, span, limits, (field) => {
    if (field === 1) name = readText(pbf, span.to);
    else if (field === 2) features.push(readSpan(pbf, span.to));
    else if (field === 3) keys.push(readText(pbf, span.to));
    else if (field === 4) values.push(readValue(pbf, readSpan(pbf, span.to), limits));
    else if (field === 5) extent = pbf.readVarint();
  });
  if (!isWanted(name)) return null;
  limits.features += features.length;
  if (limits.features > MAX_FEATURES) throw new DamagedTile(`more than ${MAX_FEATURES} features`);
  if (!(extent >= 1 && extent <= 65_536)) throw new DamagedTile(`an extent of ${extent}`);
  return { name, extent, keys, values, features };
}

function readValue(pbf: PbfReader, span: Span, limits: Limits): string | number | boolean {
  let value: string | number | boolean = '';
  readFields(pbf, span, limits, (field) => {
    if (field === 1) value = readText(pbf, span.to);
    else if (field === 2) value = pbf.readFloat();
    else if (field === 3) value = pbf.readDouble();
    else if (field === 4) value = pbf.readVarint(true);
    else if (field === 5) value = pbf.readVarint();
    else if (field === 6) value = pbf.readSVarint();
    else if (field === 7) value = pbf.readBoolean();
  });
  // The reader has moved into the value: the fields of the layer go on after it.
  pbf.pos = span.to;
  return value;
}

function readFeature(
  pbf: PbfReader,
  span: Span,
  { name, extent, keys, values }: Layer,
  limits: Limits,
  read: (layer: string, feature: RawFeature) => void,
): void {
  let type: RawFeature['type'] | undefined;
  let geometry: Span | undefined;
  const tags: number[] = [];
  readFields(pbf, span, limits, (field) => {
    if (field === 2) readNumbers(pbf, readSpan(pbf, span.to), tags);
    else if (field === 3) type = TYPES[pbf.readVarint()];
    else if (field === 4) geometry = readSpan(pbf, span.to);
  });
  if (type === undefined || geometry === undefined) return;
  const [kind, place] = [type, geometry];
  read(name, {
    type: kind,
    property: (wanted) => {
      for (let at = 0; at + 1 < tags.length; at += 2) {
        if (keys[tags[at] as number] === wanted) return values[tags[at + 1] as number];
      }
      return undefined;
    },
    parts: () => readGeometry(pbf, place, EXTENT / extent, limits),
  });
}

function readNumbers(pbf: PbfReader, { from, to }: Span, numbers: number[]): void {
  pbf.pos = from;
  while (pbf.pos < to && numbers.length < MAX_TAGS) numbers.push(pbf.readVarint());
  if (pbf.pos < to) throw new DamagedTile(`a feature with more than ${MAX_TAGS} tags`);
  if (pbf.pos !== to) throw new DamagedTile('a list ends beyond its length');
}

const [MOVE_TO, LINE_TO, CLOSE_PATH] = [1, 2, 7];

function readGeometry(pbf: PbfReader, { from, to }: Span, scale: number, limits: Limits): Int16Array[] {
  const parts: number[][] = [];
  let part: number[] = [];
  let [x, y] = [0, 0];
  pbf.pos = from;
  while (pbf.pos < to) {
    const command = pbf.readVarint();
    const [id, count] = [command & 7, command >>> 3];
    if (id === CLOSE_PATH) continue;
    if (id !== MOVE_TO && id !== LINE_TO) throw new DamagedTile(`an unknown command, ${id}`);
    // Each point takes two bytes at least.
    if (count * 2 > to - pbf.pos) throw new DamagedTile('a command has more points than bytes');
    limits.points += count;
    if (limits.points > MAX_POINTS) throw new DamagedTile(`more than ${MAX_POINTS} points`);
    for (let left = count; left > 0; left -= 1) {
      x += pbf.readSVarint();
      y += pbf.readSVarint();
      if (id === MOVE_TO) {
        part = [];
        parts.push(part);
      }
      part.push(coordinate(x * scale), coordinate(y * scale));
    }
  }
  if (pbf.pos !== to) throw new DamagedTile('a geometry ends beyond its length');
  return parts.map((points) => Int16Array.from(points));
}

/** Far outside the tile, where nobody sees it, the place may be wrong. */
function coordinate(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}
