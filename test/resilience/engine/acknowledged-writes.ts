/** What was acknowledged, and whether the database still has all of it. */
import { bucharestDay, dayNumber, dayText } from '../../../src/domain/days.ts';
import { FUELS } from '../../../src/domain/fuel.ts';
import { query } from '../../support/database/embedded-database.ts';
import { dayValue } from './answer-checks.ts';
import type { Cluster } from './cluster.ts';
import { PRICE_CYCLE, PRICE_STEP } from './controlled-country.ts';

/** Days and stations that one import names. */
const IMPORTED_DAYS = 80;
const IMPORTED_STATIONS = 10;
const IMPORTED_FUEL = 'motorina_standard';

export type HistoryImport = { readonly rows: { date: string; station: string; fuel: string; price: number }[] };

type StoredRun = { id: number; at: string; mean: number };

export class AcknowledgedWrites {
  readonly #cluster: Cluster;
  readonly #connection: Awaited<ReturnType<Cluster['connection']>>;
  readonly #today = dayNumber(bucharestDay(Date.now()));
  readonly #imports: HistoryImport[] = [];
  #importCount = 0;
  /** Collections of which it is known that they are in, with their run. */
  #runs: (StoredRun & { collection: number })[] = [];
  /** The version of the database. */
  #version = 0;
  /** Mean price of diesel without any step. */
  readonly #base: number;

  static async create(cluster: Cluster): Promise<AcknowledgedWrites> {
    return new AcknowledgedWrites(cluster, await cluster.connection());
  }

  private constructor(cluster: Cluster, connection: Awaited<ReturnType<Cluster['connection']>>) {
    this.#cluster = cluster;
    this.#connection = connection;
    const diesel = [...cluster.oracle.prices(0)].filter(({ fuel }) => fuel === 'diesel').map(({ price }) => price);
    this.#base = Math.round(diesel.reduce((sum, price) => sum + price, 0) / diesel.length);
  }

  /** How many imports were acknowledged. */
  get imports(): number {
    return this.#imports.length;
  }

  /** Rows that no import named before: a day of ten stations. */
  nextImport(): HistoryImport {
    const number = this.#importCount;
    this.#importCount += 1;
    const date = dayText(this.#today - 2 - (number % IMPORTED_DAYS));
    const { ids } = this.#cluster.oracle;
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

  /** Holds that an import that was cut off is in as a whole or not at all; what is in counts from now on. */
  async checkInterruptedImport(write: HistoryImport): Promise<void> {
    const found = await this.#storedDays(write);
    if (found === write.rows.length) this.acknowledge(write);
    else if (found !== 0)
      this.#cluster.publications.addViolation(`${found} of ${write.rows.length} imported rows are in`);
  }

  /**
   * Holds the runs against what is known: those known before are all there, and since then only `attempted`
   * collections, in their order, among them every one of `acknowledged`; and of each all that it stored.
   */
  async checkRuns(attempted: readonly number[], acknowledged: readonly number[]): Promise<number[]> {
    const { publications, oracle } = this.#cluster;
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
    const turns = found.map((each) => attempted.indexOf(each));
    if (turns.some((turn, index) => turn <= (turns[index - 1] ?? -1)))
      publications.addViolation(`runs out of turn: ${found}`);
    const [row] = await query(this.#connection, 'select version::int as version from publication');
    const version = row?.version as number;
    if (version < this.#version + fresh.length) publications.addViolation(`version ${version} after ${this.#version}`);
    this.#version = version;
    for (const { id } of fresh) await this.#checkStored(id, oracle.records);
    this.#runs = [...this.#runs, ...fresh];
    return found;
  }

  /** Holds facts and today's values against the oracle, and every import that was ever acknowledged. */
  async checkFacts(collection: number): Promise<void> {
    const { oracle } = this.#cluster;
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
        this.#cluster.publications.addViolation(`an import has ${found} of its rows left`);
    }
  }

  /** Holds that a serving process answers with imported days: of the newest imports, and some older ones. */
  async checkServedDays(ask: (address: string) => Promise<string>): Promise<void> {
    const newest = this.#imports.slice(-3);
    const older = this.#imports.filter((_, index) => index % 20 === 0);
    for (const { rows } of [...newest, ...older]) {
      const [{ date, station, fuel, price }] = rows as [HistoryImport['rows'][number]];
      const label = `${date.slice(8, 10)}.${date.slice(5, 7)}`;
      const found = dayValue(await ask(`/api/v1/statie/${station}/istoric?days=90`), label, fuel);
      if (found !== price)
        this.#cluster.publications.addViolation(`${station} on ${date}: ${found}, imported was ${price}`);
    }
  }

  #compareRows(what: string, found: readonly string[], expected: readonly string[]): void {
    const missing = new Set(expected).difference(new Set(found));
    if (missing.size === 0 && found.length === expected.length) return;
    const sample = [...missing].slice(0, 3).join(', ');
    this.#cluster.publications.addViolation(`${what}: ${found.length} for ${expected.length}, without ${sample}`);
  }

  /** Every price changes from one publication to the next, so each of them left its row. */
  async #checkStored(run: number, records: number): Promise<void> {
    const [row] = await query(this.#connection, `select count(*)::int as rows from observations where run_id = ${run}`);
    if (row?.rows !== records)
      this.#cluster.publications.addViolation(`run ${run} left ${row?.rows} of ${records} rows`);
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
