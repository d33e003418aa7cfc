/** The demo's reviews: a few that are shown, and one that waits. */
import { randomBytes } from 'node:crypto';
import { stationSlug } from '../../domain/stations/station-slug.ts';
import { SIMULATED_REVIEWS } from '../../simulation/country/reviews.ts';
import type { ServedStation, Snapshot } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { decideReview, hasReviews, pendingReviews } from '../../store/reviews/review-moderation.ts';
import { submitReviews } from '../../store/reviews/submit-reviews.ts';

/** Nobody waits for it. */
const INSERT_TIMEOUT_MS = 30_000;

/**
 * Puts reviews in place where nobody has written any yet, the newest waiting for approval. Gives the slug of a station
 * that is reviewed; `null` = there is no station.
 */
export async function seedDemoReviews(database: Database<Schema>, snapshot: Snapshot): Promise<string | null> {
  const stations = reviewedStations(snapshot);
  const [first] = stations;
  if (first === undefined) return null;
  if (await hasReviews(database.kysely)) return stationSlug(first);
  const posted = SIMULATED_REVIEWS.flatMap(({ station: place, rating, nickname, comment }) => {
    const station = stations[place];
    if (station === undefined) return [];
    const review = { station: station.id, slug: stationSlug(station), rating, nickname, comment };
    // Each from another address, as it were.
    return [{ client: randomBytes(16), review, token: null }];
  });
  await submitReviews(database, posted, INSERT_TIMEOUT_MS);
  for (const { id } of (await pendingReviews(database.kysely)).slice(0, -1)) {
    await decideReview(database.kysely, id, 'approved');
  }
  return stationSlug(first);
}

/** The first two stations in the order of records: the same at every start. */
function reviewedStations({ records }: Snapshot): ServedStation[] {
  const first = records[0]?.station;
  const second = records.find(({ station }) => station.id !== first?.id)?.station;
  return [first, second].filter((station) => station !== undefined);
}
