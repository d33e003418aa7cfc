import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEmptySnapshot } from '../../../test/support/builders/snapshot-builders.ts';
import { testDatabase } from '../../../test/support/database/test-database.ts';
import { world } from '../../../test/support/worlds/contract-world.ts';
import { pendingReviews } from '../../store/reviews/review-moderation.ts';
import { readReviews } from '../../store/reviews/reviews.ts';
import { seedDemoReviews } from './demo-reviews.ts';

test('the demo inserts approved reviews and a pending one, once', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  assert.equal(await seedDemoReviews(database, anEmptySnapshot()), null);
  for (let start = 0; start < 2; start += 1) {
    const slug = await seedDemoReviews(database, world());
    const [first, second] = await readReviews(database, [slug?.slice(-12) ?? '', world().records[5]?.station.id ?? '']);
    assert.deepEqual([first?.count, second?.count], [2, 2]);
    const waiting = await pendingReviews(database.kysely);
    assert.deepEqual(
      waiting.map(({ comment, slug: of }) => [comment, of]),
      [['[simulat] Spălătoria era închisă.', slug]],
    );
  }
});
