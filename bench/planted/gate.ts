/** Faults at the gate: who pays for what, what is given back, and what callers are told of their limits. */
import type { Fault } from './fault.ts';

const GATE = 'src/api/gate.ts';
const REFUSALS = 'src/api/refusals.ts';
const HEADERS = 'src/api/rate-headers.ts';
const VIEW = 'src/store/key-usage-view.ts';
const NEWS = 'src/store/usage-news.ts';
const KEY = ['test/contract/cheie.test.ts'];
const WEEKLY = ['test/contract/weekly.test.ts'];
const JOURNEYS = ['test/contract/traseu.test.ts'];
const CRAWLERS = ['test/contract/crawlers.test.ts'];
const LIMITS = ['src/api/refusals.test.ts', 'src/api/rate-headers.test.ts'];
const VIEWS = ['src/store/key-usage-view.test.ts'];

export const GATE_FAULTS: readonly Fault[] = [
  {
    name: 'failure-paid-with-a-key',
    harm: 'an answer that failed is counted against the quota',
    file: GATE,
    from: 'await forAWhile(leftMs, allowances.keys.giveBack(key.id, counted));',
    to: '',
    tests: JOURNEYS,
  },
  {
    name: 'failure-paid-with-a-week',
    harm: 'who asks for a place that there is not may not ask again for a week',
    file: GATE,
    from: 'giveBack().then(() => answer)',
    to: 'Promise.resolve(answer)',
    tests: JOURNEYS,
  },
  {
    name: 'break-down-paid-with-a-week',
    harm: 'who met an error of the service may not ask again for a week',
    file: GATE,
    from: 'await giveBack();',
    to: '',
    tests: JOURNEYS,
  },
  {
    name: 'key-unverified-let-in',
    harm: 'while the database is away no quota holds',
    file: GATE,
    from: 'if (error instanceof Undecided) return refusal(KEY_UNVERIFIABLE, asked.cors);',
    to: "if (error instanceof Undecided && 'work' in planned) return planned.work();",
    tests: ['test/contract/degraded.test.ts'],
  },
  {
    name: 'mistake-paid-with-a-key',
    harm: 'a request that is wrong in itself is counted against the quota',
    file: GATE,
    from: "asked.access.quota && 'work' in planned",
    to: 'asked.access.quota',
    tests: KEY,
  },
  {
    name: 'keyless-where-a-key-is-needed',
    harm: 'without a key /cheie breaks down instead of asking for one',
    file: GATE,
    from: "asked.access.key === 'required' ?",
    to: "asked.access.key === 'none' ?",
    tests: KEY,
  },
  {
    name: 'crawler-by-name-everywhere',
    harm: 'whoever calls himself GPTBot has all stations, sixty times a minute',
    file: GATE,
    from: "if (crawler !== null && cap.crawlers === 'named') return",
    to: 'if (crawler !== null) return',
    tests: CRAWLERS,
  },
  {
    name: 'crawler-unconfirmed-let-in',
    harm: 'whoever calls himself Googlebot has all stations, sixty times a minute',
    file: GATE,
    from: 'theirs ? byTheMinute()',
    to: 'theirs !== undefined ? byTheMinute()',
    tests: CRAWLERS,
  },
  {
    name: 'remaining-below-zero',
    harm: 'a key whose quota was lowered has a negative number left',
    file: HEADERS,
    from: 'Math.max(0, quota - used)',
    to: 'quota - used',
    tests: LIMITS,
  },
  {
    name: 'reset-in-local-time',
    harm: 'a quota is said to begin anew hours before or after it does',
    file: HEADERS,
    from: 'Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)',
    to: 'new Date(date.getFullYear(), date.getMonth() + 1).getTime()',
    tests: [...KEY, ...LIMITS],
  },
  {
    name: 'reset-of-the-first-month',
    harm: 'a process that runs over the end of a month names a reset that is past',
    file: HEADERS,
    from: 'if (now < known.from || now >= known.until)',
    to: 'if (known.until === 0)',
    tests: LIMITS,
  },
  {
    name: 'wait-rounded-down',
    harm: 'who waits as long as he is told is refused once more',
    file: REFUSALS,
    from: 'Math.max(1, Math.ceil(ms / 1000))',
    to: 'Math.max(1, Math.floor(ms / 1000))',
    tests: LIMITS,
  },
  {
    name: 'refusal-alike-for-too-long',
    harm: 'a kept refusal names a wait that is a second too long',
    file: REFUSALS,
    from: 'return left - (Math.ceil(left / 1000) - 1) * 1000;',
    to: 'return left > 0 ? 1000 : 0;',
    tests: LIMITS,
  },
  {
    name: 'refusal-names-the-wrong-week',
    harm: 'the time that a client is told lies an hour before its end',
    file: REFUSALS,
    from: 'Math.ceil((since + CAP_MS) / 1000) * 1000',
    to: 'Math.ceil((since + CAP_MS) / 1000) * 1000 - 3_600_000',
    tests: WEEKLY,
  },
  {
    name: 'last-month-in-the-headers',
    harm: 'in a new month a key is told what it used in the old one',
    file: VIEW,
    from: 'known.month >= month ?',
    to: 'known.month >= 0 ?',
    tests: VIEWS,
  },
  {
    name: 'old-news-over-own-counts',
    harm: 'a key’s own process tells it less than it used, as another one heard of it',
    file: VIEW,
    from: 'if (!this.#untold.has(use.id))',
    to: 'if (this.#untold !== undefined)',
    tests: VIEWS,
  },
  {
    name: 'news-too-long-to-send',
    harm: 'a thousand busy keys at once, and no process hears of any of them',
    file: NEWS,
    from: 'const PAYLOAD = 7_900;',
    to: 'const PAYLOAD = 79_000;',
    tests: VIEWS,
  },
  {
    name: 'consumption-readable-by-pages',
    harm: 'any page may read what stands in /cheie',
    file: 'src/api/endpoints/account.ts',
    from: ', PRIVATE_HEADERS);',
    to: ');',
    tests: KEY,
  },
  {
    name: 'outage-waited-for-by-each',
    harm: 'while the database is away every request waits for it, instead of one of many',
    file: 'src/store/allowances/batch.ts',
    from: 'if (now < failedAt + pauseMs)',
    to: 'if (now < failedAt)',
    tests: ['src/store/allowances/batch.test.ts'],
  },
  {
    name: 'overlap-cut-by-upkeep',
    harm: 'upkeep ends the old text of a rotated key before its time',
    file: 'src/store/prune-keys.ts',
    from: 'where expires_at <= clock_timestamp()',
    to: 'where expires_at is not null',
    tests: ['src/store/keys.test.ts'],
  },
  {
    name: 'vapid-key-repeated',
    harm: 'the private key of web push stands in the log',
    file: 'src/config.ts',
    from: ", 'VAPID_PRIVATE_KEY'];",
    to: '];',
    tests: ['src/config.test.ts', 'src/settings/push.test.ts'],
  },
];
