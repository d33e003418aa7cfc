/** A publication as bytes for followers: packed once into parts, and unpacked into what a snapshot is built from. */
import { createHash } from 'node:crypto';
import { runInSlices } from '../../concurrency/in-slices.ts';
import type { DayNumber } from '../../domain/days.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import type { ScopeKind, StatisticsScope } from '../../domain/prices/day-statistics.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import type { PartName } from '../../domain/prices/publication-announcement.ts';
import { PriceHistory, type PriceSeries } from '../../snapshot/price-history.ts';
import { type KindHistory, StatisticsHistory, type Values } from '../../snapshot/statistics-history.ts';
import { packFacts, unpackFacts } from '../../store/prices/pack-facts.ts';
import {
  joinSnapshotPieces,
  packPieces,
  pieceOf,
  piecesIn,
  seriesPieces,
  unpackPieces,
} from '../../store/prices/snapshot-pieces.ts';
import type { LoadedState } from './read-changes.ts';

/** The bytes of a part, compressed, and their SHA-256. */
export type PackedPart = { readonly name: PartName; readonly digest: string; readonly bytes: Buffer };

/** What a part contains. */
export type PartContent = { facts: PublishedFacts; history: PriceHistory; statistics: StatisticsHistory };

/** A part of 60,000 stations has 9 MB, that of ten years of statistics 20 MB. */
export const MAX_PART_BYTES = 100_000_000;
/** Days of one kind of scope and fuel per piece: a few milliseconds of work. */
const DAYS = 60;

/** Packs parts, each once for as long as its content is the same object. */
export class PartPacker {
  readonly #packed = new Map<PartName, { readonly content: object; readonly part: PackedPart }>();

  /** Packs what is loaded; without the statistics as long as not all of them are read. */
  async pack({ facts, history, statistics, hasAllStatistics }: LoadedState): Promise<PackedPart[]> {
    const parts = [
      await this.#part('facts', facts, () => packFacts(facts)),
      await this.#part('history', history, () => packPieces(seriesPieces(history.content()))),
    ];
    if (hasAllStatistics)
      parts.push(await this.#part('statistics', statistics, () => packPieces(statisticsPieces(statistics))));
    return parts;
  }

  async #part(name: PartName, content: object, packed: () => Promise<Buffer>): Promise<PackedPart> {
    const known = this.#packed.get(name);
    if (known?.content === content) return known.part;
    const bytes = await packed();
    const part = { name, digest: digestOf(bytes), bytes };
    this.#packed.set(name, { content, part });
    return part;
  }
}

/** The SHA-256 of bytes, in hexadecimal digits. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Unpacks a part. Rejects if it is damaged, or unpacks to more than any publication has. */
export async function unpackPart<Name extends PartName>(name: Name, bytes: Buffer): Promise<PartContent[Name]> {
  return (await UNPACK[name](bytes)) as PartContent[Name];
}

const UNPACK: { readonly [Name in PartName]: (bytes: Buffer) => Promise<PartContent[Name]> } = {
  facts: unpackFacts,
  async history(bytes) {
    const plain = await unpackPieces(bytes);
    return new PriceHistory((await runInSlices(joinSnapshotPieces<PriceSeries>(plain))).series);
  },
  statistics: async (bytes) => runInSlices(joinStatistics(await unpackPieces(bytes))),
};

/** The positions of a kind, or some days of one of its fuels. */
type StatisticsPiece =
  | { readonly kind: ScopeKind; readonly positions: ReadonlyMap<StatisticsScope, number> }
  | {
      readonly kind: ScopeKind;
      readonly fuel: RoadFuel;
      readonly days: readonly (readonly [DayNumber, Values])[];
    };

function* statisticsPieces(statistics: StatisticsHistory): Generator<Buffer, void, void> {
  for (const [kind, { positions, days }] of statistics.content()) {
    yield pieceOf({ kind, positions } satisfies StatisticsPiece);
    for (const [fuel, ofFuel] of days) {
      const all = [...ofFuel];
      for (let from = 0; from < all.length; from += DAYS)
        yield pieceOf({ kind, fuel, days: all.slice(from, from + DAYS) } satisfies StatisticsPiece);
    }
  }
}

function* joinStatistics(plain: Buffer): Generator<void, StatisticsHistory, void> {
  const kinds = new Map<ScopeKind, KindHistory>();
  for (const piece of piecesIn<StatisticsPiece>(plain)) {
    if ('positions' in piece) kinds.set(piece.kind, { positions: new Map(piece.positions), days: new Map() });
    else {
      const { days } = kinds.get(piece.kind) as KindHistory;
      const ofFuel = days.get(piece.fuel) ?? new Map<DayNumber, Values>();
      days.set(piece.fuel, ofFuel);
      for (const [day, values] of piece.days) ofFuel.set(day, values);
    }
    yield;
  }
  return new StatisticsHistory(kinds);
}
