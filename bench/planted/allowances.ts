/** Faults in what is rationed: short windows, monthly quotas, the weekly cap, and what is kept of an address. */
import type { Fault } from './fault.ts';

const WINDOW = 'src/domain/sliding-window.ts';
const USAGE = 'src/store/allowances/key-usage.ts';
const KEYED = 'src/store/allowances/key-allowance.ts';
const CAPS = 'src/store/allowances/weekly-caps.ts';
const WEEKLY = 'src/store/allowances/weekly-allowance.ts';
const MINUTES = 'src/store/allowances/minute-windows.ts';
const MINUTE = 'src/store/allowances/minute-allowance.ts';
const PRUNE = 'src/store/allowances/prune.ts';
const ALLOWANCES = 'src/store/allowances/allowances.ts';
const KEYS = ['test/allowances/keys.test.ts'];
const BORDERS = ['test/allowances/borders.test.ts'];
const VISITORS = ['test/allowances/visitors.test.ts'];
const REFUSALS = ['test/allowances/refusals.test.ts'];
const DEGRADED = ['test/allowances/degraded.test.ts'];
const PRUNED = ['src/store/allowances/prune.test.ts'];
const WINDOWS = ['src/domain/sliding-window.test.ts'];

export const ALLOWANCE_FAULTS: readonly Fault[] = [
  {
    name: 'window-a-millisecond-short',
    harm: 'a sixth request within a second, at its very end',
    file: WINDOW,
    from: '+ ms + 1 - now',
    to: '+ ms - now',
    tests: WINDOWS,
  },
  {
    name: 'window-forgets-its-edge',
    harm: 'what happened exactly a window ago no longer counts',
    file: WINDOW,
    from: 'each >= now - ms',
    to: 'each > now - ms',
    tests: WINDOWS,
  },
  {
    name: 'window-of-a-clock-set-back',
    harm: 'after a clock was set back by a day everybody waits for a day',
    file: WINDOW,
    from: 'Math.min(deciding, now)',
    to: 'deciding',
    tests: WINDOWS,
  },
  {
    name: 'sixth-of-a-second',
    harm: 'a key has six requests a second',
    file: USAGE,
    from: `+ w.places <= \${KEY_PACE.perSecond}`,
    to: `+ w.places <= \${KEY_PACE.perSecond + 1}`,
    tests: KEYS,
  },
  {
    name: 'key-windows-stand-still',
    harm: 'a key has ten requests within a second, around the full one',
    file: USAGE,
    from: `width_bucket(m.now - \${within + 1}, \${row}.recent)`,
    to: `width_bucket(m.now - m.now % \${within} - 1, \${row}.recent)`,
    tests: KEYS,
  },
  {
    name: 'refused-request-takes-a-place',
    harm: 'a key that asks too fast gets nothing at all for as long as it does',
    file: USAGE,
    from: 'array_fill(m.now, array[d.some])',
    to: 'array_fill(m.now, array[d.places])',
    tests: KEYS,
  },
  {
    name: 'quota-one-too-many',
    harm: 'a key has one request more than it paid for',
    file: USAGE,
    from: '+ w.paid <= w.quota',
    to: '+ w.paid <= w.quota + 1',
    tests: KEYS,
  },
  {
    name: 'month-of-bucharest',
    harm: 'a quota begins anew two or three hours before its month, against its own headers',
    file: USAGE,
    from: "(extract(year from t at time zone 'UTC') * 12 + extract(month from t at time zone 'UTC'))",
    to: "(extract(year from t at time zone 'Europe/Bucharest') * 12 + extract(month from t at time zone 'Europe/Bucharest'))",
    tests: BORDERS,
  },
  {
    name: 'usage-day-of-bucharest',
    harm: 'what is used late in the evening stands on the next day',
    file: USAGE,
    from: "(t at time zone 'UTC')::date as today",
    to: "(t at time zone 'Europe/Bucharest')::date as today",
    tests: BORDERS,
  },
  {
    name: 'quota-twice-by-the-clock',
    harm: 'a clock that goes back over the end of a month and forth gives the quota twice',
    file: USAGE,
    from: `case when \${row}.month >= m.month then`,
    to: `case when \${row}.month = m.month then`,
    tests: BORDERS,
  },
  {
    name: 'give-back-forgotten',
    harm: 'a request that was answered with an error is paid for',
    file: USAGE,
    from: 'from m where u.key_id = $1',
    to: 'from m where u.key_id = -$1',
    tests: KEYS,
  },
  {
    name: 'give-back-to-another-month',
    harm: 'an error at the end of a month gives one request of the next',
    file: USAGE,
    from: 'case when u.month = $2 then',
    to: 'case when $2::int > 0 then',
    tests: BORDERS,
  },
  {
    name: 'unpaid-request-paid',
    harm: 'a key pays for /cheie and for requests that are wrong in themselves',
    file: KEYED,
    from: '(paid ? 1 : 0)',
    to: '1',
    tests: ['test/contract/cheie.test.ts'],
  },
  {
    name: 'key-refusal-remembered-too-long',
    harm: 'a key that was too fast waits for longer than it was told',
    file: KEYED,
    from: 'until: at + waitMs,',
    to: 'until: at + 10 * waitMs,',
    tests: REFUSALS,
  },
  {
    name: 'week-a-millisecond-long',
    harm: 'who comes at the very moment that he was told is refused',
    file: CAPS,
    from: `where c.accepted_at <= excluded.accepted_at - \${CAP}`,
    to: `where c.accepted_at < excluded.accepted_at - \${CAP}`,
    tests: BORDERS,
  },
  {
    name: 'acceptance-of-another-given-back',
    harm: 'a failed answer frees the place that another answer of the same client took',
    file: CAPS,
    from: 'and accepted_at = $3',
    to: 'and accepted_at >= $3',
    tests: VISITORS,
  },
  {
    name: 'told-late-shortens-the-week',
    harm: 'what was accepted without the database shortens a week that began later',
    file: CAPS,
    from: 'greatest(c.accepted_at, excluded.accepted_at)',
    to: 'excluded.accepted_at',
    tests: ['src/store/allowances/weekly-caps.test.ts'],
  },
  {
    name: 'batch-accepts-all-of-a-client',
    harm: 'of many requests of a client at once all are accepted',
    file: WEEKLY,
    from: 'if (verdict.accepted) byName',
    to: 'if (!verdict) byName',
    tests: VISITORS,
  },
  {
    name: 'weekly-cap-open-without-database',
    harm: 'while the database is away everybody has as many answers as he likes',
    file: WEEKLY,
    from: 'this.#alone.set(name, { visitor, since: now, at });',
    to: '',
    tests: DEGRADED,
  },
  {
    name: 'acceptance-forgotten-without-database',
    harm: 'who was accepted a moment before the database went away is accepted again',
    file: WEEKLY,
    from: 'if (known !== undefined && isCapped(known, at)) return',
    to: 'if (known !== undefined && at < known.until) return',
    tests: DEGRADED,
  },
  {
    name: 'weekly-cap-open-when-full',
    harm: 'a flood of addresses while the database is away opens the cap for all',
    file: WEEKLY,
    from: 'alone === undefined && this.#alone.full',
    to: 'alone !== undefined && this.#alone.full',
    tests: DEGRADED,
  },
  {
    name: 'weekly-refusal-remembered-too-long',
    harm: 'a client whose answer failed is refused for an hour after its place was given back',
    file: WEEKLY,
    from: 'now - since < SETTLED_MS ? BRIEFLY_MS : HOUR_MS',
    to: 'HOUR_MS',
    tests: VISITORS,
  },
  {
    name: 'minute-stands-still',
    harm: 'a crawler has 120 requests within a minute, around the full one',
    file: MINUTES,
    from: 'where each >= m.now - 60000',
    to: 'where each >= m.now - m.now % 60000',
    tests: VISITORS,
  },
  {
    name: 'refused-crawler-counts',
    harm: 'a crawler that asks too fast never has a place again',
    file: MINUTES,
    from: 'array_fill(m.now, array[d.given])',
    to: 'array_fill(m.now, array[d.wanted])',
    tests: VISITORS,
  },
  {
    name: 'minute-open-without-database',
    harm: 'while the database is away limits by the minute do not hold',
    file: MINUTE,
    from: 'known?.all ?? []',
    to: 'known?.alone ?? []',
    tests: DEGRADED,
  },
  {
    name: 'acceptances-pruned-early',
    harm: 'upkeep ends the weekly cap after a day',
    file: PRUNE,
    from: "(select clock_timestamp()) - interval '168 hours'",
    to: "(select clock_timestamp()) - interval '24 hours'",
    tests: PRUNED,
  },
  {
    name: 'visitors-kept-for-ever',
    harm: 'who asked what is kept for longer than it limits anybody',
    file: PRUNE,
    from: "(select clock_timestamp()) - interval '168 hours'",
    to: "(select clock_timestamp()) - interval '169 hours'",
    tests: PRUNED,
  },
  {
    name: 'address-hashed-without-its-key',
    harm: 'whoever gets hold of the tables finds the addresses out by trying all of them',
    file: ALLOWANCES,
    from: "createHmac('sha256', this.#secret)",
    to: "createHmac('sha256', '')",
    tests: ['src/store/allowances/address-hash.test.ts'],
  },
];
