/** Access control of the mock: the service's own, with limits that are never reached. Well-formed keys are valid. */
import type { AccessControlDependencies } from '../../api/access/access-control.ts';
import { isWellFormedKey, KEY_BYTES, makeApiKey } from '../../domain/access/api-key.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { KeyReport } from '../../store/keys/key-usage-report.ts';
import { MOCK_NOW } from './mock-moment.ts';

/** A well-formed key, for examples. */
export const MOCK_KEY = makeApiKey(new Uint8Array(KEY_BYTES));

const KEY: KnownKey = {
  id: 1,
  plan: 'pro',
  quota: 100_000,
  hasOwnCap: false,
  createdAt: Date.parse('2026-09-01T06:30:00Z'),
  subscribed: true,
};
const DAY_MS = 86_400_000;
const DAYS_REPORTED = 30;

/** What the key has used: the same whatever is asked, since the mock stores nothing. */
export const MOCK_KEY_REPORT: KeyReport = keyReport();

/** Never refuses by a limit. `publicUrl` is called only once the mock listens. */
export function mockAccess(publicUrl: () => string): AccessControlDependencies {
  const used = MOCK_KEY_REPORT.month;
  const granted = { outcome: 'granted', used, now: MOCK_NOW, countedIn: { month: 0, day: 0 } } as const;
  const refund = () => Promise.resolve();
  const find = (sent: string) => (isWellFormedKey(sent) ? KEY : null);
  return {
    keys: { find, known: find, used: () => used },
    limits: {
      keys: { tryTake: () => granted, refund },
      weekly: { tryTake: () => ({ accepted: true, acceptedAt: MOCK_NOW, now: MOCK_NOW }), refund },
      minutes: { tryTake: () => 0 },
    },
    addressOf: ({ peer }) => ({ address: peer.remoteAddress ?? '', client: peer.remoteAddress ?? '' }),
    crawlerOf: () => null,
    confirmCrawler: () => Promise.resolve(false),
    publicUrl,
    clock: () => MOCK_NOW,
  };
}

function keyReport(): KeyReport {
  const days = Array.from({ length: DAYS_REPORTED }, (_, at) => {
    const day = new Date(MOCK_NOW - (DAYS_REPORTED - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { day, count: (at * 7) % 11 };
  });
  const thisMonth = days.filter(({ day }) => day.startsWith(new Date(MOCK_NOW).toISOString().slice(0, 7)));
  const month = thisMonth.reduce((sum, { count }) => sum + count, 0);
  return { month, total: 1_204, lastUsed: MOCK_NOW - 60_000, days };
}
