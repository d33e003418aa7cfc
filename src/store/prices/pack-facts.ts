/** The facts of a publication as compressed bytes, of one form for the database, the disk and followers. */
import { runInSlices } from '../../concurrency/in-slices.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { factPieces, joinSnapshotPieces, packPieces, unpackPieces } from './snapshot-pieces.ts';

/** What facts were unpacked from: they are stored and passed on as they came. */
const sourceBytes = new WeakMap<PublishedFacts, Buffer>();

/** Packs facts, in slices of work; those of `unpackFacts` are the bytes that they came from. */
export async function packFacts(facts: PublishedFacts): Promise<Buffer> {
  return sourceBytes.get(facts) ?? packPieces(factPieces(facts));
}

/** Unpacks facts, in slices of work. Rejects if the bytes are damaged, or unpack to more than any publication has. */
export async function unpackFacts(bytes: Buffer): Promise<PublishedFacts> {
  const { facts } = await runInSlices(joinSnapshotPieces(await unpackPieces(bytes)));
  if (facts === null) throw new Error('it has no facts');
  sourceBytes.set(facts, bytes);
  return facts;
}
