/** Drivers' reports as they are submitted: what limits them, and how they are stored. */
import type { Kysely } from 'kysely';
import { type EarlierReport, type ReportKind, type ReportSubject, reportWaitMs } from '../../domain/driver-report.ts';
import { FUELS, type MilliPrice } from '../../domain/fuel.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';
import type { Submission, SubmissionKind } from '../submissions/submissions.ts';

export type NewDriverReport = ReportSubject & {
  readonly kind: ReportKind;
  /** The current slug of the station's page. */
  readonly slug: string;
  /** As the page showed it; `null` = none. */
  readonly shownPrice: MilliPrice | null;
  /** The publication that the page showed, and when its prices were updated, epoch ms. */
  readonly version: number;
  readonly shownAt: number | null;
  /** `null` = the driver did not say. */
  readonly seenPrice: MilliPrice | null;
  /** Cleaned; `null` = none. */
  readonly comment: string | null;
};

type EarlierReportRow = {
  readonly client: string | null;
  readonly network: string | null;
  readonly station: string;
  readonly fuel: number | null;
  readonly at: number;
  readonly state: 'open' | 'accepted' | 'rejected';
};

const EARLIER = `
  select clock_timestamp() as now, encode(r.client, 'hex') as client, encode(r.network, 'hex') as network,
    r.station_id as station, r.fuel, r.created_at as at, r.state
  from (values (1)) as one
  left join driver_reports r on r.client = any ($1::bytea[]) or r.network = any ($1::bytea[])`;

/** The senders of a report are its client and its network; they are told nothing but that it was received. */
export const DRIVER_REPORT_SUBMISSIONS: SubmissionKind<NewDriverReport, EarlierReportRow, object> = {
  lockClass: 0x72_65_70,
  earlierSql: EARLIER,
  sendersOf: ({ client, network }) => [client, network],
  waitMs: ([ofClient = [], ofNetwork = []], report, now) =>
    reportWaitMs({ ofClient: ofClient.map(asEarlierReport), ofNetwork: ofNetwork.map(asEarlierReport) }, report, now),
  asEarlier: ({ station, fuel }, now) => ({
    ...{ client: null, network: null, state: 'open' },
    ...{ station, fuel: fuel && FUELS.indexOf(fuel), at: now },
  }),
  insert,
};

const asEarlierReport = ({ station, fuel, at, state }: EarlierReportRow): EarlierReport => ({
  ...{ station, at, state },
  fuel: fuel === null ? null : (FUELS[fuel] ?? null),
});

async function insert(
  tx: Kysely<Schema>,
  accepted: readonly Submission<NewDriverReport>[],
  now: number,
): Promise<() => object> {
  const reports = accepted.map(({ item }) => item);
  await runRaw(tx, ADD, [
    reports.map(({ station }) => station),
    reports.map(({ slug }) => slug),
    reports.map(({ kind }) => kind),
    reports.map(({ fuel }) => fuel && FUELS.indexOf(fuel)),
    reports.map(({ shownPrice }) => shownPrice),
    reports.map(({ version }) => version),
    reports.map(({ shownAt }) => shownAt && new Date(shownAt)),
    reports.map(({ seenPrice }) => seenPrice),
    reports.map(({ comment }) => comment),
    accepted.map(({ senders: [client] }) => client?.current),
    accepted.map(({ senders: [, network] }) => network?.current),
    new Date(now),
  ]);
  return () => ({});
}

const ADD = `
  insert into driver_reports (station_id, slug, kind, fuel, shown_price, version, shown_at, seen_price, comment,
    client, network, state, created_at)
  select station, slug, kind, fuel, shown_price, version, shown_at, seen_price, comment, client, network, 'open',
    $12::timestamptz
  from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::int[], $7::timestamptz[], $8::int[],
    $9::text[], $10::bytea[], $11::bytea[]) with ordinality
    as sent (station, slug, kind, fuel, shown_price, version, shown_at, seen_price, comment, client, network, place)
  order by place`;
