/** Drivers' reports for moderation: reads and changes them. */
import { type Kysely, sql } from 'kysely';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import type { Schema } from '../connection/schema.ts';
import type { NewDriverReport } from './submit-driver-reports.ts';

/** A report that waits for a decision. */
export type OpenReport = Omit<NewDriverReport, 'station' | 'version'> & {
  readonly id: number;
  /** Epoch ms. */
  readonly createdAt: number;
};

/** The open reports, oldest first. */
export async function openReports(db: Kysely<Schema>): Promise<OpenReport[]> {
  const rows = await db
    .selectFrom('driver_reports')
    .select(['id', 'slug', 'kind', 'fuel', 'shown_price as shownPrice', 'shown_at as shownAt'])
    .select(['seen_price as seenPrice', 'comment', 'created_at as createdAt'])
    .where('state', '=', 'open')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, fuel: fuelAt(row.fuel) }));
}

/** What a report is about. */
export type ReportAbout = Pick<OpenReport, 'kind' | 'fuel'>;

/** Accepts or rejects a report, whatever was decided before, and says what it is about; `null` if there is none. */
export async function decideReport(
  db: Kysely<Schema>,
  id: number,
  state: 'accepted' | 'rejected',
): Promise<ReportAbout | null> {
  const decided = await db
    .updateTable('driver_reports')
    .set({ state, decided_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returning(['kind', 'fuel'])
    .executeTakeFirst();
  return decided === undefined ? null : { kind: decided.kind, fuel: fuelAt(decided.fuel) };
}

/** Whether there is any report. */
export async function hasReports(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('driver_reports').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Removes a report with all data of its author; false if there is no such report. */
export async function deleteReport(db: Kysely<Schema>, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('driver_reports').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The fuel at a stored position. */
const fuelAt = (position: number | null): Fuel | null => (position === null ? null : (FUELS[position] ?? null));
