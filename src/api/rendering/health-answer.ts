/** The health record. Source: API contract, "GET /api/v1/health"; rule 33. */
import { isoInstant } from '../../domain/days.ts';
import { freshness } from '../../snapshot/freshness.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { HealthJson } from '../contract/schemas.ts';

/** The health record of a snapshot at an instant; `degraded` is answered with 503. */
export function health(snapshot: Snapshot, now: number): HealthJson {
  const { updatedAt, counts } = snapshot;
  const { isFresh, updateAgeSeconds, oldestDeliverySeconds, oldestDownloadSeconds } = freshness(snapshot, now);
  return {
    status: isFresh ? 'ok' : 'degraded',
    actualizat_la: updatedAt === null ? null : isoInstant(updatedAt),
    vechime_secunde: updateAgeSeconds,
    vechime_maxima_secunde: oldestDeliverySeconds,
    vechime_maxima_descarcare_secunde: oldestDownloadSeconds,
    observatie_cea_mai_veche: counts.oldestObservation,
    preturi_fara_data_observatie: counts.pricesWithoutDay,
    statii_cu_pret: counts.recordsWithPrice,
    inregistrari_total: counts.records,
    // Every served price is in its fuel's range and not expired: otherwise it would be null.
    preturi_disponibile: counts.recordsWithPrice,
    statii_total: counts.stations,
    statii_cu_pret_unice: counts.stationsWithPrice,
  };
}
