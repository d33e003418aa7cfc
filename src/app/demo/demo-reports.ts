/** The demo's reports of drivers: one that a moderator accepted, and one that waits for a decision. */
import { randomUUID } from 'node:crypto';
import { shownPrice } from '../../domain/prices/price-verdict.ts';
import { stationSlug } from '../../domain/stations/station-slug.ts';
import { SIMULATED_MARK } from '../../simulation/country/station-names.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { decideReport, hasReports, openReports } from '../../store/driver-reports/driver-report-moderation.ts';
import { DRIVER_REPORT_SUBMISSIONS, type NewDriverReport } from '../../store/driver-reports/submit-driver-reports.ts';
import { AddressHash } from '../../store/limits/address-hash.ts';
import { submit } from '../../store/submissions/submissions.ts';

/** Generous, because no client waits for it. */
const INSERT_TIMEOUT_MS = 30_000;
/** How much more than the page drivers see at the pump. */
const DIFFERENCE = 100;

/** Inserts reports about the first trusted price, unless there are any. */
export async function seedDemoReports(database: Database<Schema>, snapshot: Snapshot): Promise<void> {
  const record = snapshot.records.find(({ verdict }) => verdict.kind === 'trusted');
  if (record === undefined || (await hasReports(database.kysely))) return;
  const { station, fuel, verdict } = record;
  const { price } = shownPrice(verdict);
  const common = { station: station.id, slug: stationSlug(station), fuel, shownPrice: price };
  const shown = { version: snapshot.version, shownAt: snapshot.updatedAt };
  const reports: readonly NewDriverReport[] = [
    { ...common, ...shown, kind: 'price', seenPrice: price && price + DIFFERENCE, comment: null },
    { ...common, ...shown, kind: 'other', seenPrice: null, comment: `${SIMULATED_MARK} Pompa 3 nu funcționează.` },
  ];
  const hashes = new AddressHash();
  await hashes.readKeys(database);
  // Each gets another client, as if it came from another address.
  const submitted = reports.map((item) => {
    const sender = hashes.for('driver reports').hash(randomUUID());
    return { senders: [sender, sender], item, token: null };
  });
  await submit(DRIVER_REPORT_SUBMISSIONS, database, submitted, INSERT_TIMEOUT_MS);
  const [first] = await openReports(database.kysely);
  if (first !== undefined) await decideReport(database.kysely, first.id, 'accepted');
}
