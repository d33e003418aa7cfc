/** The alerts that today's rules would have sent over the stored days. */

import type { Kysely } from 'kysely';
import { runInSlices } from '../../concurrency/in-slices.ts';
import { ALERT_DAYS, type TrustedPrices } from '../../domain/alerts/alert.ts';
import { type JudgedMoment, replayAlerts } from '../../domain/alerts/alert-replay.ts';
import { bucharestDay, dayNumber, noonOfBucharestDay } from '../../domain/days.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { buildSnapshotInSlices } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { ServedStation } from '../../snapshot/snapshot.ts';
import { type AlertSubject, loadPastPrices } from '../../store/alerts/alerts.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readFacts } from '../../store/prices/packed-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { trustedPrices } from './evaluate-alerts.ts';

export type SimulatedAlert = JudgedMoment & { readonly station: ServedStation | undefined };

/** Each stored day value counts as one publication at noon; the current prices count as one published now. */
export async function simulateAlerts(
  db: Kysely<Schema>,
  settings: CollectionSettings,
  subject: AlertSubject,
  { days, now }: { days: number; now: number },
): Promise<SimulatedAlert[]> {
  const today = dayNumber(bucharestDay(now));
  const first = today - days + 1;
  return inReadSnapshot(db, async (tx) => {
    const facts: PublishedFacts = await readFacts(tx);
    const snapshot = await runInSlices(buildSnapshotInSlices({ ...settings, facts, now, history: new PriceHistory() }));
    const stations = new Map(snapshot.records.map(({ station }) => [station.id, station]));
    const wanted = [...stations.values()].filter(({ citySlug }) => subject.city === null || citySlug === subject.city);
    const ids = wanted.map(({ id }) => id);
    const stored = await loadPastPrices(tx, subject.fuel, ids, { from: first - ALERT_DAYS - 1, to: today });
    const publications = [
      ...stored.filter(({ day }) => day >= first).map(({ day, prices }) => ({ at: noonOfBucharestDay(day), prices })),
      ...(facts.publishedAt === null ? [] : [{ at: now, prices: trustedPrices(snapshot, subject) as TrustedPrices }]),
    ];
    const before = stored.filter(({ day }) => day < first);
    return replayAlerts(publications, before).map((judged) => {
      const { verdict } = judged;
      return { ...judged, station: verdict.kind === 'none' ? undefined : stations.get(verdict.drop.station) };
    });
  });
}
