/** How fresh the data are, and whether that is acceptable. Source: API contract, "GET /api/v1/health"; rule 33. */
import { isoInstant } from '../../domain/days.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { HealthJson } from '../contract/schemas.ts';

type SourceTimes = Snapshot['sources'][number];

/** If a source is older than this, the service is degraded. */
const MAX_AGE_SECONDS = 86_400;

/** The health record of a snapshot at an instant; `degraded` is answered with 503. */
export function health({ updatedAt, sources, counts }: Snapshot, now: number): HealthJson {
  const oldest = oldestAge(sources, ({ deliveredAt }) => deliveredAt, now);
  // Every served price is in its fuel's range and not expired: otherwise it would be null.
  const available = counts.recordsWithPrice;
  return {
    status: oldest !== null && oldest <= MAX_AGE_SECONDS && available > 0 ? 'ok' : 'degraded',
    actualizat_la: updatedAt === null ? null : isoInstant(updatedAt),
    vechime_secunde: updatedAt === null ? null : ageSeconds(updatedAt, now),
    vechime_maxima_secunde: oldest,
    vechime_maxima_descarcare_secunde:
      oldest === null ? null : oldestAge(sources, ({ downloadedAt }) => downloadedAt, now),
    observatie_cea_mai_veche: counts.oldestObservation,
    preturi_fara_data_observatie: counts.pricesWithoutDay,
    statii_cu_pret: counts.recordsWithPrice,
    inregistrari_total: counts.records,
    preturi_disponibile: available,
    statii_total: counts.stations,
    statii_cu_pret_unice: counts.stationsWithPrice,
  };
}

/** `null` when no source is in service or one has no such time yet. */
function oldestAge(
  sources: readonly SourceTimes[],
  timestampOf: (source: SourceTimes) => number | null,
  now: number,
): number | null {
  const known = sources.map(timestampOf).filter((moment) => moment !== null);
  return known.length === 0 || known.length < sources.length ? null : ageSeconds(Math.min(...known), now);
}

function ageSeconds(moment: number, now: number): number {
  return Math.max(0, Math.floor((now - moment) / 1000));
}
