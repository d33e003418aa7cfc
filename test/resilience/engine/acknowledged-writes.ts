/** Records what was acknowledged, and checks that the database still has all of it. */
import { bucharestDay, dayNumber, dayText } from '../../../src/domain/days.ts';
import { FUELS } from '../../../src/domain/fuel.ts';
import { query } from '../../support/database/embedded-database.ts';
import { dayValue } from './answer-checks.ts';
import { PRICE_CYCLE, PRICE_STEP } from './controlled-country.ts';
import type { ServiceProcesses } from './service-processes.ts';

/** Imports cycle through this many days; each one has a day of this many stations. */
const IMPORTED_DAYS = 80;
const IMPORTED_STATIONS = 10;
const IMPORTED_FUEL = 'motorina_standard';

export type HistoryImport = { readonly rows: { date: string; station: string; fuel: string; price: number }[] };

type StoredRun = { id: number; at: string; mean: number };

export class AcknowledgedWrites {
  readonly #processes: ServiceProcesses;
  readonly #connection: Awaited<ReturnType<ServiceProcesses['connection']>>;
  readonly #today = dayNumber(bucharestDay(Date.now()));
  readonly #imports: HistoryImport[] = [];
  #importCount = 0;
  /** Collections that are known to be stored, with their runs. */
  #runs: (StoredRun & { collection: number })[] = [];
  /** The version of the database. */
  #version = 0;
  /** Mean price of diesel before any step. */
  readonly #base: number;

  static async create(processes: ServiceProcesses): Promise<AcknowledgedWrites> {
    return new AcknowledgedWrites(processes, await processes.connection());
  }

  private constructor(processes: ServiceProcesses, connection: Awaited<ReturnType<ServiceProcesses['connection']>>) {
    this.#processes = processes;
    this.#connection = connection;
    const diesel = [...processes.oracle.prices(0)].filter(({ fuel }) => fuel === 'diesel').map(({ price }) => price);
    this.#base = Math.round(diesel.reduce((sum, price) => sum + price, 0) / diesel.length);
  }

  /** How many imports were acknowledged. */
  get imports(): number {
    return this.#imports.length;
  }

  /** Rows that no earlier import had: a day of ten stations. */
  nextImport(): HistoryImport {
    const number = this.#importCount;
    this.#importCount += 1;
    const date = dayText(this.#today - 2 - (number % IMPORTED_DAYS));
    const { ids } = this.#processes.oracle;
    const first = IMPORTED_STATIONS * Math.floor(number / IMPORTED_DAYS);
    return {
      rows: Array.from({ length: IMPORTED_STATIONS }, (_, index) => ({
        date,
        station: ids[(first + index) % ids.length] as string,
        fuel: IMPORTED_FUEL,
        price: (1000 + number * IMPORTED_STATIONS + index) / 1000,
      })),
    };
  }

  acknowledge(write: HistoryImport): void {
    this.#imports.push(write);
  }

  /** Checks that an interrupted import is stored completely or not at all; from now on a stored one must remain. */
  async checkInterruptedImport(write: HistoryImport): Promise<void> {
    const found = await this.#storedDays(write);
    if (found === write.rows.length) this.acknowledge(write);
    else if (found !== 0)
      this.#processes.publications.addViolation(`${found} of ${write.rows.length} imported rows are stored`);
  }

  /**
   * Checks the stored runs: all known ones are still there; the new ones are of `attempted` collections, in order, and
   * include every one of `acknowledged`; and each has all its observations.
   */
  async checkRuns(attempted: readonly number[], acknowledged: readonly number[]): Promise<number[]> {
    const { publications, oracle } = this.#processes;
    const rows = (await query(
      this.#connection,
      `select id::int, at::text, (means->>'diesel')::int as mean from runs where outcome = 'delivered' order by id`,
    )) as StoredRun[];
    this.#runs.forEach(({ id, at }, index) => {
      if (rows[index]?.id !== id || rows[index]?.at !== at) publications.addViolation(`run ${id} of ${at} is lost`);
    });
    const fresh = rows.slice(this.#runs.length).map((run) => {
      const residue = (run.mean - this.#base) / PRICE_STEP;
      const collection = attempted.find((each) => each % PRICE_CYCLE === residue);
      if (collection === undefined)
        publications.addViolation(`run ${run.id} is of none of the collections ${attempted}`);
      return { ...run, collection: collection ?? -1 };
    });
    const found = fresh.map(({ collection }) => collection);
    for (const each of acknowledged) {
      if (!found.includes(each)) publications.addViolation(`collection ${each} was acknowledged and has no run`);
    }
    const positions = found.map((each) => attempted.indexOf(each));
    if (positions.some((position, index) => position <= (positions[index - 1] ?? -1)))
      publications.addViolation(`runs out of order: ${found}`);
    const [row] = await query(this.#connection, 'select version::int as version from publication');
    const version = row?.version as number;
    if (version < this.#version + fresh.length) publications.addViolation(`version ${version} after ${this.#version}`);
    this.#version = version;
    for (const { id } of fresh) await this.#checkStored(id, oracle.records);
    this.#runs = [...this.#runs, ...fresh];
    return found;
  }

  /** Compares facts and today's values with the oracle, and checks that every acknowledged import is still there. */
  async checkFacts(collection: number): Promise<void> {
    const { oracle } = this.#processes;
    const facts = await query(
      this.#connection,
      `select station_id, fuel::int, price from price_facts where missing_since is null`,
    );
    const expected = [...oracle.prices(collection)].map(
      ({ id, fuel, price }) => `${id} ${FUELS.indexOf(fuel)} ${price}`,
    );
    this.#compareRows(
      'facts',
      facts.map((row) => `${row.station_id} ${row.fuel} ${row.price}`),
      expected,
    );
    const days = await query(
      this.#connection,
      `select distinct on (station_id) * from daily_prices where facts > 0 order by station_id, day desc`,
    );
    const values = days.flatMap((row) =>
      FUELS.filter((fuel) => row[fuel] !== null).map((fuel) => `${row.station_id} ${FUELS.indexOf(fuel)} ${row[fuel]}`),
    );
    this.#compareRows('values of the day', values, expected);
    for (const write of this.#imports) {
      const found = await this.#storedDays(write);
      if (found !== write.rows.length)
        this.#processes.publications.addViolation(`an import has ${found} of its rows left`);
    }
  }

  /** Checks that a serving process answers with imported days, of the newest imports and of some older ones. */
  async checkServedDays(ask: (address: string) => Promise<string>): Promise<void> {
    const newest = this.#imports.slice(-3);
    const older = this.#imports.filter((_, index) => index % 20 === 0);
    for (const { rows } of [...newest, ...older]) {
      const [{ date, station, fuel, price }] = rows as [HistoryImport['rows'][number]];
      const label = `${date.slice(8, 10)}.${date.slice(5, 7)}`;
      const found = dayValue(await ask(`/api/v1/statie/${station}/istoric?days=90`), label, fuel);
      if (found !== price)
        this.#processes.publications.addViolation(`${station} on ${date}: ${found}, imported was ${price}`);
    }
  }

  #compareRows(what: string, found: readonly string[], expected: readonly string[]): void {
    const missing = new Set(expected).difference(new Set(found));
    if (missing.size === 0 && found.length === expected.length) return;
    const sample = [...missing].slice(0, 3).join(', ');
    this.#processes.publications.addViolation(`${what}: ${found.length} of ${expected.length}, without ${sample}`);
  }

  /** Every price changes with each publication, so each record has a row in every run. */
  async #checkStored(run: number, records: number): Promise<void> {
    const [row] = await query(this.#connection, `select count(*)::int as rows from observations where run_id = ${run}`);
    if (row?.rows !== records)
      this.#processes.publications.addViolation(`run ${run} has ${row?.rows} of ${records} rows`);
  }

  async #storedDays({ rows }: HistoryImport): Promise<number> {
    const listed = rows.map(
      ({ date, station, price }) => `('${date}'::date, '${station}', ${Math.round(price * 1000)})`,
    );
    const [row] = await query(
      this.#connection,
      `select count(*)::int as found from daily_prices where (day, station_id, diesel) in (values ${listed.join()})`,
    );
    return row?.found as number;
  }
}
