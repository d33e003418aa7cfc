/** The demo's reviews: a few approved ones, and one that waits for approval. */
import { randomUUID } from 'node:crypto';
import { stationSlug } from '../../domain/stations/station-slug.ts';
import { SIMULATED_REVIEWS } from '../../simulation/country/simulated-reviews.ts';
import type { ServedStation, Snapshot } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { AddressHash } from '../../store/limits/address-hash.ts';
import { decideReview, hasReviews, pendingReviews } from '../../store/reviews/review-moderation.ts';
import { REVIEW_SUBMISSIONS } from '../../store/reviews/submit-reviews.ts';
import { submit } from '../../store/submissions/submissions.ts';

/** Generous, because no client waits for it. */
const INSERT_TIMEOUT_MS = 30_000;

/**
 * Inserts reviews unless there are any, and leaves the newest waiting for approval. Returns the slug of a reviewed
 * station; `null` = there is no station.
 */
export async function seedDemoReviews(database: Database<Schema>, snapshot: Snapshot): Promise<string | null> {
  const stations = reviewedStations(snapshot);
  const [first] = stations;
  if (first === undefined) return null;
  if (await hasReviews(database.kysely)) return stationSlug(first);
  const hashes = new AddressHash();
  await hashes.readKeys(database);
  const posted = SIMULATED_REVIEWS.flatMap(({ station: place, rating, nickname, comment }) => {
    const station = stations[place];
    if (station === undefined) return [];
    const review = { station: station.id, slug: stationSlug(station), rating, nickname, comment };
    // Each gets another client, as if it came from another network.
    const sender = hashes.for('reviews').hash(randomUUID());
    return [{ senders: [sender, sender], item: review, token: null }];
  });
  await submit(REVIEW_SUBMISSIONS, database, posted, INSERT_TIMEOUT_MS);
  for (const { id } of (await pendingReviews(database.kysely)).slice(0, -1)) {
    await decideReview(database.kysely, id, 'approved');
  }
  return stationSlug(first);
}

/** The first two stations in the order of records, and others across the country: the same at every start. */
function reviewedStations({ records }: Snapshot): ServedStation[] {
  const stations = [...new Map(records.map(({ station }) => [station.id, station])).values()];
  const others = stations.slice(2);
  const count = Math.max(...SIMULATED_REVIEWS.map(({ station }) => station)) - 1;
  const apart = Math.max(1, Math.floor(others.length / count));
  return [...stations.slice(0, 2), ...others.filter((_, index) => index % apart === 0).slice(0, count)];
}
