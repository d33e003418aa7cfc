import type { BenchDatabase } from '../../test/support/database/bench-database.ts';

/** Most prices change every third day. */
const DAYS_OF_A_PRICE = 3;

/** Adds the days before the 90 seeded ones, with their price changes, runs and sources. */
export async function addOlderHistory({ pool }: BenchDatabase, years: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`
      set statement_timeout = 0;
      insert into daily_prices (day, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg, facts)
        select day - 90 * n, station_id, petrol - n, petrol_premium - n, diesel + n, diesel_premium + n, lpg - n, facts
        from daily_prices, generate_series(1, ${Math.ceil((years * 365) / 90)}) n
        where day - 90 * n > current_date - 365 * ${years}
        order by 1, 2;
      insert into observations (station_id, fuel, source, price, missing, observed_day, seen_at, run_id)
        select station_id, fuel, source, price + (d * 7 % 40) * 10, false, current_date - d, now() - d * interval '1 day', d * 12
        from generate_series(${years} * 365, 1, -1) d, price_facts
        where (hashtext(station_id) + fuel + d) % ${DAYS_OF_A_PRICE} = 0;
      insert into daily_reliance (day, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg)
        select day, station_id, 'register', 'register', 'register', 'register', 'register' from daily_prices
        where day > current_date - 125;
      insert into runs (source, at, started_at, finished_at, outcome, scheduled, forced, requests, rows, rejected, samples,
          matched, new, ambiguous, changed, failed_units, means)
        select 'register', at, at - interval '20 minutes', at, 'delivered', true, false, 1875, 5646, '{"no price": 12}', '{}',
          1396, 0, '[]', 812, '{}', '{"petrol": 7412, "diesel": 7650}'
        from generate_series(now() - interval '400 days', now(), interval '2 hours') at`);
  } finally {
    client.release(true);
  }
}
