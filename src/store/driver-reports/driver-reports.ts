/** Drivers' reports that a moderator accepted. */
import type { AcceptedReport, ReportKind } from '../../domain/driver-report.ts';
import { FUELS } from '../../domain/fuel.ts';
import type { Queryable } from '../connection/database-connection.ts';

/** How long the statement may take before the caller drops the connection. */
const READ_TIMEOUT = { withinMs: 1_500 };

/**
 * The accepted reports of each station, the newest decision first: of each fuel and kind the latest alone. Rejects if
 * the database does not answer in time.
 */
export async function readAcceptedReports(
  database: Queryable,
  stations: readonly string[],
): Promise<(readonly AcceptedReport[])[]> {
  const values = [[...new Set(stations)]];
  const rows = await database.query<AcceptedRow>({ text: READ, values }, READ_TIMEOUT);
  const byStation = Map.groupBy(rows, ({ station }) => station);
  return stations.map((station) => (byStation.get(station) ?? []).map(asReport));
}

type AcceptedRow = {
  readonly station: string;
  readonly kind: ReportKind;
  readonly fuel: number | null;
  readonly shown_price: number | null;
  readonly seen_price: number | null;
  readonly created_at: number;
  readonly decided_at: number;
};

const asReport = (row: AcceptedRow): AcceptedReport => ({
  kind: row.kind,
  fuel: row.fuel === null ? null : (FUELS[row.fuel] ?? null),
  shownPrice: row.shown_price,
  seenPrice: row.seen_price,
  createdAt: row.created_at,
  decidedAt: row.decided_at,
});

const READ = `
  select * from (
    select distinct on (station_id, fuel, kind) station_id as station, kind, fuel, shown_price, seen_price, created_at,
      decided_at
    from driver_reports where station_id = any ($1::text[]) and state = 'accepted'
    order by station_id, fuel, kind, decided_at desc, id desc) as latest
  order by decided_at desc`;
