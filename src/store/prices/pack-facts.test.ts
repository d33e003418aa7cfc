import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_PUBLISHED_FACTS, type PublishedFacts } from '../../domain/prices/facts.ts';
import { packFacts, unpackFacts } from './pack-facts.ts';
import { packPieces, seriesPieces } from './snapshot-pieces.ts';

const facts: PublishedFacts = { ...NO_PUBLISHED_FACTS, version: 7, publishedAt: 1_795_168_800_000 };

describe('packed facts', () => {
  test('are unpacked as they were', async () => {
    assert.deepEqual(await unpackFacts(await packFacts(facts)), facts);
  });

  test('are packed again as the bytes that they came from, others are not', async () => {
    const bytes = await packFacts(facts);
    const unpacked = await unpackFacts(bytes);
    assert.equal(await packFacts(unpacked), bytes);
    const other = await packFacts({ ...unpacked, version: 8 });
    assert.equal((await unpackFacts(other)).version, 8);
  });

  test('are refused if they are damaged, or something else', async () => {
    const bytes = await packFacts(facts);
    await assert.rejects(unpackFacts(bytes.subarray(0, -1)));
    await assert.rejects(unpackFacts(await packPieces(seriesPieces(new Map([['a', 1]])))), /it has no facts/);
  });
});
